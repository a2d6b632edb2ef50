import { dirname, resolve } from "node:path";
import { expandHome } from "../sandbox/mod.ts";
import type { Language } from "../messages.ts";
import { message } from "../messages.ts";
import { type Entry, mismatch, pathOf, type Phrase, type Problem, problemLine, say } from "./_entry.ts";
import { readEnvironment } from "./_environment.ts";
import { findFile, type FoundFile } from "./_find_file.ts";
import { resolveReference } from "./_references.ts";
import { unnamedFile } from "./_unnamed_file.ts";
import { LANGUAGES } from "./choices.ts";
import { ConfigError } from "./config_error.ts";
import { deepFreeze, defaultLogDir } from "./default_config.ts";
import { isEncrypted } from "./encryption/sealed.ts";
import {
  type ConfigOverrides,
  ConfigSchema,
  type CrossProblem,
  expectationOf,
  fieldOf,
  itemExpectationOf,
} from "./schema.ts";
import type { LoadedConfig, LoadOptions } from "./types.ts";
import { isSecretKey } from "./secrets.ts";
import { homeFolder } from "./user_dirs.ts";

// After every position in a file and every environment variable.
const FLAG_ORDER = 2e9;

/** See `load.ts`. `found`: the file, if there is one; `remarks`: on where files lie. */
export async function checkConfig(
  options: LoadOptions,
  found: FoundFile | null,
  remarks: readonly Phrase[],
): Promise<LoadedConfig> {
  const { env, cwd } = options;
  const os = options.os ?? Deno.build.os;
  const environment = readEnvironment(env);
  const given = [...(found?.reading.entries ?? []), ...environment.entries, ...flagEntries(options.flags)];
  const language = languageOf(given);
  const problems = [...(found?.reading.problems ?? []), ...environment.problems];
  const warnings = remarks.map((remark) => say(language, remark));

  // Later entries win: that is the order of precedence. All are checked, also those that lose; what is encrypted is only
  // decrypted where it wins.
  const values: Record<string, unknown> = {};
  const winners = new Map<string, Entry>();
  const bad = new Set<string>();
  for (const raw of given) {
    const { entry, problem, warning } = resolveReference(raw, env);
    if (warning !== undefined) warnings.push(say(language, warning.phrase));
    const wrong = problem !== undefined ? [problem] : entry === undefined ? [] : check(entry);
    problems.push(...wrong);
    if (wrong.length > 0 || entry === undefined) bad.add(pathOf(raw));
    else {
      winners.set(pathOf(entry), entry);
      const base = entry.origin === "file" && found !== null ? dirname(found.path) : cwd;
      put(values, entry, absolutePaths(entry, base, homeFolder(env, os)));
    }
  }

  for (const entry of winners.values()) {
    if (!isEncryptedSecret(entry)) continue;
    // Loaded only here: few configurations hold an encrypted value.
    const { decryptEntry } = await import("./_decrypt_entry.ts");
    const { secret, problem } = await decryptEntry(entry, { env, os });
    if (problem === undefined) put(values, entry, secret);
    else problems.push(problem);
  }

  const parsed = ConfigSchema.safeParse(values);
  for (const issue of parsed.error?.issues ?? []) {
    const [section, key] = issue.path.map(String);
    if (issue.code !== "custom" || section === undefined || key === undefined) throw parsed.error;
    const problem = crossProblem(section, key, issue.params as CrossProblem | undefined, winners, bad);
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length > 0 || !parsed.success) throw configError(problems, language);

  const config = structuredClone(parsed.data);
  config.log.dir ??= defaultLogDir(env, os);
  if (found?.by === "cwd") {
    const unnamed = unnamedFile(found, winners, config);
    if (unnamed.problems.length > 0) throw configError(unnamed.problems, language);
    warnings.push(...unnamed.remarks.map((remark) => say(language, remark)));
  }
  return { config: deepFreeze(config), source: found?.path ?? null, warnings };
}

/** The language that file and environment ask for, whatever else is wrong with them; `zh` when they do not say. */
export async function configLanguage(options: LoadOptions): Promise<Language> {
  const { env } = options;
  const found = await findFile({ ...options, os: options.os ?? Deno.build.os }, []).catch(() => null);
  return languageOf([...(found?.reading.entries ?? []), ...readEnvironment(env).entries]);
}

