import type { Config, LoadedConfig } from "../config/mod.ts";
import { UsageError } from "../errors.ts";
import { isInside, realPlaceNamed } from "../sandbox/mod.ts";

/**
 * The configuration with the real paths of the folders of its collections, since folders are compared by their real paths,
 * and with its {@linkcode LoadedConfig.outside}.
 * Throws `UsageError` `cli_collection_same_folder` where links make two collections the same folder.
 */
export async function withRealCollections<C extends LoadedConfig>(configured: C): Promise<C> {
  const loaded = await withRealOutside(configured);
  const { collections } = loaded.config;
  const given = Object.entries(collections);
  if (given.length === 0) return loaded;
  const real: [string, Config["collections"][string]][] = [];
  for (const [name, collection] of given) {
    const path = await realPlaceNamed(collection.path);
    const same = real.find(([, other]) => isInside(path, other.path) && isInside(other.path, path));
    if (same !== undefined) {
      throw new UsageError("cli_collection_same_folder", { name, other: same[0], path });
    }
    real.push([name, { ...collection, path }]);
  }
  return { ...loaded, config: { ...loaded.config, collections: Object.fromEntries(real) } };
}

/** The configuration with the rules that hold outside of the folder of a file that was not named, their paths real. */
async function withRealOutside<C extends LoadedConfig>(loaded: C): Promise<C> {
  const { outside } = loaded;
  if (outside === undefined) return loaded;
  const collections: Record<string, Config["collections"][string]> = {};
  for (const [name, collection] of Object.entries(outside.collections)) {
    collections[name] = { ...collection, path: await realPlaceNamed(collection.path) };
  }
  return { ...loaded, config: { ...loaded.config, outside: { ...outside, collections } } };
}

/** The folder of the collection `name`. */
export function collectionFolder(
  { collections }: Pick<Config, "collections">,
  name: string,
): string | undefined {
  return Object.hasOwn(collections, name) ? collections[name]!.path : undefined;
}
