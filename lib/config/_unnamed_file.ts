import { printable } from "../messages.ts";
import { maskAddress } from "./_address.ts";
import { DEFAULTS } from "./_defaults.ts";
import { PASSPHRASE, PREFIX } from "./_environment_names.ts";
import type { FoundFile } from "./_find_file.ts";
import { type GivenValue, keyPath, type Phrase, type Problem } from "./_given_value.ts";
import { referenceOf } from "./_references.ts";
import { isLoopback } from "./host.ts";
import type { Config } from "./schema.ts";

/** Keys that may refer to a variable and whose values are sent to the server. */
const SENT = ["api_key", "model"];

/** Values of `embedding.provider` and `rerank.provider` that send texts to a server. */
const WITH_SERVER: readonly string[] = ["openai-compatible", "azure", "llm", "remote"];

/** Findings on a configuration file in the working folder that was not named. */
export interface Unnamed {
  /** Reasons to refuse the file. */
  readonly problems: readonly Problem[];
  /** Warnings. */
  readonly remarks: readonly Phrase[];
}

/**
 * Checks a configuration file that was found in the working folder and not named. The folder may be somebody else's project
 * or data set, and the user may not have looked at the file. So the file is refused if it would send texts to another
 * machine, send a value of the user's environment to an address in the file, or open sensitive folders. For a server on
 * this machine, for a log folder, for a model and for a source of models it gets a warning.
 *
 * @param winners the values in effect by path, references resolved
 */
export function unnamedFile(
  file: FoundFile,
  winners: ReadonlyMap<string, GivenValue>,
  config: Config,
): Unnamed {
  const sets = (path: string) => winners.get(path)?.origin === "file";
  const path = file.shown;
  const problems: Problem[] = [];
  const remarks: Phrase[] = [];

  for (const section of ["embedding", "rerank"] as const) {
    const { provider, "base_url": url } = config[section];
    const key = `${section}.base_url`;
    const isServer = WITH_SERVER.includes(provider) && url !== null;
    if (!isServer || !(sets(key) || sets(`${section}.provider`))) continue;
    const { hostname, origin: address } = new URL(url);
    if (isLoopback(hostname)) {
      remarks.push({ key: "config_unnamed_server", params: { path, key, address } });
    } else {
      const { position } = winners.get(sets(key) ? key : `${section}.provider`)!;
      const phrase = { key: "config_unnamed_remote", params: { path, address } } as const;
      problems.push({ position, path: key, phrase });
    }
    for (const given of sets(key) ? file.reading.values : []) {
      const name = given.section === section && sets(keyPath(given)) ? lentBy(given) : undefined;
      if (name === undefined) continue;
      const phrase = { key: "config_unnamed_secret", params: { path, name, address } } as const;
      problems.push({ position: given.position, path: keyPath(given), phrase });
    }
  }

  const { dir } = config.log;
  // An empty `log.dir` is the default folder.
  if (sets("log.dir") && winners.get("log.dir")?.value !== null && dir !== null) {
    const params = { path, key: "log.dir", value: printable(dir) };
    remarks.push({ key: "config_unnamed_setting", params });
  }
  const { embedding: { local: { zh, en } }, rerank } = config;
  const models = { "embedding.local.zh": zh, "embedding.local.en": en, rerank };
  for (const [section, { path: model }] of Object.entries(models)) {
    const key = `${section}.path`;
    if (!sets(key) || model === null) continue;
    remarks.push({ key: "config_unnamed_setting", params: { path, key, value: printable(model) } });
  }
  for (const source of ["hub_url", "mirror_url", "npm_registry"] as const) {
    const key = `models.${source}`;
    const address = config.models[source];
    if (!sets(key) || address === null || address === DEFAULTS.models[source]) continue;
    remarks.push({
      key: "config_unnamed_setting",
      params: { path, key, value: printable(maskAddress(address)) },
    });
  }
  const sensitive = config.files.allow_sensitive || [];
  if (sets("files.allow_sensitive") && sensitive.length > 0) {
    const { position } = winners.get("files.allow_sensitive")!;
    const params = { path, value: printable(sensitive.join(", ")) };
    const phrase = { key: "config_unnamed_sensitive", params } as const;
    problems.push({ position, path: "files.allow_sensitive", phrase });
  }
  return { problems, remarks };
}

/** Name of the variable whose value this key sends to the server, unless the variable is one of this program's. */
function lentBy({ key, value }: GivenValue): string | undefined {
  if (!SENT.includes(key) || typeof value !== "string") return undefined;
  const name = referenceOf(value);
  return name?.startsWith(PREFIX) && name !== PASSPHRASE ? undefined : name;
}
