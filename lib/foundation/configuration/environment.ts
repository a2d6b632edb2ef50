/**
 * Settings from environment variables, `MUXUE_RAG_<SECTION>_<KEY>`, and references `env:NAME` in the file.
 */
import {
  addressSecrets,
  type GivenValue,
  isAddressKey,
  isSecretKey,
  keyPath,
  type Problem,
} from "./given_value.ts";
import { type Environment, PREFIX, RESERVED, settingNames } from "./user_environment.ts";
import type { Phrase } from "#foundation/messages/mod.ts";
import { nearest } from "#foundation/edit_distance.ts";
import { fieldOf, SECTIONS } from "./schema.ts";
import { isEncrypted } from "./secrets.ts";

/** Greater than every position in a file, which is an offset. */
const FIRST_ORDER = 1e9;

/**
 * The values of the variables `MUXUE_RAG_<SECTION>_<KEY>`. Commas separate the items of a list, and semicolons the lists of
 * a list of lists (`k8s,kubernetes;电脑,计算机`). An empty variable counts as not set. A variable with our prefix and an
 * unknown name is a problem, because a misspelt setting would have no effect unnoticed.
 */
export function readEnvironment(env: Environment): { values: GivenValue[]; problems: Problem[] } {
  const keys = new Map<string, { section: string | undefined; key: string }>();
  keys.set(`${PREFIX}LANGUAGE`, { section: undefined, key: "language" });
  for (const [section, fields] of Object.entries(SECTIONS)) {
    for (const key of Object.keys(fields)) {
      keys.set(`${PREFIX}${section.replaceAll(".", "_")}_${key}`.toUpperCase(), { section, key });
    }
  }

  const values: GivenValue[] = [];
  const problems: Problem[] = [];
  for (const [at, name] of settingNames(env).entries()) {
    const text = env[name];
    if (text === undefined || text === "") continue;
    const position = { text: `env:${name}`, order: FIRST_ORDER + at };
    const target = keys.get(name);
    if (target !== undefined) {
      const value = typedValue(target.section, target.key, text);
      values.push({ ...target, value, position, origin: "environment" });
    } else {
      const known = [...keys.keys(), ...RESERVED].map((known) => known.slice(PREFIX.length));
      const suggestion = nearest(name.slice(PREFIX.length), known);
      problems.push({
        position,
        path: "",
        phrase: suggestion === undefined
          ? { key: "config_unknown_variable" }
          : { key: "config_unknown_variable_suggest", params: { suggestion: PREFIX + suggestion } },
      });
    }
  }
  return { values, problems };
}

/**
 * `text` as the first of these types that the key's schema accepts: text, number, boolean, list, list of lists. The text
 * itself where the schema accepts none of them.
 */
function typedValue(section: string | undefined, key: string, text: string): unknown {
  const readings: unknown[] = [text];
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text.trim())) readings.push(Number(text));
  if (/^(?:true|false)$/i.test(text.trim())) readings.push(text.trim().toLowerCase() === "true");
  readings.push(itemsOf(text, ","), itemsOf(text, ";").map((group) => itemsOf(group, ",")));
  const field = fieldOf(section, key);
  return readings.find((reading) => field?.safeParse(reading).success) ?? text;
}

function itemsOf(text: string, separator: string): string[] {
  return text.split(separator).map((part) => part.trim()).filter((part) => part !== "");
}

/** Keys whose text may be `env:NAME`. */
const REFERENCES = [
  "api_key",
  "base_url",
  "model",
  "dir",
  "hub_url",
  "mirror_url",
  "npm_registry",
  "url",
  "headers",
  "password",
];

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
