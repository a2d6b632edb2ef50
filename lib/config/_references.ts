import { addressSecrets } from "./_address.ts";
import { type Entry, pathOf, type Phrase, type Problem } from "./_entry.ts";
import { isEncrypted } from "./encryption/sealed.ts";
import { isAddressKey, isSecretKey } from "./secrets.ts";
import type { Environment } from "./user_dirs.ts";

/** Keys whose text may be `env:NAME`. */
const REFERENCES = ["api_key", "base_url", "model", "dir"];

/** The variable that `env:NAME` refers to; `undefined` for another value. */
export function referenceOf(value: string): string | undefined {
  return /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1];
}

/**
 * An entry with `env:NAME` replaced by that variable's value, or what is wrong with it; a warning for a plain secret.
 * Encrypted secrets are left as they are.
 */
export function resolveReference(
  entry: Entry,
  env: Environment,
): { entry?: Entry; problem?: Problem; warning?: Problem } {
  const { key, value, place } = entry;
  const about = (phrase: Phrase): Problem => ({ place, path: pathOf(entry), phrase });
  if (typeof value !== "string" || !REFERENCES.includes(key)) return { entry };
  let resolved = value;
  if (value.startsWith("env:")) {
    const name = referenceOf(value);
    if (name === undefined) return { problem: about({ key: "config_variable_malformed" }) };
    resolved = env[name] ?? "";
    if (resolved === "") return { problem: about({ key: "config_variable_missing", params: { name } }) };
  }
  if (isEncrypted(resolved)) {
    return isSecretKey(key)
      ? { entry: { ...entry, value: resolved } }
      : { problem: about({ key: "config_encrypted_elsewhere" }) };
  }
  // A secret in the environment is where we ask people to put it.
  if (resolved !== value || entry.origin !== "file") return { entry: { ...entry, value: resolved } };
  const params = { place: place.text, key: pathOf(entry) };
  if (isSecretKey(key)) return { entry, warning: about({ key: "config_plain_secret", params }) };
  return isAddressKey(key) && addressSecrets(value).length > 0
    ? { entry, warning: about({ key: "config_plain_address", params }) }
    : { entry };
}
