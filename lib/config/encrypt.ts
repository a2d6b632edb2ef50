import type { SecretKey } from "./choices.ts";
import type { EncryptedInFile } from "./_secret_in_file.ts";
import type { EncryptedSecret } from "./encryption/cipher.ts";
import type { KeySource } from "./encryption/keys.ts";
import type { LoadOptions } from "./types.ts";

export type { EncryptedInFile, EncryptedSecret, KeySource };

// Loaded only when called: few runs have anything to encrypt or decrypt.

/** A secret as `enc:v1:…`. See `encryption/cipher.ts`, also for the errors. */
export async function encryptSecret(secret: string, source: KeySource): Promise<EncryptedSecret> {
  return await (await import("./encryption/cipher.ts")).encryptSecret(secret, source);
}

/** The secret in an `enc:v1:…` value. See `encryption/cipher.ts`, also for the errors. */
export async function decryptSecret(text: string, source: KeySource): Promise<string> {
  return await (await import("./encryption/cipher.ts")).decryptSecret(text, source);
}

/** Encrypts a plain secret where it stands in the configuration file. See `_secret_in_file.ts`, also for the errors. */
export async function encryptInFile(key: SecretKey, options: LoadOptions): Promise<EncryptedInFile> {
  return await (await import("./_secret_in_file.ts")).encryptInFile(key, options);
}

/** The `enc:v1:…` value of a key in the configuration file. See `_secret_in_file.ts`, also for the errors. */
export async function secretInFile(key: SecretKey, options: LoadOptions): Promise<string> {
  return await (await import("./_secret_in_file.ts")).secretInFile(key, options);
}
