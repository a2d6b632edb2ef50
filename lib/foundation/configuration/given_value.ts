/**
 * Values as the file, the environment and the command line give them, and problems with them as text. Secrets are masked.
 */
import type { Language, Phrase } from "#foundation/messages/mod.ts";
import { LANGUAGES } from "./defaults.ts";
import type { Config } from "./schema.ts";

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

/** Whether the value of `key` is secret, in every section. */
export function isSecretKey(key: string): boolean {
  return ["api_key", "headers", "password"].includes(key);
}

/** Whether the value of `key` is a web address, which may contain secrets. */
export function isAddressKey(key: string): boolean {
  return ["base_url", "hub_url", "mirror_url", "npm_registry", "url", "urls", "readers"].includes(key);
}

/** Whether a value looks like a secret. It is not shown then, even under another key. */
function looksSecret(value: string): boolean {
  return /^(?:sk-|enc:|bearer\s|eyJ)/i.test(value.trim());
}

/** A copy of the configuration with every secret replaced by {@linkcode MASK}. */
export function maskSecrets(config: Config): Config {
  const copy = structuredClone(config);
  for (const [section, key, value] of textsIn(copy)) {
    if (isSecretKey(key)) section[key] = MASK;
    else if (isAddressKey(key)) section[key] = maskAddress(value);
  }
  return copy;
}

/** The secrets in a configuration, which the log masks. */
export function secretValues(config: Config): string[] {
  return [...textsIn(config)].flatMap(([, key, value]) =>
    isSecretKey(key) ? value : isAddressKey(key) ? addressSecrets(value) : []
  );
}

/** The texts in the sections of a configuration. */
function* textsIn(
  section: object,
): Generator<[section: Record<string, unknown>, key: string, value: string]> {
  for (const [key, value] of Object.entries<unknown>(section as Record<string, unknown>)) {
    if (typeof value === "string") yield [section as Record<string, unknown>, key, value];
    else if (typeof value === "object" && value !== null) yield* textsIn(value);
  }
}

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** The forms of a secret in plain text, in URLs, in JSON and in HTML, without duplicates. */
export function secretForms(secret: string): string[] {
  return [
    ...new Set([
      secret,
      encodeURIComponent(secret.toWellFormed()),
      JSON.stringify(secret).slice(1, -1),
      secret.replace(/[&<>"]/g, (sign) => HTML[sign] ?? sign),
    ]),
  ];
}

/** Replacement for a secret wherever a configuration is shown. */
const MASK = "****";

/** Scheme and `user:password@`. As in URL parsers, `\` is the same as `/`, and the last `@` ends the password. */
const USER_INFO = /^(\s*(?:[a-z][a-z0-9+.-]*:(?=[\\/]))?[\\/]*)([^\\/?#]*)@/i;

const QUERY = /\?([^#]*)/;

/** The name of a database's user, which is no secret. A web address has a user name alone only if that is a token. */
const DATABASE_USER = /^\s*postgres(?:ql)?:\/\/[^:\\/?#@]*@/i;

/** Query parameters that are shown: Azure's addresses have their version in the query, those of databases the mode of TLS. */
const PUBLIC = /^(?:api-version|sslmode)$/i;

/** Masks user, password and query values: `https://user:password@host/v1?key=abc` becomes `https://****@host/v1?key=****`. */
export function maskAddress(address: string): string {
  const shown = DATABASE_USER.test(address) ? address : address.replace(USER_INFO, `$1${MASK}@`);
  return shown.replace(
    QUERY,
    (_, query: string) => `?${query.split("&").map(maskPart).join("&")}`,
  );
}

function maskPart(part: string): string {
  const { name, value } = split(part);
  return value === "" || PUBLIC.test(name) ? part : part.slice(0, part.length - value.length) + MASK;
}

/** The secrets in an address, both as written and decoded: the password, or a user name alone, and the query values. */
export function addressSecrets(address: string): string[] {
  const user = DATABASE_USER.test(address) ? "" : USER_INFO.exec(address)?.[2] ?? "";
  const query = QUERY.exec(address)?.[1] ?? "";
  const found = [user.includes(":") ? user.slice(user.indexOf(":") + 1) : user];
  for (const part of query.split("&")) {
    const { name, value } = split(part);
    if (!PUBLIC.test(name)) found.push(value);
  }
  const decoded = found.flatMap((value) => [value, decode(value)]);
  return [...new Set(decoded)].filter((value) => value !== "");
}

/** Splits `name=value`. A part without `=` is a value without a name. */
function split(part: string): { name: string; value: string } {
  const at = part.indexOf("=");
  return { name: part.slice(0, Math.max(0, at)), value: part.slice(at + 1) };
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
