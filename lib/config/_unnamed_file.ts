import { printable } from "../messages.ts";
import { type Entry, pathOf, type Phrase, type Problem } from "./_entry.ts";
import type { FoundFile } from "./_find_file.ts";
import { referenceOf } from "./_references.ts";
import { isLoopback } from "./_host.ts";
import { PASSPHRASE, PREFIX } from "./environment_names.ts";
import type { Config } from "./schema.ts";

/** Of the keys that may refer to a variable, those whose values a server gets. */
const SENT = ["api_key", "model"];

/** What is said of a file in effect that lies in the working folder and was not named. */
export interface Unnamed {
  /** For these it is refused. */
  readonly problems: readonly Problem[];
  /** For these it is warned of. */
  readonly remarks: readonly Phrase[];
}

/**
 * A folder that somebody else made (a project, a data set) may hold a configuration, and who starts the program there has
 * perhaps not looked. So a file that was only found there is refused where it would send texts to another machine, or what is
 * in the user's environment to an address of its own, or open sensitive folders; by a server on this machine and a log folder
 * it tells that it is there.
 *
 * @param winners the entries in effect, by path, references resolved
 */
export function unnamedFile(
  file: FoundFile,
  winners: ReadonlyMap<string, Entry>,
  config: Config,
): Unnamed {
  const sets = (path: string) => winners.get(path)?.origin === "file";
  const path = file.shown;
  const problems: Problem[] = [];
  const remarks: Phrase[] = [];
  for (const section of ["llm", "embedding"] as const) {
    const { provider, "base_url": url } = config[section];
    if (provider === "none" || provider === "builtin" || url === null) continue;
    const key = `${section}.base_url`;
    if (!sets(key) && !sets(`${section}.provider`)) continue;
    const { hostname, origin: address } = new URL(url);
    if (!isLoopback(hostname)) {
      const { place } = winners.get(sets(key) ? key : `${section}.provider`)!;
      problems.push({
        place,
        path: key,
        phrase: { key: "config_unnamed_remote", params: { path, address } },
      });
    } else remarks.push({ key: "config_unnamed_server", params: { path, key, address } });
    if (!sets(key)) continue;
    for (const entry of file.reading.entries) {
      const name = entry.section === section && sets(pathOf(entry)) ? lentBy(entry) : undefined;
      if (name === undefined) continue;
      const phrase = { key: "config_unnamed_secret", params: { path, name, address } } as const;
      problems.push({ place: entry.place, path: pathOf(entry), phrase });
    }
  }
  const { dir } = config.log;
  // one that is left empty is the user's
  if (sets("log.dir") && winners.get("log.dir")?.value !== null && dir !== null) {
    const params = { path, key: "log.dir", value: printable(dir) };
    remarks.push({ key: "config_unnamed_setting", params });
  }
  const sensitive = config.files.allow_sensitive || [];
  if (sets("files.allow_sensitive") && sensitive.length > 0) {
    const { place } = winners.get("files.allow_sensitive")!;
    const params = { path, value: printable(sensitive.join(", ")) };
    problems.push({
      place,
      path: "files.allow_sensitive",
      phrase: { key: "config_unnamed_sensitive", params },
    });
  }
  return { problems, remarks };
}

/** The variable that this entry sends to the server, where it was not set for this program. */
function lentBy({ key, value }: Entry): string | undefined {
  if (!SENT.includes(key) || typeof value !== "string") return undefined;
  const name = referenceOf(value);
  return name?.startsWith(PREFIX) && name !== PASSPHRASE ? undefined : name;
}
