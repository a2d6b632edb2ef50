import { UsageError } from "../../errors.ts";
import { type KeySource, keyToDecrypt, keyToEncrypt } from "./keys.ts";
import { associatedData, formatSealed, isEncrypted, parseSealed, type Sealed, SIZE } from "./sealed.ts";

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
