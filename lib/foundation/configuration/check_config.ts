/**
 * Checking a configuration: values in order of precedence, references, secrets, collections, and what a file may not set that was
 * only found in the working folder.
 */
import { dirname, relative, resolve } from "node:path";
import { UsageError } from "#foundation/errors.ts";
import { type Language, message, type Phrase, phraseText, printable } from "#foundation/messages/mod.ts";
import { expandHome, isInside, realPlaceNamed, toPortable } from "#foundation/boundary/mod.ts";
import { deepFreeze, defaultLogDir } from "./config.ts";
import {
  COLLECTIONS,
  collectionSection,
  type Config,
  type ConfigOverrides,
  ConfigSchema,
  type CrossProblem,
  crossProblems,
  expectationOf,
  fieldOf,
  itemExpectationOf,
  MAX_COLLECTIONS,
  type OutsideRules,
} from "./schema.ts";
import { readEnvironment, referenceOf, resolveReference } from "./environment.ts";
import {
  ConfigError,
  findUserFile,
  type FoundFile,
  type LoadedConfig,
  type LoadOptions,
} from "./find_file.ts";
import {
  type GivenValue,
  isSecretKey,
  keyPath,
  languageOf,
  maskAddress,
  mismatch,
  type Problem,
} from "./given_value.ts";
import { decryptSecret, isEncrypted } from "./secrets.ts";
import { homeFolder, isLoopbackHost, PASSPHRASE, PREFIX, systemLanguage } from "./user_environment.ts";
import type { NamedCollection } from "./parse.ts";
import { DEFAULTS, serverAddress } from "./defaults.ts";
import { OS } from "#foundation/runtime.ts";

/** Greater than every position in a file and every environment variable's number. */
const FLAG_ORDER = 2e9;

/**
 * The configuration that the file, the environment and the command line give together, see {@linkcode loadConfig}.
 *
 * @param found the configuration file, if there is one
 * @param remarks warnings about where configuration files lie
 */
export async function checkConfig(
  options: LoadOptions,
  found: FoundFile | null,
  remarks: readonly Phrase[],
): Promise<LoadedConfig> {
  const { env, cwd } = options;
  const os = options.os ?? OS;
  const environment = readEnvironment(env);
  const given = [...(found?.reading.values ?? []), ...environment.values, ...flagValues(options.flags)];
  const language = languageOf(given, systemLanguage(env, os));
  const problems = [...(found?.reading.problems ?? []), ...environment.problems];
  const warnings = [
    ...remarks.map((remark) => phraseText(language, remark)),
    ...(found?.reading.warnings ?? []).map((each) => problemLine(language, each)),
  ];

  // Later values win, in the order of precedence. Values that lose are checked as well, but not decrypted.
  const values: Record<string, unknown> = {};
  const winners = new Map<string, GivenValue>();
  const bad = new Set<string>();
  for (const raw of given) {
    const { resolved, problem, warning } = resolveReference(raw, env);
    if (warning !== undefined) warnings.push(phraseText(language, warning.phrase));
    const wrong = problem !== undefined ? [problem] : resolved === undefined ? [] : check(resolved);
    problems.push(...wrong);
    if (wrong.length > 0 || resolved === undefined) bad.add(keyPath(raw));
    else {
      winners.set(keyPath(resolved), resolved);
      const base = resolved.origin === "file" && found !== null ? dirname(found.path) : cwd;
      put(values, resolved, absolutePaths(resolved, base, homeFolder(env, os)));
    }
  }

  for (const winner of winners.values()) {
    if (!isEncryptedSecret(winner)) continue;
    try {
      put(values, winner, await decryptSecret(String(winner.value), { env, os }));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const phrase = { key: error.key, params: error.params };
      problems.push({ position: winner.position, path: keyPath(winner), phrase });
    }
  }

  const collections = checkCollections(found?.reading.collections ?? [], values, { winners, bad });
  problems.push(...collections.problems);
  warnings.push(...collections.remarks.map((remark) => phraseText(language, remark)));
  if (problems.length > 0) withoutIncomplete(values);

  // Each value has been checked, so that this does not fail.
  const config = { ...structuredClone(ConfigSchema.parse(values)), language };
  problems.push(...crossProblems(config).flatMap((problem) => positioned(problem, winners, bad)));
  if (problems.length > 0) throw configError(problems, language);

  config.log.dir ??= defaultLogDir(env, os);
  let outside: OutsideRules | undefined;
  if (found?.by === "cwd") {
    const unnamed = unnamedFile(found, winners, config);
    const folders = await unnamedCollections(found, winners, config);
    if (unnamed.problems.length + folders.problems.length > 0) {
      throw configError([...unnamed.problems, ...folders.problems], language);
    }
    warnings.push(...[...unnamed.remarks, ...folders.remarks].map((remark) => phraseText(language, remark)));
    outside = await outsideRules(found, winners, options);
  }
  return {
    config: deepFreeze(config),
    source: found?.path ?? null,
    ...(found && { by: found.by }),
    ...(outside && { outside }),
    warnings,
  };
}

