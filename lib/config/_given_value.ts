import { type Language, message, type MessageKey, type MessageParams } from "../messages.ts";
import { maskAddress } from "./_address.ts";
import { LANGUAGES } from "./choices.ts";
import { isAddressKey, isSecretKey, looksSecret } from "./secrets.ts";

/** Position of a value in a file, the environment or the command line. */
export interface SourcePosition {
  /** As people see it: `config.yaml:3:5`, `env:NAME` or `flag:NAME`. */
  readonly text: string;
  /** Problems are listed by this number: those of the file first, then the environment's, then the command line's. */
  readonly order: number;
}

/** Position of a UTF-16 offset in a file. */
export type PositionAt = (offset: number) => SourcePosition;

/** One configuration value as a file, the environment or the command line gives it, not checked yet. */
export interface GivenValue {
  /** `undefined` for a key outside every section. */
  readonly section: string | undefined;
  readonly key: string;
  readonly value: unknown;
  readonly position: SourcePosition;
  /** Positions of the items, where the value is a list in a file. */
  readonly items?: readonly SourcePosition[];
  readonly origin: "file" | "environment" | "flag";
}

/** A part of a message: a key and its parameters, which may be parts as well. */
export interface Phrase {
  readonly key: MessageKey;
  readonly params?: Readonly<Record<string, string | number | Phrase>>;
}

/** An error or a warning before its language is known. */
export interface Problem {
  readonly position: SourcePosition;
  /** `section.key`, or empty where the problem is not about a key. */
  readonly path: string;
  readonly phrase: Phrase;
}

/** `section.key`, or the key alone outside every section. */
export function keyPath({ section, key }: Pick<GivenValue, "section" | "key">): string {
  return section === undefined ? key : `${section}.${key}`;
}

/**
 * The language that the values ask for, and `otherwise` without a valid one. The other values need not be valid: their
 * problems are reported in this language.
 */
export function languageOf(values: readonly GivenValue[], otherwise: Language): Language {
  const given = values.filter(({ section, key }) => section === undefined && key === "language");
  const valid = given.flatMap(({ value }) => LANGUAGES.find((language) => language === value) ?? []);
  return valid.at(-1) ?? otherwise;
}

/** The phrase for a value of the wrong kind. Secrets in the value are hidden. */
export function mismatch(key: string, expected: Phrase, found: unknown): Phrase {
  return { key: "config_mismatch", params: { expected, found: foundPhrase(key, found) } };
}

/** Characters of a wrong value that a message shows. */
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

/** The text of a phrase. */
export function phraseText(language: Language, phrase: Phrase): string {
  const params: MessageParams = {};
  for (const [name, value] of Object.entries(phrase.params ?? {})) {
    params[name] = typeof value === "object" ? phraseText(language, value) : value;
  }
  return message(language, phrase.key, params);
}

/** A problem as one line: position, key and text. */
export function problemLine(language: Language, { position, path, phrase }: Problem): string {
  const text = phraseText(language, phrase);
  return path === ""
    ? message(language, "config_file_problem", { place: position.text, text })
    : message(language, "config_problem", { place: position.text, key: path, text });
}
