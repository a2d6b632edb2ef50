/**
 * Encrypted secrets of a configuration, `enc:v1:…`: encrypting and decrypting by AES-GCM, the keys (from the key file or from a
 * passphrase), and the format.
 */
import { UsageError } from "#foundation/errors.ts";
import { configDir, type Environment, PASSPHRASE } from "./user_environment.ts";
import { type OperatingSystem, OS } from "#foundation/runtime.ts";
import { keyFilePath, readKeyFile, readOrCreateKeyFile } from "./key_file.ts";

/** An encrypted secret. */
export interface EncryptedSecret {
  /** `enc:v1:…` */
  readonly text: string;
  /** Path of the key file; absent with a passphrase. */
  readonly keyFile?: string;
  /** Whether this call created the key file. */
  readonly keyFileCreated: boolean;
}

/** Bytes of UTF-8. API keys have tens of characters, tokens up to a few thousand. */
const MAX_SECRET_BYTES = 8192;

/**
 * Encrypts a secret with AES-256-GCM (WebCrypto) and a new nonce. Surrounding spaces, which come from copying, are removed.
 * The key is derived from `MUXUE_RAG_PASSPHRASE` if it is set (PBKDF2-SHA-256). Otherwise it is read from `secret.key` in
 * the user's configuration folder, which the first use creates. The result reveals the length of the secret in bytes.
 *
 * Throws `UsageError` `secret_empty`, `secret_encrypted_already`, `secret_not_one_line`, `secret_too_long`, and the errors
 * of {@linkcode keyToEncrypt}.
 */
export async function encryptSecret(secret: string, source: KeySource): Promise<EncryptedSecret> {
  const plain = new TextEncoder().encode(checked(secret));
  const { aes, fingerprint, origin, path, created } = await keyToEncrypt(source);
  const nonce = crypto.getRandomValues(new Uint8Array(SIZE.nonce));
  const algorithm = { name: "AES-GCM", iv: nonce, additionalData: associatedData({ origin, fingerprint }) };
  const ciphertext = new Uint8Array(await crypto.subtle.encrypt(algorithm, aes, plain));
  return {
    text: formatSealed({ origin, fingerprint, nonce, ciphertext }),
    ...(path === undefined ? {} : { keyFile: path }),
    keyFileCreated: created,
  };
}

/**
 * The secret in an `enc:v1:…` value. Throws `UsageError` without any part of the value: `config_secret_version`,
 * `config_secret_malformed`, `config_secret_iterations`, `config_secret_other_key_file`,
 * `config_secret_other_passphrase`, `config_secret_changed`, and the errors of {@linkcode keyToDecrypt}.
 */
export async function decryptSecret(text: string, source: KeySource): Promise<string> {
  const sealed = parseSealed(text);
  const { aes, fingerprint, path } = await keyToDecrypt(sealed.origin, source);
  if (fingerprint.some((byte, at) => byte !== sealed.fingerprint[at])) {
    throw path === undefined
      ? new UsageError("config_secret_other_passphrase")
      : new UsageError("config_secret_other_key_file", { path });
  }
  const secret = new TextDecoder().decode(await decryptBytes(sealed, aes));
  if (secret.trim() === "") throw new UsageError("config_secret_malformed");
  return secret;
}

async function decryptBytes(sealed: Sealed, aes: CryptoKey): Promise<ArrayBuffer> {
  const algorithm = { name: "AES-GCM", iv: sealed.nonce, additionalData: associatedData(sealed) };
  try {
    return await crypto.subtle.decrypt(algorithm, aes, sealed.ciphertext);
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== "OperationError") throw error;
    throw new UsageError("config_secret_changed");
  }
}

/** The trimmed secret. It goes into an HTTP header, so it must be one line without control characters. */
function checked(secret: string): string {
  const trimmed = secret.trim();
  if (trimmed === "") throw new UsageError("secret_empty");
  if (isEncrypted(trimmed)) throw new UsageError("secret_encrypted_already");
  if (/\p{Cc}|\u2028|\u2029/u.test(trimmed) || !trimmed.isWellFormed()) {
    throw new UsageError("secret_not_one_line");
  }
  if (new TextEncoder().encode(trimmed).length > MAX_SECRET_BYTES) {
    throw new UsageError("secret_too_long", { limit: MAX_SECRET_BYTES });
  }
  return trimmed;
}

/** Where to find keys. */
export interface KeySource {
  readonly env: Environment;
  /** Default: the running system. */
  readonly os?: OperatingSystem;
}

/** An imported AES-256 key. */
interface Key extends Pick<Sealed, "fingerprint"> {
  readonly aes: CryptoKey;
  /** Path of the key file; absent with a passphrase. */
  readonly path?: string;
}

/** The number of OWASP's cheat sheet on password storage for PBKDF2 with SHA-256. Takes 0.1 s. */
const ITERATIONS = 600_000;

/** The minimum of NIST SP 800-63B for secrets that people choose. */
const MIN_PASSPHRASE_CHARS = 8;

