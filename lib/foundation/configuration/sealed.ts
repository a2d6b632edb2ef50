import { UsageError } from "#foundation/errors.ts";

/** The origin of a key: a file of random bytes, or a passphrase. */
export type KeyOrigin =
  | { readonly kind: "file" }
  | { readonly kind: "passphrase"; readonly iterations: number; readonly salt: Uint8Array<ArrayBuffer> };

/** The parts of an `enc:v1:…` value. */
export interface Sealed {
  readonly origin: KeyOrigin;
  /** Identifies the key, so that a wrong key is not reported as a damaged value. */
  readonly fingerprint: Uint8Array<ArrayBuffer>;
  readonly nonce: Uint8Array<ArrayBuffer>;
  /** Ends with the tag of 16 bytes. */
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

/** Sizes of the parts, in bytes. */
export const SIZE = { salt: 16, fingerprint: 4, nonce: 12, tag: 16 } as const;

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
export function formatSealed(sealed: Sealed): string {
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
export function associatedData(sealed: Pick<Sealed, "origin" | "fingerprint">): Uint8Array<ArrayBuffer> {
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
