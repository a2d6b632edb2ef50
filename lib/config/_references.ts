import { addressSecrets } from "./_address.ts";
import { type GivenValue, keyPath, type Phrase, type Problem } from "./_given_value.ts";
import { isEncrypted } from "./encryption/sealed.ts";
import { isAddressKey, isSecretKey } from "./secrets.ts";
import type { Environment } from "./user_dirs.ts";

/** Keys whose text may be `env:NAME`. */
const REFERENCES = ["api_key", "base_url", "model", "dir", "hub_url", "mirror_url", "npm_registry"];

/** The name of the variable in `env:NAME`, and `undefined` for any other text. */
export function referenceOf(value: string): string | undefined {
  return /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1];
}

/**
 * Replaces `env:NAME` by the variable's value, in keys that may hold a reference. Gives a problem where that is not
 * possible, and a warning for a secret in plain text. Encrypted secrets are not decrypted.
 */
export function resolveReference(
  given: GivenValue,
  env: Environment,
): { resolved?: GivenValue; problem?: Problem; warning?: Problem } {
  const { key, value, position } = given;
  const about = (phrase: Phrase): Problem => ({ position, path: keyPath(given), phrase });
  if (typeof value !== "string" || !REFERENCES.includes(key)) return { resolved: given };
  let text = value;
  if (value.startsWith("env:")) {
    const name = referenceOf(value);
    if (name === undefined) return { problem: about({ key: "config_variable_malformed" }) };
    text = env[name] ?? "";
    if (text === "") return { problem: about({ key: "config_variable_missing", params: { name } }) };
  }
  if (isEncrypted(text)) {
    return isSecretKey(key)
      ? { resolved: { ...given, value: text } }
      : { problem: about({ key: "config_encrypted_elsewhere" }) };
  }
  // A plain secret in the environment needs no warning: the messages advise to put it there.
  if (text !== value || given.origin !== "file") return { resolved: { ...given, value: text } };
  const params = { place: position.text, key: keyPath(given) };
  if (isSecretKey(key)) {
    return { resolved: given, warning: about({ key: "config_plain_secret", params }) };
  }
  return isAddressKey(key) && addressSecrets(value).length > 0
    ? { resolved: given, warning: about({ key: "config_plain_address", params }) }
    : { resolved: given };
}