/** The rules for folders outside of that of `found`: those that the user's own file and the environment give. */
async function outsideRules(
  found: FoundFile,
  winners: ReadonlyMap<string, GivenValue>,
  options: LoadOptions,
): Promise<OutsideRules> {
  const own = await findUserFile({ ...options, os: options.os ?? OS });
  const isRule = ({ section = "" }: GivenValue) => /^(?:files|collections)(?:\.|$)/.test(section);
  // The other settings need not be valid, and no secret of them is decrypted.
  const rules = own && {
    ...own,
    reading: {
      ...own.reading,
      values: own.reading.values.filter((given) => isRule(given) || given.key === "language"),
    },
  };
  const env = Object.fromEntries(
    Object.entries(options.env).filter(([name]) => !/^MUXUE_RAG_(?!FILES_|LANGUAGE$)/.test(name)),
  );
  const { config: { files, collections } } = await checkConfig({ ...options, env, flags: {} }, rules, []);
  const sets = [...winners.values()].filter(({ section, origin }) =>
    section === "files" && origin === "file"
  );
  return {
    dir: await realPlaceNamed(dirname(found.path)),
    sets: sets.map(({ key }) => key),
    files,
    collections,
  };
}

function isEncryptedSecret({ key, value }: GivenValue): boolean {
  return isSecretKey(key) && typeof value === "string" && isEncrypted(value);
}

function flagValues(flags: ConfigOverrides | undefined): GivenValue[] {
  const values: GivenValue[] = [];
  const add = (section: string | undefined, key: string, value: unknown) => {
    if (value === undefined) return;
    const position = { text: `flag:${keyPath({ section, key })}`, order: FLAG_ORDER + values.length };
    values.push({ section, key, value, position, origin: "flag" });
  };
  for (const [name, value] of Object.entries(flags ?? {})) {
    if (typeof value !== "object" || value === null) add(undefined, name, value);
    else for (const [key, inner] of Object.entries(value)) add(name, key, inner);
  }
  return values;
}

/** The problems of one value taken alone. */
export function check(given: GivenValue): Problem[] {
  const { section, key, value, position, items } = given;
  const field = fieldOf(section, key);
  const result = field?.safeParse(value);
  if (field === undefined || result === undefined || result.success) return [];
  const inItems = new Set(result.error.issues.map(({ path }) => path[0]));
  if (Array.isArray(value) && items !== undefined && inItems.size > 0 && !inItems.has(undefined)) {
    return [...inItems].map((index) => ({
      position: items[Number(index)] ?? position,
      path: `${keyPath(given)}[${String(index)}]`,
      phrase: mismatch(key, itemExpectationOf(field), value[Number(index)]),
    }));
  }
  return [{ position, path: keyPath(given), phrase: mismatch(key, expectationOf(field), value) }];
}

/** A problem between keys, at the position of one of them; none if one of them is invalid, which has been reported. */
function positioned(
  { section, key, expected, others }: CrossProblem,
  winners: ReadonlyMap<string, GivenValue>,
  bad: ReadonlySet<string>,
): Problem[] {
  const paths = [key, ...others].map((each) => keyPath({ section, key: each }));
  if (paths.some((path) => bad.has(path))) return [];
  const given = paths.map((path) => winners.get(path));
  const cause = given.find((each) => each !== undefined);
  return cause === undefined
    ? []
    : [{ position: cause.position, path: paths[0]!, phrase: mismatch(key, expected, given[0]?.value) }];
}

