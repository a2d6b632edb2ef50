/**
 * The commands that encrypt or show a secret in the configuration file in use. Only the bytes of that value change.
 */
import { isDeepStrictEqual } from "node:util";
import { isScalar, parseDocument } from "yaml";
import { reasonOf, UsageError } from "#foundation/errors.ts";
import {
  openNamed,
  readNamed,
  realNamed,
  statNamed,
  writeAll,
  writeNamed,
} from "#foundation/boundary/mod.ts";
import { check, configError } from "./check_config.ts";
import { findFile, type FoundFile, type LoadOptions } from "./find_file.ts";
import { type GivenValue, keyPath, languageOf } from "./given_value.ts";
import { parseConfig } from "./parse.ts";
import { resolveReference } from "./environment.ts";
import type { Language } from "#foundation/messages/mod.ts";
import { SECRET_KEYS, type SecretKey } from "./defaults.ts";
import { type EncryptedSecret, encryptSecret, isEncrypted } from "./secrets.ts";
import { systemLanguage } from "./user_environment.ts";
import { OS } from "#foundation/runtime.ts";

/** Result of {@linkcode encryptInFile}. */
export interface EncryptedInFile {
  /** Absolute path of the file. */
  readonly path: string;
  /** Null where the value was encrypted already, and the file was not changed. */
  readonly encrypted: EncryptedSecret | null;
}

/**
 * Encrypts the plain value of `key` in the configuration file in use. Only the bytes of that value change. The file is
 * replaced in one step and keeps its mode. No backup is made, because it would hold the plain secret.
 *
 * Throws {@linkcode ConfigError} where the file is not valid; `UsageError` `secret_no_file`, `secret_not_in_file`,
 * `secret_is_reference`, `secret_not_by_itself`, `config_file_changed`, `config_file_unwritable`; and what finding the
 * file and {@linkcode encryptSecret} throw.
 */
export async function encryptInFile(key: SecretKey, options: LoadOptions): Promise<EncryptedInFile> {
  const file = await openFile(options);
  const given = givenIn(file, key, options);
  const secret = String(given.value);
  const about = { place: given.position.text, key };
  if (isEncrypted(secret)) return { path: file.path, encrypted: null };
  if (secret.startsWith("env:")) throw new UsageError("secret_is_reference", about);
  // Checked first, because encrypting may create the key file.
  const [start, end] = valueRange(file.text, key) ?? [];
  if (start === undefined) throw new UsageError("secret_not_by_itself", about);
  const encrypted = await encryptSecret(secret, options);
  const quote = /^["']/.exec(file.text.slice(start, end))?.[0] ?? "";
  const text = `${file.text.slice(0, start)}${quote}${encrypted.text}${quote}${file.text.slice(end)}`;
  if (!await isOnlyChange(file, text, secret, encrypted.text)) {
    throw new UsageError("secret_not_by_itself", about);
  }
  await write(file, text);
  return { path: file.path, encrypted };
}

/**
 * The `enc:v1:…` value of `key` in the configuration file in use, or in the variable that it refers to by `env:NAME`. Throws
 * the errors of {@linkcode encryptInFile}, and `UsageError` `secret_not_encrypted`.
 */
export async function secretInFile(key: SecretKey, options: LoadOptions): Promise<string> {
  const file = await openFile(options);
  const { resolved, problem } = resolveReference(givenIn(file, key, options), options.env);
  if (resolved === undefined) {
    throw configError(problem === undefined ? [] : [problem], languageIn(file, options));
  }
  const value = String(resolved.value);
  if (!isEncrypted(value)) {
    throw new UsageError("secret_not_encrypted", { place: resolved.position.text, key });
  }
  return value;
}

async function openFile(options: LoadOptions): Promise<FoundFile> {
  const file = await findFile({ ...options, os: options.os ?? OS }, []);
  if (file === null) throw new UsageError("secret_no_file");
  const { problems } = file.reading;
  if (problems.length > 0) throw configError(problems, languageIn(file, options));
  return file;
}

function givenIn(file: FoundFile, key: SecretKey, options: LoadOptions): GivenValue {
  const { reading, shown } = file;
  const given = reading.values.find((given) => keyPath(given) === key);
  if (given === undefined || given.value === null) {
    throw new UsageError("secret_not_in_file", { path: shown, key });
  }
  const problems = check(given);
  if (problems.length > 0) throw configError(problems, languageIn(file, options));
  return given;
}

/** The language to report the problems of a file in. */
function languageIn({ reading }: FoundFile, { env, os = OS }: LoadOptions): Language {
  return languageOf(reading.values, systemLanguage(env, os));
}

/** UTF-16 offsets of the value, quotes included. Undefined unless it is written in one line, without block or alias. */
function valueRange(text: string, key: SecretKey): [start: number, end: number] | undefined {
  const node = parseDocument(text, { uniqueKeys: false }).getIn(key.split("."), true);
  if (!isScalar(node) || !node.range || !/^(?:PLAIN|QUOTE_)/.test(node.type ?? "")) return undefined;
  const [start, end] = node.range;
  return /[\r\n]/.test(text.slice(start, end)) ? undefined : [start, end];
}

/** Whether `text` has the values of the file, except for the encrypted secret. */
async function isOnlyChange(file: FoundFile, text: string, before: string, after: string): Promise<boolean> {
  const format = /\.json$/i.test(file.path) ? "json" : "yaml";
  const { problems, values } = await parseConfig(text, file.shown, format);
  const pairs = (all: readonly GivenValue[]) => all.map((given) => [keyPath(given), given.value]);
  const secrets: readonly string[] = SECRET_KEYS;
  const was = pairs(values).map(([path, value]) => [
    path,
    secrets.includes(String(path)) && value === after ? before : value,
  ]);
  return problems.length === 0 && isDeepStrictEqual(was, pairs(file.reading.values));
}

async function write({ path, shown, bytes, text: before }: FoundFile, text: string): Promise<void> {
  const encoder = new TextEncoder();
  // The decoder removes a byte order mark.
  const mark = bytes.subarray(0, bytes.length - encoder.encode(before).length);
  try {
    await replaceUnchanged(path, bytes, Uint8Array.of(...mark, ...encoder.encode(text)));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = reasonOf(error);
    throw new UsageError("config_file_unwritable", { path: shown, reason }, { cause: error });
  }
}

/**
 * Replaces the file at `path` in one step, if it still holds `before`. The mode and the owner stay. A link to the file stays
 * a link. Throws `UsageError` `config_file_changed`, and the errors of the system.
 */
async function replaceUnchanged(path: string, before: Uint8Array, bytes: Uint8Array): Promise<void> {
  const real = await realNamed(path);
  // A rename would also replace a file that is write-protected: this throws for it.
  (await openNamed(real, "write")).close();
  await writeNamed(real, (file) => writeAll(file, bytes), {
    like: await statNamed(real),
    check: async () => {
      const now = await readNamed(real);
      const isSame = now.length === before.length && now.every((byte, at) => byte === before[at]);
      if (!isSame) throw new UsageError("config_file_changed", { path });
    },
  });
}
