/**
 * Configurations without the schema: the default one, that of a folder with the keys of its collection, and one printed as YAML.
 */
import { resolve } from "node:path";
import { DEFAULTS } from "./defaults.ts";
import type { Config, ConfigOverrides, OutsideRules } from "./schema.ts";
import { type Environment, stateDir, systemLanguage } from "./user_environment.ts";
import type { OperatingSystem } from "#foundation/runtime.ts";
import { isInside } from "#foundation/boundary/mod.ts";
import { maskSecrets } from "./given_value.ts";

/**
 * The configuration without a file and without environment variables: the defaults with the overrides of the command line,
 * which are valid already. It needs no schema, whose library takes as long to load as the rest of the command line.
 * `undefined` if the overrides have other keys than `language`, `search.top_k` and `search.mode`.
 */
export function defaultConfig(
  { language, search = {}, ...more }: ConfigOverrides,
  env: Environment,
  os: OperatingSystem,
): Config | undefined {
  const { "top_k": topK = DEFAULTS.search.top_k, mode = DEFAULTS.search.mode, ...moreOfSearch } = search;
  if ([more, moreOfSearch].some((left) => Object.values(left).some((value) => value !== undefined))) {
    return undefined;
  }
  return deepFreeze({
    ...structuredClone(DEFAULTS) as unknown as Config,
    language: language ?? systemLanguage(env, os),
    search: { ...DEFAULTS.search, "top_k": topK, mode },
    log: { ...DEFAULTS.log, dir: defaultLogDir(env, os) },
  });
}

/** The default folder of log files; null without a state folder. */
export function defaultLogDir(env: Environment, os: OperatingSystem): string | null {
  const state = stateDir(env, os);
  return state === null ? null : resolve(state, "logs");
}

/** Freezes a value and everything in it. */
export function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === "object" && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}

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
 * Name of the folder `root` in a database: that of its settings, or that of its collection; `undefined` without. The name of the folder
 * is not taken, because others who use the database may have a folder with that name, too.
 */
export function storedName(config: Config, root: string): string | undefined {
  return folderConfig(config, root).store.collection ?? collectionOf(config, root)?.name;
}

/** Returns two of the folders `roots` that have the same name in the same database; `undefined` if there are none. */
export function sharedName(
  config: Config,
  roots: readonly string[],
): { readonly name: string; readonly dirs: readonly [string, string] } | undefined {
  const known = new Map<string, string>();
  for (const root of new Set(roots)) {
    const name = storedName(config, root);
    const { schema } = folderConfig(config, root).store;
    for (const url of name === undefined ? [] : storeUrls(config, root)) {
      const place = JSON.stringify([url, schema, name]);
      const other = known.get(place);
      if (other !== undefined && other !== root) return { name: name!, dirs: [other, root] };
      known.set(place, root);
    }
  }
  return undefined;
}

/** The addresses of the databases that the folder `root` is kept in; none with the data folder. */
export function storeUrls(config: Config, root: string): string[] {
  const { provider, url, urls } = folderConfig(config, root).store;
  return provider === "folder" ? [] : urls.length > 0 ? [...urls] : [url].filter((each) => each !== null);
}

/** The addresses of the replicas of the database that the folder `root` is kept in. */
export function storeReaders(config: Config, root: string): readonly string[] {
  const { provider, readers } = folderConfig(config, root).store;
  return provider === "folder" ? [] : readers;
}

/**
 * The folders among `roots` that files may be added to through the web pages: those of collections that allow it. `by` says how the
 * configuration was found. One that lies in a working folder may be somebody else's and allows nothing, and clients with limits of access
 * change nothing.
 */
export function uploadFolders(
  { collections, mcp }: Pick<Config, "collections" | "mcp">,
  roots: readonly string[],
  by: "option" | "variable" | "cwd" | "user" | undefined,
): string[] {
  if (by === "cwd" || mcp.access !== null) return [];
  const allowed = Object.values(collections).filter(({ upload = false }) => upload).map(({ path }) => path);
  return roots.filter((root) => allowed.includes(root));
}

/**
 * The configuration for the folder `root`: where it is the folder of a collection, the keys that the collection sets replace
 * those of the sections `files`, `chunking` and `store`, and its `llm.tasks` narrows that of all folders. A smaller `max_chars` than
 * that of all folders also makes the overlap smaller, to at most a tenth. Outside of the folder of a configuration that nobody named, `files` is only tightened.
 */
export function folderConfig(config: Config, root: string): Config {
  const own = withCollection(config, root);
  const rules = rulesOutside(config, root);
  return rules === undefined ? own : { ...own, files: tightened(rules, own.files) };
}

/** Whether pictures of a folder, whose configuration this is, are described by a model. */
export function describesPictures(
  { llm, vision_llm: vision }: Pick<Config, "llm" | "vision_llm">,
): boolean {
  return vision.provider !== "none" && llm.tasks.includes("caption");
}

/** Whether picture files of a folder, whose configuration this is, are documents. */
export function readsPictures(config: Pick<Config, "files" | "llm" | "vision_llm">): boolean {
  return config.files.ocr !== "off" || describesPictures(config);
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
    ...(["include", "ignore_files", "max_file_mb", "generated", "archives", "ocr"] as const)
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
    archives: base.archives === "skip" ? "skip" : more.archives,
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
    store: { ...config.store, ...own.store } as Config["store"],
    llm: { ...config.llm, tasks: config.llm.tasks.filter((task) => own.llm.tasks?.includes(task) ?? true) },
  };
}

/**
 * The configuration as YAML with masked secrets. The YAML library is not used, because it takes 6 ms to load and the shape
 * is known.
 */
export function printConfig(config: Config): string {
  return linesOf(maskSecrets(config)).map((line) => `${line}\n`).join("");
}

function linesOf(section: object): string[] {
  return Object.entries(section).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.keys(value).length === 0
        ? [`${yaml(name)}: {}`]
        : [`${yaml(name)}:`, ...linesOf(value).map((line) => `  ${line}`)]
      : [`${yaml(name)}: ${yaml(value)}`]
  );
}

function yaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yaml).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value).map(([name, one]) => `${yaml(name)}: ${yaml(one)}`).join(", ")}}`;
  }
  if (typeof value !== "string") return String(value);
  const plain = /^[A-Za-z/][\w/.-]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value);
  // A JSON string is also a double-quoted string of YAML.
  return plain ? value : JSON.stringify(value);
}
