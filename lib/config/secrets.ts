import { addressSecrets, MASK, maskAddress } from "./_address.ts";
import type { Config } from "./schema.ts";

/** Whether the value of `key` is secret, in every section. */
export function isSecretKey(key: string): boolean {
  return key === "api_key";
}

/** Whether the value of `key` is a web address, which may contain secrets. */
export function isAddressKey(key: string): boolean {
  return ["base_url", "hub_url", "mirror_url", "npm_registry"].includes(key);
}

/** Whether a value looks like a secret. It is not shown then, even under another key. */
export function looksSecret(value: string): boolean {
  return /^(?:sk-|enc:|bearer\s|eyJ)/i.test(value.trim());
}

/** A copy of the configuration with every secret replaced by {@linkcode MASK}. */
export function maskSecrets(config: Config): Config {
  const copy: Record<string, unknown> = structuredClone(config);
  for (const section of Object.values(copy)) {
    if (!isRecord(section)) continue;
    for (const [key, value] of Object.entries(section)) {
      if (typeof value !== "string") continue;
      if (isSecretKey(key)) section[key] = MASK;
      else if (isAddressKey(key)) section[key] = maskAddress(value);
    }
  }
  return copy as Config;
}

/** The secrets in a configuration, which the log masks. */
export function secretValues(config: Config): string[] {
  const found: string[] = [];
  for (const section of Object.values(config)) {
    if (!isRecord(section)) continue;
    for (const [key, value] of Object.entries(section)) {
      if (typeof value !== "string") continue;
      if (isSecretKey(key)) found.push(value);
      else if (isAddressKey(key)) found.push(...addressSecrets(value));
    }
  }
  return found;
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
