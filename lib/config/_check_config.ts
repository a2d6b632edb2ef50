import { dirname, resolve } from "node:path";
import { UsageError } from "../errors.ts";
import { type Language, message } from "../messages.ts";
import { expandHome, realPlaceNamed } from "../sandbox/mod.ts";
import { deepFreeze, defaultLogDir } from "./_default_config.ts";
import { checkCollections } from "./_check_collections.ts";
import { COLLECTIONS, collectionSection } from "./_collection_fields.ts";
import type { CrossProblem } from "./_cross_problems.ts";
import { readEnvironment } from "./_environment.ts";
import { expectationOf, itemExpectationOf } from "./_fields.ts";
import { findUserFile, type FoundFile } from "./_find_file.ts";
import {
  type GivenValue,
  keyPath,
  languageOf,
  mismatch,
  type Phrase,
  phraseText,
  type Problem,
  problemLine,
} from "./_given_value.ts";
import { resolveReference } from "./_references.ts";
import { unnamedCollections } from "./_unnamed_collections.ts";
import { unnamedFile } from "./_unnamed_file.ts";
import { ConfigError } from "./config_error.ts";
import type { KeySource } from "./encryption/keys.ts";
import { isEncrypted } from "./encryption/sealed.ts";
import { type ConfigOverrides, ConfigSchema, fieldOf, type OutsideRules } from "./schema.ts";
import { isSecretKey } from "./secrets.ts";
import { systemLanguage } from "./system_language.ts";
import type { LoadedConfig, LoadOptions } from "./types.ts";
import { homeFolder } from "./user_dirs.ts";

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
  const os = options.os ?? Deno.build.os;
  const environment = readEnvironment(env);
  const given = [...(found?.reading.values ?? []), ...environment.values, ...flagValues(options.flags)];
  const language = languageOf(given, systemLanguage(env, os));
  const problems = [...(found?.reading.problems ?? []), ...environment.problems];
  const warnings = [
    ...remarks.map((remark) => phraseText(language, remark)),
    ...[...(found?.reading.warnings ?? []), ...environment.warnings].map((each) =>
      problemLine(language, each)
    ),
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
    const { secret, problem } = await decrypt(winner, { env, os });
    if (problem === undefined) put(values, winner, secret);
    else problems.push(problem);
  }

  const collections = checkCollections(found?.reading.collections ?? [], values, { winners, bad });
  problems.push(...collections.problems);
  warnings.push(...collections.remarks.map((remark) => phraseText(language, remark)));
  if (problems.length > 0) withoutIncomplete(values);

  const parsed = ConfigSchema.safeParse(values);
  for (const issue of parsed.error?.issues ?? []) {
    const [section, key] = issue.path.map(String);
    if (issue.code !== "custom" || section === undefined || key === undefined) throw parsed.error;
    const problem = crossProblem(section, key, issue.params as CrossProblem | undefined, winners, bad);
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length > 0 || !parsed.success) throw configError(problems, language);

  const config = { ...structuredClone(parsed.data), language };
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
  const own = await findUserFile({ ...options, os: options.os ?? Deno.build.os });
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

/** The secret in a value `enc:v1:…`, or the problem with it. */
async function decrypt(
  given: GivenValue,
  source: KeySource,
): Promise<{ secret: string; problem?: undefined } | { secret?: undefined; problem: Problem }> {
  // Loaded only here: few configurations hold an encrypted value.
  const { decryptSecret } = await import("./encryption/cipher.ts");
  try {
    return { secret: await decryptSecret(String(given.value), source) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const phrase = { key: error.key, params: error.params };
    return { problem: { position: given.position, path: keyPath(given), phrase } };
  }
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

/**
 * Returns a problem between keys that are each valid alone. Returns `undefined` if one of them is invalid, because that has
 * been reported.
 */
function crossProblem(
  section: string,
  key: string,
  params: CrossProblem | undefined,
  winners: ReadonlyMap<string, GivenValue>,
  bad: ReadonlySet<string>,
): Problem | undefined {
  if (params === undefined) return undefined;
  const path = keyPath({ section, key });
  const others = params.others.map((other) => keyPath({ section, key: other }));
  if ([path, ...others].some((each) => bad.has(each))) return undefined;
  const own = winners.get(path);
  const cause = own ?? others.map((other) => winners.get(other)).find((given) => given !== undefined);
  if (cause === undefined) return undefined;
  const expected: Phrase = params.provider === undefined
    ? params.expected
    : { key: "config_expect_for_provider", params: { expected: params.expected, provider: params.provider } };
  return { position: cause.position, path, phrase: mismatch(key, expected, own?.value) };
}

/** The value with absolute paths: relative paths start from `base`, and `~` is the home folder. */
function absolutePaths(given: GivenValue, base: string, home: string | undefined): unknown {
  const { value } = given;
  const absolute = (text: string) => resolve(base, expandHome(text, home));
  const path = keyPath(given);
  if (given.key === "path" && collectionSection(given.section ?? "") && typeof value === "string") {
    return absolute(value);
  }
  if (path === "log.dir" && typeof value === "string") return absolute(value);
  if (path === "files.allow_sensitive" && Array.isArray(value)) return value.map(absolute);
  if (/^(?:embedding\.local\.\w+|rerank)\.path$/.test(path) && typeof value === "string") {
    return absolute(value);
  }
  return value;
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

const MAX_PROBLEMS = 50;

/** One error for all problems, in the order of their positions. At most 50 are listed. */
export function configError(problems: readonly Problem[], language: Language): ConfigError {
  const sorted = problems.toSorted((a, b) => a.position.order - b.position.order);
  const lines = sorted.slice(0, MAX_PROBLEMS).map((problem) => problemLine(language, problem));
  const rest = sorted.length - lines.length;
  if (rest > 0) lines.push(message(language, "config_more_problems", { count: rest }));
  return new ConfigError(lines, language, problems.length);
}