/** The value with absolute paths: relative paths start from `base`, and `~` is the home folder. */
function absolutePaths(given: GivenValue, base: string, home: string | undefined): unknown {
  const { section = "", key, value } = given;
  const absolute = (text: string) => resolve(base, expandHome(text, home));
  const path = keyPath(given);
  const isPath =
    /^(?:log\.dir|llm\.prompts|rerank\.path|store\.tls\.ca|embedding\.local\.\w+\.path)$/.test(path) ||
    key === "path" && collectionSection(section) !== undefined;
  if (isPath && typeof value === "string") return absolute(value);
  return path === "files.allow_sensitive" && Array.isArray(value) ? value.map(absolute) : value;
}

function put(values: Record<string, unknown>, { section, key }: GivenValue, value: unknown): void {
  let target = values;
  for (const name of section?.split(".") ?? []) {
    // A collection may have the name of a property that every object inherits, such as `constructor`.
    if (!Object.hasOwn(target, name)) target[name] = {};
    target = target[name] as Record<string, unknown>;
  }
  target[key] = value;
}

/** Removes the collections without a path, whose problems have been reported. */
function withoutIncomplete(values: Record<string, unknown>): void {
  const collections = (values[COLLECTIONS] ?? {}) as Record<string, Record<string, unknown>>;
  for (const [name, { path }] of Object.entries(collections)) {
    if (path === undefined) delete collections[name];
  }
}

/** A problem as one line: position, key and text. */
export function problemLine(language: Language, { position, path, phrase }: Problem): string {
  const params = { place: position.text, key: path, text: phraseText(language, phrase) };
  return message(language, path === "" ? "config_file_problem" : "config_problem", params);
}

const MAX_PROBLEMS = 50;

/** One error for all problems, in the order of their positions. At most 50 are listed. */
export function configError(problems: readonly Problem[], language: Language): ConfigError {
  const sorted = problems.toSorted((a, b) => a.position.order - b.position.order);
  const lines = sorted.slice(0, MAX_PROBLEMS).map((problem) => problemLine(language, problem));
  const rest = sorted.length - lines.length;
  if (rest > 0) lines.push(message(language, "config_more_problems", { count: rest }));
  return new ConfigError(lines, language, problems.length);
}

/** A collection as the file gives it: `path` is absolute, and missing if it is not valid. */
type GivenCollection = Partial<Config["collections"][string]>;

/**
 * Compares the collections of a file with each other: each needs a folder, and no two may have the same one. A folder inside
 * that of another collection causes a warning, unless the other one excludes it. Links are not followed here.
 */
function checkCollections(
  named: readonly NamedCollection[],
  values: Readonly<Record<string, unknown>>,
  { winners, bad }: { winners: ReadonlyMap<string, GivenValue>; bad: ReadonlySet<string> },
): { readonly problems: readonly Problem[]; readonly remarks: readonly Phrase[] } {
  const tooMany = named[MAX_COLLECTIONS];
  if (tooMany !== undefined) {
    const phrase = { key: "config_too_many_collections", params: { limit: MAX_COLLECTIONS } } as const;
    return { problems: [{ position: tooMany.position, path: COLLECTIONS, phrase }], remarks: [] };
  }
  const given = (values[COLLECTIONS] ?? {}) as Readonly<Record<string, GivenCollection>>;
  const excluded = ((values["files"] ?? {}) as Partial<Config["files"]>).exclude;
  const problems: Problem[] = [];
  const remarks: Phrase[] = [];
  const folders: { readonly name: string; readonly folder: string; readonly exclude: readonly string[] }[] =
    [];
  for (const { name, position } of named) {
    const path = `${COLLECTIONS}.${name}.path`;
    const { path: folder, files } = Object.hasOwn(given, name) ? given[name]! : {};
    if (folder !== undefined) folders.push({ name, folder, exclude: files?.exclude ?? excluded ?? [] });
    else if (!bad.has(path)) {
      problems.push({ position, path, phrase: mismatch("path", { key: "config_expect_path" }, undefined) });
    }
  }
  for (const [at, { name, folder }] of folders.entries()) {
    const { position } = winners.get(`${COLLECTIONS}.${name}.path`)!;
    const same = folders.slice(0, at).find((other) => isSame(other.folder, folder));
    if (same !== undefined) {
      const params = { name: same.name, path: printable(folder) };
      const phrase = { key: "config_collection_same_folder", params } as const;
      problems.push({ position, path: `${COLLECTIONS}.${name}.path`, phrase });
      continue;
    }
    const around = folders.filter((other) => other.name !== name && isInside(folder, other.folder))
      .sort((a, b) => b.folder.length - a.folder.length);
    const [outer] = around;
    if (outer === undefined || isSame(outer.folder, folder)) continue;
    const inner = toPortable(relative(outer.folder, folder));
    if (outer.exclude.some((pattern) => pattern.replace(/^\/|\/$/g, "") === inner)) continue;
    remarks.push({
      key: "config_collection_nested",
      params: { place: position.text, inner: name, outer: outer.name, pattern: printable(`/${inner}/`) },
    });
  }
  return { problems, remarks };
}

