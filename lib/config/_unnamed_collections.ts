import { dirname } from "node:path";
import { printable } from "../messages.ts";
import { isInside, realPlaceNamed } from "../sandbox/mod.ts";
import { COLLECTIONS } from "./_collection_fields.ts";
import type { FoundFile } from "./_find_file.ts";
import type { GivenValue } from "./_given_value.ts";
import type { Unnamed } from "./_unnamed_file.ts";
import type { Config } from "./schema.ts";

/**
 * Checks the collections of a configuration file that was found in the working folder and not named. The user has named none
 * of their folders, so only folders inside that of the file are accepted, links followed, and a warning names them.
 */
export async function unnamedCollections(
  { path: file, shown: path }: Pick<FoundFile, "path" | "shown">,
  winners: ReadonlyMap<string, GivenValue>,
  { collections }: Pick<Config, "collections">,
): Promise<Unnamed> {
  const names = Object.keys(collections);
  if (names.length === 0) return { problems: [], remarks: [] };
  const own = await realPlaceNamed(dirname(file));
  const problems = [];
  for (const [name, { path: folder }] of Object.entries(collections)) {
    if (isInside(await realPlaceNamed(folder), own)) continue;
    const key = `${COLLECTIONS}.${name}.path`;
    const phrase = { key: "config_unnamed_collection", params: { path, value: printable(folder) } } as const;
    problems.push({ position: winners.get(key)!.position, path: key, phrase });
  }
  const value = printable(names.join(", "));
  return {
    problems,
    remarks: [{ key: "config_unnamed_setting", params: { path, key: COLLECTIONS, value } }],
  };
}
