/**
 * Functions that load their modules on the first call, because few runs need them.
 * @module
 */
import type { EncryptedInFile } from "./_secret_in_file.ts";
import type { SettingsElsewhere } from "./_settings_elsewhere.ts";
import type { SecretKey } from "./choices.ts";
import type { EncryptedSecret } from "./encryption/cipher.ts";
import type { KeySource } from "./encryption/keys.ts";
import type { LoadedConfig, LoadOptions } from "./types.ts";

/** The text of the commented default configuration, which `config init` writes. */
export async function defaultConfigText(): Promise<string> {
  // A runtime without text imports fails in `config init` alone.
  return (await import("../../config.yaml", { with: { type: "text" } })).default;
}

/** The secret as `enc:v1:…`. See `encryption/cipher.ts`, also for the errors. */
export async function encryptSecret(secret: string, source: KeySource): Promise<EncryptedSecret> {
  return await (await import("./encryption/cipher.ts")).encryptSecret(secret, source);
}

/** The secret in an `enc:v1:…` value. See `encryption/cipher.ts`, also for the errors. */
export async function decryptSecret(text: string, source: KeySource): Promise<string> {
  return await (await import("./encryption/cipher.ts")).decryptSecret(text, source);
}

/** Encrypts a plain secret in the configuration file. See `_secret_in_file.ts`, also for the errors. */
export async function encryptInFile(key: SecretKey, options: LoadOptions): Promise<EncryptedInFile> {
  return await (await import("./_secret_in_file.ts")).encryptInFile(key, options);
}

/** The `enc:v1:…` value of a key in the configuration file. See `_secret_in_file.ts`, also for the errors. */
export async function secretInFile(key: SecretKey, options: LoadOptions): Promise<string> {
  return await (await import("./_secret_in_file.ts")).secretInFile(key, options);
}

/** The settings that a process with another folder and environment needs. See `_settings_elsewhere.ts`. */
export async function settingsElsewhere(
  options: LoadOptions,
  loaded: Pick<LoadedConfig, "config" | "source">,
): Promise<SettingsElsewhere> {
  return await (await import("./_settings_elsewhere.ts")).settingsElsewhere(options, loaded);
}
