import { UsageError } from "../../errors.ts";
import { PASSPHRASE } from "../_environment_names.ts";
import { configDir, type Environment, type OperatingSystem } from "../user_dirs.ts";
import { keyFilePath, readKeyFile, readOrCreateKeyFile } from "./key_file.ts";
import { type KeyOrigin, SIZE } from "./sealed.ts";

/** Where to find keys. */
export interface KeySource {
  readonly env: Environment;
  /** Default: the running system. */
  readonly os?: OperatingSystem;
}

/** An imported AES-256 key. */
export interface Key {
  readonly aes: CryptoKey;
  /** See `Sealed.fingerprint`. */
  readonly fingerprint: Uint8Array<ArrayBuffer>;
}

/** A key for a new value, with its origin. */
export interface EncryptionKey extends Key {
  readonly origin: KeyOrigin;
  /** Path of the key file; absent with a passphrase. */
  readonly path?: string;
  /** Whether this call created the key file. */
  readonly created: boolean;
}

/** The number of OWASP's cheat sheet on password storage for PBKDF2 with SHA-256. Takes 0.1 s. */
const ITERATIONS = 600_000;

/** The minimum of NIST SP 800-63B for secrets that people choose. */
const MIN_PASSPHRASE_CHARS = 8;

/**
 * The key for a new value: from the passphrase if it is set, otherwise from the key file, which is created if it is missing.
 * Throws `UsageError` `config_passphrase_short`, `config_key_folder_unknown`, and the errors of the key file.
 */
export async function keyToEncrypt({ env, os = Deno.build.os }: KeySource): Promise<EncryptionKey> {
  const passphrase = env[PASSPHRASE];
  if (passphrase) {
    if (Array.from(passphrase.trim()).length < MIN_PASSPHRASE_CHARS) {
      throw new UsageError("config_passphrase_short", { min: MIN_PASSPHRASE_CHARS });
    }
    const salt = crypto.getRandomValues(new Uint8Array(SIZE.salt));
    const origin = { kind: "passphrase", iterations: ITERATIONS, salt } as const;
    return { ...await keyOf(await deriveBytes(passphrase, salt, ITERATIONS)), origin, created: false };
  }
  const path = pathIn(env, os);
  const { bytes, created } = await readOrCreateKeyFile(path);
  return { ...await keyOf(bytes), origin: { kind: "file" }, path, created };
}

/**
 * The key for a value that was encrypted with a key of this origin. Throws `UsageError` `config_passphrase_missing`,
 * `config_key_folder_unknown`, and the errors of the key file.
 */
export async function keyToDecrypt(
  origin: KeyOrigin,
  { env, os = Deno.build.os }: KeySource,
): Promise<Key & { readonly path?: string }> {
  if (origin.kind === "file") {
    const path = pathIn(env, os);
    return { ...await keyOf(await readKeyFile(path)), path };
  }
  const passphrase = env[PASSPHRASE];
  if (!passphrase) throw new UsageError("config_passphrase_missing");
  return await keyOf(await deriveBytes(passphrase, origin.salt, origin.iterations));
}

function pathIn(env: Environment, os: OperatingSystem): string {
  const folder = configDir(env, os);
  if (folder === null) throw new UsageError("config_key_folder_unknown");
  return keyFilePath(folder);
}

async function deriveBytes(
  passphrase: string,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
): Promise<Uint8Array<ArrayBuffer>> {
  // Keyboards of different systems give `é` as one code point or as two.
  const typed = new TextEncoder().encode(passphrase.normalize("NFC"));
  const base = await crypto.subtle.importKey("raw", typed, "PBKDF2", false, ["deriveBits"]);
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations }, base, 256),
  );
}

async function keyOf(bytes: Uint8Array<ArrayBuffer>): Promise<Key> {
  const label = new TextEncoder().encode("muxue_rag key fingerprint\0");
  const hash = await crypto.subtle.digest("SHA-256", Uint8Array.of(...label, ...bytes));
  return {
    aes: await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]),
    fingerprint: new Uint8Array(hash).slice(0, SIZE.fingerprint),
  };
}