/** The language asked for, read leniently: problems must be told in it even where the rest is wrong. */
export function languageOf(entries: readonly Entry[]): Language {
  const given = entries.filter(({ section, key }) => section === undefined && key === "language");
  const valid = given.flatMap(({ value }) => LANGUAGES.find((language) => language === value) ?? []);
  return valid.at(-1) ?? "zh";
}

/** Whether the value is to be decrypted: every other is used as it is. */
function isEncryptedSecret({ key, value }: Entry): boolean {
  return isSecretKey(key) && typeof value === "string" && isEncrypted(value);
}

function flagEntries(flags: ConfigOverrides | undefined): Entry[] {
  const entries: Entry[] = [];
  const add = (section: string | undefined, key: string, value: unknown) => {
    if (value === undefined) return;
    const text = section === undefined ? `flag:${key}` : `flag:${section}.${key}`;
    entries.push({
      section,
      key,
      value,
      place: { text, order: FLAG_ORDER + entries.length },
      origin: "flag",
    });
  };
  for (const [name, value] of Object.entries(flags ?? {})) {
    if (typeof value !== "object" || value === null) add(undefined, name, value);
    else for (const [key, inner] of Object.entries(value)) add(name, key, inner);
  }
  return entries;
}

/** The mistake in one value by itself. */
export function check(entry: Entry): Problem[] {
  const { section, key, value, place, items } = entry;
  const field = fieldOf(section, key);
  const result = field?.safeParse(value);
  if (field === undefined || result === undefined || result.success) return [];
  const inItems = new Set(result.error.issues.map(({ path }) => path[0]));
  if (Array.isArray(value) && items !== undefined && inItems.size > 0 && !inItems.has(undefined)) {
    return [...inItems].map((index) => ({
      place: items[Number(index)] ?? place,
      path: `${pathOf(entry)}[${String(index)}]`,
      phrase: mismatch(key, itemExpectationOf(field), value[Number(index)]),
    }));
  }
  return [{ place, path: pathOf(entry), phrase: mismatch(key, expectationOf(field), value) }];
}

/** The mistake between keys that are each right by themselves; `undefined` when one of them is known to be wrong. */
function crossProblem(
  section: string,
  key: string,
  params: CrossProblem | undefined,
  winners: ReadonlyMap<string, Entry>,
  bad: ReadonlySet<string>,
): Problem | undefined {
  if (params === undefined) return undefined;
  const path = `${section}.${key}`;
  const others = params.others.map((other) => `${section}.${other}`);
  if ([path, ...others].some((each) => bad.has(each))) return undefined;
  const own = winners.get(path);
  const cause = own ?? others.map((other) => winners.get(other)).find((entry) => entry !== undefined);
  if (cause === undefined) return undefined;
  const expected: Phrase = params.provider === undefined
    ? params.expected
    : { key: "config_expect_for_provider", params: { expected: params.expected, provider: params.provider } };
  return { place: cause.place, path, phrase: mismatch(key, expected, own?.value) };
}

/** Relative paths count from the file they stand in, or from the working folder; `~` is the user's home folder. */
function absolutePaths({ section, key, value }: Entry, base: string, home: string | undefined): unknown {
  const path = `${section}.${key}`;
  const absolute = (text: string) => resolve(base, expandHome(text, home));
  if (path === "log.dir" && typeof value === "string") return absolute(value);
  if (path === "files.allow_sensitive" && Array.isArray(value)) return value.map(absolute);
  return value;
}

function put(values: Record<string, unknown>, { section, key }: Entry, value: unknown): void {
  if (section === undefined) values[key] = value;
  else values[section] = { ...(values[section] as Record<string, unknown> | undefined), [key]: value };
}

const MAX_PROBLEMS = 50;

/** All problems as one error, in the order of their places. */
export function configError(problems: readonly Problem[], language: Language): ConfigError {
  const sorted = problems.toSorted((a, b) => a.place.order - b.place.order);
  const lines = sorted.slice(0, MAX_PROBLEMS).map((problem) => problemLine(language, problem));
  const rest = sorted.length - lines.length;
  if (rest > 0) lines.push(message(language, "config_more_problems", { count: rest }));
  return new ConfigError(lines, language, problems.length);
}
