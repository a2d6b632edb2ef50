import type { Config } from "./schema.ts";

/** A collection of the configuration. */
export interface NamedFolder {
  readonly name: string;
  readonly description?: string;
}

/** The collection whose folder is `root`. Both paths are compared as they are: real paths, where links matter. */
export function collectionOf(
  { collections }: Pick<Config, "collections">,
  root: string,
): NamedFolder | undefined {
  for (const [name, { path, description }] of Object.entries(collections)) {
    if (path === root) return { name, ...(description !== undefined && { description }) };
  }
  return undefined;
}

/**
 * The configuration for the folder `root`: where it is the folder of a collection, the keys that the collection sets replace
 * those of the sections `files` and `chunking`. A smaller `max_chars` than that of all folders also makes the overlap smaller,
 * to at most a tenth.
 */
export function folderConfig(config: Config, root: string): Config {
  const own = Object.values(config.collections).find(({ path }) => path === root);
  if (own === undefined) return config;
  const { max_chars: maxChars } = own.chunking;
  const overlap = maxChars === undefined
    ? config.chunking.overlap
    : Math.min(config.chunking.overlap, Math.floor(maxChars / 10));
  return {
    ...config,
    files: { ...config.files, ...own.files } as Config["files"],
    chunking: { ...config.chunking, overlap, ...own.chunking } as Config["chunking"],
  };
}
