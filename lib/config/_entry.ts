import type { Language, MessageKey, MessageParams } from "../messages.ts";
import { message } from "../messages.ts";
import { maskAddress } from "./_address.ts";
import { isAddressKey, isSecretKey, looksSecret } from "./secrets.ts";

/** Where a value was given: for people (`config.yaml:3:5`), and its rank among all places. */
export interface Place {
  readonly text: string;
  /** Problems are told in this order: file by position, environment by name, command line. */
  readonly order: number;
}

/** One value as it was given. */
export interface Entry {
  /** `undefined` for a key outside of every section. */
  readonly section: string | undefined;
  readonly key: string;
  readonly value: unknown;
  readonly place: Place;
  /** Places of a list's items. */
  readonly items?: readonly Place[];
  readonly origin: "file" | "environment" | "flag";
}

/** A part of a message: a key and its parameters, which may be parts again. */
export interface Phrase {
  readonly key: MessageKey;
  readonly params?: Readonly<Record<string, string | number | Phrase>>;
}

/** Something wrong, or a warning, before its language is known. */
export interface Problem {
  readonly place: Place;
  /** `section.key`, or empty when it is about the file itself. */
  readonly path: string;
  readonly phrase: Phrase;
}

/** `section.key`. */
export function pathOf(entry: { readonly section: string | undefined; readonly key: string }): string {
  return entry.section === undefined ? entry.key : `${entry.section}.${entry.key}`;
}

/** The phrase for a value that is not what it should be. */
export function mismatch(key: string, expected: Phrase, found: unknown): Phrase {
  return { key: "config_mismatch", params: { expected, found: foundPhrase(key, found) } };
}

const SHOWN_CHARS = 40;

function foundPhrase(key: string, value: unknown): Phrase {
  if (value === null || value === undefined) return { key: "config_found_nothing" };
  if (Array.isArray(value)) return { key: "config_found_list" };
  if (typeof value === "object") return { key: "config_found_mapping" };
  if (isSecretKey(key) || (typeof value === "string" && looksSecret(value))) {
    return { key: "config_found_hidden" };
  }
  if (typeof value !== "string") return { key: "config_found_plain", params: { value: String(value) } };
  const safe = isAddressKey(key) || value.includes("://") ? maskAddress(value) : value;
  const characters = Array.from(safe);
  const shown = characters.length > SHOWN_CHARS ? `${characters.slice(0, SHOWN_CHARS).join("")}…` : safe;
  return { key: "config_found_plain", params: { value: JSON.stringify(shown) } };
}

/** A phrase in words. */
export function say(language: Language, phrase: Phrase): string {
  const params: MessageParams = {};
  for (const [name, value] of Object.entries(phrase.params ?? {})) {
    params[name] = typeof value === "object" ? say(language, value) : value;
  }
  return message(language, phrase.key, params);
}

/** A problem as one line. */
export function problemLine(language: Language, problem: Problem): string {
  const text = say(language, problem.phrase);
  const { place, path } = problem;
  return path === ""
    ? message(language, "config_file_problem", { place: place.text, text })
    : message(language, "config_problem", { place: place.text, key: path, text });
}
