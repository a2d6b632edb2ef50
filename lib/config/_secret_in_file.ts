import { isDeepStrictEqual } from "node:util";
import { isScalar, parseDocument } from "yaml";
import { reasonOf, UsageError } from "../errors.ts";
import { type Entry, pathOf } from "./_entry.ts";
import { findFile, type FoundFile } from "./_find_file.ts";
import { check, configError, languageOf } from "./_load_config.ts";
import { parseConfig } from "./_parse.ts";
import { resolveReference } from "./_references.ts";
import { replaceFile } from "./_replace_file.ts";
import { SECRET_KEYS, type SecretKey } from "./choices.ts";
import { type EncryptedSecret, encryptSecret } from "./encryption/cipher.ts";
import { isEncrypted } from "./encryption/sealed.ts";
import type { LoadOptions } from "./types.ts";

/** What became of a secret in a configuration file. */
export interface EncryptedInFile {
  /** Absolute path of the file. */
  readonly path: string;
  /** Null when the value was encrypted before, so that nothing was changed. */
  readonly encrypted: EncryptedSecret | null;
}

/**
 * Encrypts the plain value of `key` in the configuration file in use. Only the bytes of that value change; the file is
 * replaced at once, keeping its mode. No copy of the old one is kept: the secret would stand in it.
 *
 * Throws {@linkcode ConfigError} where the file is not valid; `UsageError` `secret_no_file`, `secret_not_in_file`,
 * `secret_is_reference`, `secret_not_by_itself`, `config_file_changed`, `config_file_unwritable`, and what finding the
 * file and {@linkcode encryptSecret} throw.
 */
export async function encryptInFile(key: SecretKey, options: LoadOptions): Promise<EncryptedInFile> {
  const file = await openFile(options);
  const entry = entryIn(file, key);
  const secret = String(entry.value);
  const about = { place: entry.place.text, key };
  if (isEncrypted(secret)) return { path: file.path, encrypted: null };
  if (secret.startsWith("env:")) throw new UsageError("secret_is_reference", about);
  // Before a key file is made for it.
  const [start, end] = valueRange(file.text, key) ?? [];
  if (start === undefined) throw new UsageError("secret_not_by_itself", about);
  const encrypted = await encryptSecret(secret, options);
  const quote = /^["']/.exec(file.text.slice(start, end))?.[0] ?? "";
  const text = `${file.text.slice(0, start)}${quote}${encrypted.text}${quote}${file.text.slice(end)}`;
  if (!isOnlyChange(file, text, secret, encrypted.text)) throw new UsageError("secret_not_by_itself", about);
  await write(file, text);
  return { path: file.path, encrypted };
}

/**
 * The `enc:v1:…` value of `key` in the configuration file in use, `env:NAME` followed. Throws as
 * {@linkcode encryptInFile}, and `UsageError` `secret_not_encrypted`.
 */
export async function secretInFile(key: SecretKey, options: LoadOptions): Promise<string> {
  const file = await openFile(options);
  const { entry, problem } = resolveReference(entryIn(file, key), options.env);
  if (entry === undefined) {
    throw configError(problem === undefined ? [] : [problem], languageOf(file.reading.entries));
  }
  const value = String(entry.value);
  if (!isEncrypted(value)) throw new UsageError("secret_not_encrypted", { place: entry.place.text, key });
  return value;
}

async function openFile(options: LoadOptions): Promise<FoundFile> {
  const file = await findFile({ ...options, os: options.os ?? Deno.build.os }, []);
  if (file === null) throw new UsageError("secret_no_file");
  const { problems, entries } = file.reading;
  if (problems.length > 0) throw configError(problems, languageOf(entries));
  return file;
}

function entryIn({ reading, shown }: FoundFile, key: SecretKey): Entry {
  const entry = reading.entries.find((entry) => pathOf(entry) === key);
  if (entry === undefined || entry.value === null) {
    throw new UsageError("secret_not_in_file", { path: shown, key });
  }
  const problems = check(entry);
  if (problems.length > 0) throw configError(problems, languageOf(reading.entries));
  return entry;
}

/** Where the value stands, quotes included; undefined unless it is written out in one line (no block, no alias). */
function valueRange(text: string, key: SecretKey): [start: number, end: number] | undefined {
  const node = parseDocument(text, { uniqueKeys: false }).getIn(key.split("."), true);
  if (!isScalar(node) || !node.range || !/^(?:PLAIN|QUOTE_)/.test(node.type ?? "")) return undefined;
  const [start, end] = node.range;
  return /[\r\n]/.test(text.slice(start, end)) ? undefined : [start, end];
}

/** Whether `text` says the same as the file, but for the encrypted secret (which may be repeated by an alias). */
function isOnlyChange(file: FoundFile, text: string, before: string, after: string): boolean {
  const { problems, entries } = parseConfig(text, file.shown, /\.json$/i.test(file.path) ? "json" : "yaml");
  const values = (all: readonly Entry[]) => all.map((entry) => [pathOf(entry), entry.value]);
  const secrets: readonly string[] = SECRET_KEYS;
  const was = values(entries).map(([path, value]) => [
    path,
    secrets.includes(String(path)) && value === after ? before : value,
  ]);
  return problems.length === 0 && isDeepStrictEqual(was, values(file.reading.entries));
}

async function write({ path, shown, bytes, text: before }: FoundFile, text: string): Promise<void> {
  const encoder = new TextEncoder();
  // What reading took away: a byte order mark.
  const mark = bytes.subarray(0, bytes.length - encoder.encode(before).length);
  try {
    await replaceFile(path, bytes, Uint8Array.of(...mark, ...encoder.encode(text)));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = reasonOf(error);
    throw new UsageError("config_file_unwritable", { path: shown, reason }, { cause: error });
  }
}
