import { isInside } from "../sandbox/mod.ts";
import type { Config, OutsideRules } from "./schema.ts";

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
 * to at most a tenth. Outside of the folder of a configuration that nobody named, `files` is only tightened.
 */
export function folderConfig(config: Config, root: string): Config {
  const own = withCollection(config, root);
  const rules = rulesOutside(config, root);
  return rules === undefined ? own : { ...own, files: tightened(rules, own.files) };
}

/**
 * The keys of `files` that a configuration file sets but that do not hold for the folder `root`, because the file was not
 * named, the folder is outside of the file's, and the values would loosen which files are read.
 */
export function keysWithoutEffect(config: Config, root: string): string[] {
  const { outside } = config;
  const rules = rulesOutside(config, root);
  if (outside === undefined || rules === undefined) return [];
  const { files } = config;
  const effective = tightened(rules, files);
  const lost = new Set([
    ...(["include", "ignore_files", "max_file_mb", "generated", "ocr"] as const)
      .filter((key) => JSON.stringify(effective[key]) !== JSON.stringify(files[key])),
    ...(files.exclude.some((pattern) => !effective.exclude.includes(pattern)) ? ["exclude"] : []),
  ]);
  return outside.sets.filter((key) => lost.has(key)).map((key) => `files.${key}`);
}

/** The rules of the folder `root` without the configuration that nobody named, where it is outside of that one's folder. */
function rulesOutside({ outside, ...config }: Config, root: string): OutsideRules["files"] | undefined {
  if (outside === undefined || isInside(root, outside.dir)) return undefined;
  return withCollection({ ...config, ...outside }, root).files;
}

/** The rules `base`, and those of `more` that let no other files through. */
function tightened(base: Config["files"], more: Config["files"]): Config["files"] {
  return {
    ...more,
    // Two lists of which a file must match both cannot be written as one.
    include: base.include.length === 0 ? more.include : base.include,
    // A pattern with `!` takes back an exclusion.
    exclude: [...new Set([...base.exclude, ...more.exclude.filter((pattern) => !pattern.startsWith("!"))])],
    ignore_files: base.ignore_files || more.ignore_files,
    max_file_mb: Math.min(base.max_file_mb, more.max_file_mb),
    generated: base.generated === "skip" ? "skip" : more.generated,
    ocr: base.ocr === "off" ? "off" : more.ocr,
  };
}

function withCollection(config: Config, root: string): Config {
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