/**
 * The key for a new value: from the passphrase if it is set, otherwise from the key file, which is created if it is missing.
 * Throws `UsageError` `config_passphrase_short`, `config_key_folder_unknown`, and the errors of the key file.
 */
async function keyToEncrypt(
  { env, os = OS }: KeySource,
): Promise<Key & { readonly origin: KeyOrigin; readonly created: boolean }> {
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
async function keyToDecrypt(origin: KeyOrigin, { env, os = OS }: KeySource): Promise<Key> {
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

/** The origin of a key: a file of random bytes, or a passphrase. */
type KeyOrigin =
  | { readonly kind: "file" }
  | { readonly kind: "passphrase"; readonly iterations: number; readonly salt: Uint8Array<ArrayBuffer> };

/** The parts of an `enc:v1:…` value. */
interface Sealed {
  readonly origin: KeyOrigin;
  /** Identifies the key, so that a wrong key is not reported as a damaged value. */
  readonly fingerprint: Uint8Array<ArrayBuffer>;
  readonly nonce: Uint8Array<ArrayBuffer>;
  /** Ends with the tag of 16 bytes. */
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

/** Sizes of the parts, in bytes. */
const SIZE = { salt: 16, fingerprint: 4, nonce: 12, tag: 16 } as const;

/** The most iterations that are accepted: seconds of work. A value with more is an attempt to keep the machine busy. */
const MAX_ITERATIONS = 10_000_000;

const PREFIX = "enc:v1:";

const KIND = { file: 1, passphrase: 2 } as const;

/** Whether a value claims to be encrypted, in any version. */
export function isEncrypted(value: string): boolean {
  return /^\s*enc:/i.test(value);
}

/**
 * Formats a value: `enc:v1:` and, in base64url without padding, these fields with their lengths in bytes:
 *
 *     key file:    kind = 1, 1                                        | fingerprint, 4 | nonce, 12 | ciphertext | tag, 16
 *     passphrase:  kind = 2, 1 | iterations (big-endian), 4 | salt, 16 | fingerprint, 4 | nonce, 12 | ciphertext | tag, 16
 */
function formatSealed(sealed: Sealed): string {
  const bytes = Uint8Array.of(...headerOf(sealed), ...sealed.nonce, ...sealed.ciphertext);
  return PREFIX + bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/**
 * Parses a value of {@linkcode formatSealed}. Throws `UsageError` `config_secret_version`, `config_secret_malformed` and
 * `config_secret_iterations`.
 */
export function parseSealed(text: string): Sealed {
  const value = text.trim();
  if (!value.startsWith(PREFIX)) throw new UsageError("config_secret_version");
  const bytes = decoded(value.slice(PREFIX.length));
  let at = 0;
  const take = (count: number) => {
    if (bytes.length < at + count) throw new UsageError("config_secret_malformed");
    return bytes.slice(at, at += count);
  };
  const kind = take(1)[0];
  if (kind !== KIND.file && kind !== KIND.passphrase) throw new UsageError("config_secret_malformed");
  let origin: KeyOrigin = { kind: "file" };
  if (kind === KIND.passphrase) {
    const iterations = new DataView(take(4).buffer).getUint32(0);
    if (iterations === 0 || iterations > MAX_ITERATIONS) {
      throw new UsageError("config_secret_iterations", { count: iterations, limit: MAX_ITERATIONS });
    }
    origin = { kind: "passphrase", iterations, salt: take(SIZE.salt) };
  }
  const fingerprint = take(SIZE.fingerprint);
  const nonce = take(SIZE.nonce);
  // An empty secret is never encrypted.
  if (bytes.length - at <= SIZE.tag) throw new UsageError("config_secret_malformed");
  return { origin, fingerprint, nonce, ciphertext: bytes.slice(at) };
}

/**
 * The associated data that the tag authenticates: version, kind of key and the parameters of the key. The name of the
 * configuration key is not part of it, so that a value can be moved to another key.
 */
function associatedData(sealed: Pick<Sealed, "origin" | "fingerprint">): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(...new TextEncoder().encode(PREFIX), ...headerOf(sealed));
}

function headerOf({ origin, fingerprint }: Pick<Sealed, "origin" | "fingerprint">): Uint8Array<ArrayBuffer> {
  if (origin.kind === "file") return Uint8Array.of(KIND.file, ...fingerprint);
  const iterations = new Uint8Array(4);
  new DataView(iterations.buffer).setUint32(0, origin.iterations);
  return Uint8Array.of(KIND.passphrase, ...iterations, ...origin.salt, ...fingerprint);
}

function decoded(text: string): Uint8Array<ArrayBuffer> {
  const options = { alphabet: "base64url", omitPadding: true } as const;
  try {
    const bytes = Uint8Array.fromBase64(text, options);
    // The decoder ignores spaces and unused bits of the last letter. Only the canonical form is accepted.
    if (bytes.toBase64(options) === text) return bytes;
  } catch {
    // Reported below.
  }
  throw new UsageError("config_secret_malformed");
}