function isSame(one: string, other: string): boolean {
  return isInside(one, other) && isInside(other, one);
}

/** Keys that may refer to a variable and whose values are sent to the server. */
const SENT = ["api_key", "model", "headers"];

/** Findings on a configuration file in the working folder that was not named. */
interface Unnamed {
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
function unnamedFile(file: FoundFile, winners: ReadonlyMap<string, GivenValue>, config: Config): Unnamed {
  const sets = (path: string) => winners.get(path)?.origin === "file";
  const path = file.shown;
  const problems: Problem[] = [];
  const remarks: Phrase[] = [];

  const { observability: { otlp }, vectors } = config;
  const servers = [
    ...(["embedding", "rerank", "llm", "vision_llm"] as const).map((section) => ({
      section,
      key: `${section}.base_url`,
      url: serverAddress(config[section]),
      remote: "config_unnamed_remote" as const,
    })),
    {
      section: "observability.otlp",
      key: "observability.otlp.url",
      url: otlp.url ?? undefined,
      remote: "config_unnamed_collector" as const,
    },
    {
      section: "vectors",
      key: "vectors.url",
      url: vectors.provider === "store" ? undefined : vectors.url ?? undefined,
      remote: "config_unnamed_remote" as const,
    },
  ];
  for (const { section, key, url, remote } of servers) {
    if (url === undefined || !(sets(key) || sets(`${section}.provider`))) continue;
    const { hostname, origin: address } = new URL(url);
    if (isLoopbackHost(hostname)) {
      remarks.push({ key: "config_unnamed_server", params: { path, key, address } });
    } else {
      const { position } = winners.get(sets(key) ? key : `${section}.provider`)!;
      const phrase = { key: remote, params: { path, address } };
      problems.push({ position, path: key, phrase });
    }
    for (const given of sets(key) ? file.reading.values : []) {
      const name = given.section === section && sets(keyPath(given)) ? lentBy(given) : undefined;
      if (name === undefined) continue;
      const phrase = { key: "config_unnamed_secret", params: { path, name, address } } as const;
      problems.push({ position: given.position, path: keyPath(given), phrase });
    }
  }

  // Indexes in a database are changed and removed, too.
  for (const given of winners.values()) {
    const { section = "", key, value, position, origin } = given;
    if (origin !== "file" || !/^(?:collections\.[^.]+\.)?store(?:\.tls)?$/.test(section)) continue;
    const { store } = DEFAULTS;
    const standard: Readonly<Record<string, unknown>> = section === "store.tls" ? store.tls : store;
    if (JSON.stringify(value) === JSON.stringify(standard[key])) continue;
    problems.push({
      position,
      path: keyPath(given),
      phrase: { key: "config_unnamed_store", params: { path } },
    });
  }

  const { log, embedding: { local }, rerank, llm, models } = config;
  const sources = (["hub_url", "mirror_url", "npm_registry"] as const).map((key): [string, string | null] => {
    const address = models[key];
    return [
      `models.${key}`,
      address === null || address === DEFAULTS.models[key] ? null : maskAddress(address),
    ];
  });
  const settings: [key: string, value: string | null][] = [
    // An empty `log.dir` is the default folder.
    ["log.dir", winners.get("log.dir")?.value === null ? null : log.dir],
    ["embedding.local.zh.path", local.zh.path],
    ["embedding.local.en.path", local.en.path],
    ["rerank.path", rerank.path],
    ["llm.prompts", llm.prompts],
    ...sources,
  ];
  for (const [key, value] of settings) {
    if (!sets(key) || value === null) continue;
    remarks.push({ key: "config_unnamed_setting", params: { path, key, value: printable(value) } });
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

/**
 * Checks the collections of a configuration file that was found in the working folder and not named. The user has named none
 * of their folders, so only folders inside that of the file are accepted, links followed, and a warning names them.
 */
async function unnamedCollections(
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
