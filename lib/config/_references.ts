import { addressSecrets } from "./_address.ts";
import { type Entry, pathOf, type Phrase, type Problem } from "./_entry.ts";
import { isAddressKey, isSecretKey } from "./secrets.ts";
import type { Environment } from "./user_dirs.ts";

/** Keys whose text may be `env:NAME`. */
const REFERENCES = ["api_key", "base_url", "model", "dir"];

/** An entry with `env:NAME` replaced by that variable's value, or what is wrong with it; a warning for a plain secret. */
export function resolveReference(
  entry: Entry,
  env: Environment,
): { entry?: Entry; problem?: Problem; warning?: Problem } {
  const { key, value, place } = entry;
  const about = (phrase: Phrase): Problem => ({ place, path: pathOf(entry), phrase });
  if (typeof value !== "string" || !REFERENCES.includes(key)) return { entry };
  if (value.startsWith("env:")) {
    const name = value.slice("env:".length);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      return { problem: about({ key: "config_variable_malformed" }) };
    }
    const resolved = env[name];
    return resolved === undefined || resolved === ""
      ? { problem: about({ key: "config_variable_missing", params: { name } }) }
      : { entry: { ...entry, value: resolved } };
  }
  const secret = isSecretKey(key) || (isAddressKey(key) && addressSecrets(value).length > 0);
  if (!secret) return { entry };
  if (value.startsWith("enc:")) return { problem: about({ key: "config_encrypted" }) };
  // A secret in the environment is where we ask people to put it.
  return entry.origin === "file"
    ? {
      entry,
      warning: about({ key: "config_plain_secret", params: { place: place.text, key: pathOf(entry) } }),
    }
    : { entry };
}
