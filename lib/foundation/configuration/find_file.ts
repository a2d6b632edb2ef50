/**
 * Which configuration file counts: the places in their order, and why a file may be somebody else's. With the options and the result
 * of loading.
 */
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Config, ConfigOverrides, OutsideRules } from "./schema.ts";
import { configDir, type Environment } from "./user_environment.ts";
import type { OperatingSystem } from "#foundation/runtime.ts";
import { reasonOf, UsageError } from "#foundation/errors.ts";
import { CONFIG_FILES } from "#foundation/constants.ts";
import { exists, isMissing, readNamed, statNamed } from "#foundation/boundary/mod.ts";
import type { Reading } from "./parse.ts";
import type { Language, Phrase } from "#foundation/messages/mod.ts";

/** Options of {@linkcode loadConfig}. */
export interface LoadOptions {
  /** The file of `--config`, relative to `cwd`. */
  readonly file?: string | undefined;
  /** Absolute path of the working folder. */
  readonly cwd: string;
  readonly env: Environment;
  /** Values of the command line, which win over all others. */
  readonly flags?: ConfigOverrides;
  /** Default: the running system. */
  readonly os?: OperatingSystem;
  /** Whether another program chose `cwd`, as MCP clients do. Then only a named configuration is read from there. */
  readonly foreignCwd?: boolean;
  /**
   * Returns the indexed folder that is or contains one of these paths, if there is one. The content of an indexed folder may
   * be somebody else's. So only a named configuration is read from such a working folder, and the user's own configuration
   * in such a folder causes a warning. Called only if there is a configuration to read.
   */
  readonly indexedAround?: (paths: readonly string[]) => Promise<string | undefined>;
  /**
   * Whether the command works on `cwd` itself unless the configuration names collections. Then a file there without
   * collections is in the folder to be indexed.
   */
  readonly isHere?: boolean;
}

/** How a configuration file was found: by `--config`, by `MUXUE_RAG_CONFIG`, in the working folder, or in the user's folder. */
export type FoundBy = "option" | "variable" | "cwd" | "user";

/** A valid configuration. */
export interface LoadedConfig {
  /** Complete and frozen. Paths in it are absolute. */
  readonly config: Config;
  /** Absolute path of the configuration file, or null without a file. */
  readonly source: string | null;
  /** How that file was found; absent without a file. */
  readonly by?: FoundBy | undefined;
  /** Present if the file was found in the working folder and not named. */
  readonly outside?: OutsideRules;
  /** Warnings for the user, in the configured language. */
  readonly warnings: readonly string[];
}

/** A configuration has a few kilobytes. A much larger file is of another kind, or hostile. */
const MAX_BYTES = 1_000_000;

interface Candidate {
  /** Absolute. */
  readonly path: string;
  /** The path as messages show it. */
  readonly shown: string;
  /** Where the path comes from. A file that the user named (`option`, `variable`) must exist. */
  readonly by: FoundBy;
}

/** A configuration file that was found and parsed. */
export interface FoundFile extends Candidate {
  readonly bytes: Uint8Array;
  /** Without a byte order mark. */
  readonly text: string;
  readonly reading: Reading;
}

/** Options of {@linkcode findFile}. */
type FindOptions = Omit<LoadOptions, "flags"> & { readonly os: OperatingSystem };

/**
 * The first existing file of: `file`, `MUXUE_RAG_CONFIG`, `config.yaml|yml|json` in the working folder, and the same in the
 * user's configuration folder. Null if there is none.
 *
 * Adds a remark to `remarks` for each file that was skipped because it has no key of this program or is in a folder where
 * others may write, and for a file of the user that lies in such a place. Throws `UsageError` `config_file_not_found`,
 * `config_file_is_directory`, `config_file_not_regular` (these for named files only), `config_file_unreadable`,
 * `config_file_too_large`, `config_file_not_utf8`.
 */
export async function findFile(options: FindOptions, remarks: Phrase[]): Promise<FoundFile | null> {
  for (const candidate of candidates(options)) {
    const doubt = candidate.by === "cwd" ? await doubtOf(candidate, options) : undefined;
    if (doubt !== undefined) {
      remarks.push(doubt);
      continue;
    }
    const bytes = await read(candidate);
    if (bytes === null) continue;
    // Loaded only if there is a file: the YAML library takes 6 ms.
    // Our keys are ASCII, so they are found in most encodings. The encoding of another program's file is not reported.
    const { parseConfig } = await import("./parse.ts");
    const text = new TextDecoder().decode(bytes);
    const reading = await parseConfig(text, candidate.shown, formatOf(candidate));
    if (!isNamed(candidate) && !reading.ours) {
      remarks.push({ key: "config_file_foreign", params: { path: candidate.shown } });
      continue;
    }
    if (!isUtf8(bytes)) throw new UsageError("config_file_not_utf8", { path: candidate.shown });
    if (candidate.by === "user") {
      const dir = await indexedAround(candidate, options);
      if (dir !== undefined) {
        remarks.push({ key: "config_file_user_within", params: { path: candidate.shown, dir } });
      }
    }
    return { ...candidate, bytes, text, reading };
  }
  return null;
}

/** The user's own configuration file, whatever lies in the working folder. Null if there is none. */
export async function findUserFile(options: FindOptions): Promise<FoundFile | null> {
  const env = { ...options.env, MUXUE_RAG_CONFIG: undefined };
  return await findFile({ ...options, file: undefined, env, foreignCwd: true }, []);
}

function isNamed({ by }: Candidate): boolean {
  return by === "option" || by === "variable";
}

function candidates({ file, cwd, env, os }: FindOptions): Candidate[] {
  const named = file || env["MUXUE_RAG_CONFIG"];
  if (named) {
    const path = isAbsolute(named) ? named : resolve(cwd, named);
    return [{ path, shown: named, by: file ? "option" : "variable" }];
  }
  const user = configDir(env, os);
  // In the configuration folder itself, the file is the user's.
  const near = user !== null && resolve(user) === resolve(cwd) ? [] : CONFIG_FILES;
  return [
    ...near.map((name) => ({ path: join(cwd, name), shown: name, by: "cwd" as const })),
    ...(user === null ? [] : CONFIG_FILES.map((name) => join(user, name)))
      .map((path) => ({ path, shown: path, by: "user" as const })),
  ];
}

/** Why an existing file of the working folder may be somebody else's. */
async function doubtOf(candidate: Candidate, options: FindOptions): Promise<Phrase | undefined> {
  if (!await exists(candidate.path)) return undefined;
  // The user may not know which folder that is.
  if (options.foreignCwd) return { key: "config_file_not_named", params: { path: candidate.path } };
  const isIndexed = options.isHere && !await namesCollections(candidate);
  const dir = isIndexed ? options.cwd : await indexedAround(candidate, options);
  return dir === undefined
    ? undefined
    : { key: "config_file_within", params: { path: candidate.shown, dir } };
}

/** Whether the file is a configuration with collections, so that the command works on them. */
async function namesCollections(candidate: Candidate): Promise<boolean> {
  const bytes = await read(candidate).catch(() => null);
  if (bytes === null) return false;
  const { parseConfig } = await import("./parse.ts");
  const reading = await parseConfig(new TextDecoder().decode(bytes), candidate.shown, formatOf(candidate));
  return reading.ours && reading.collections.length > 0;
}

function formatOf({ path }: Candidate): "json" | "yaml" {
  return /\.json$/i.test(path) ? "json" : "yaml";
}

/** The indexed folder that contains the file or the target of its link. */
async function indexedAround({ path }: Candidate, options: FindOptions): Promise<string | undefined> {
  return await options.indexedAround?.([dirname(path), path]);
}

/** The file's bytes, or null if a file that was not named does not exist. */
async function read(candidate: Candidate): Promise<Uint8Array | null> {
  const { path, shown } = candidate;
  const named = isNamed(candidate);
  try {
    const { isDirectory, isFile } = await statNamed(path);
    // Opening a pipe waits for its writer, and a device may have no end.
    if (!isFile) {
      if (!named) return null;
      const key = isDirectory ? "config_file_is_directory" : "config_file_not_regular";
      throw new UsageError(key, { path: shown });
    }
    const bytes = await readNamed(path, MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new UsageError("config_file_too_large", { path: shown, limit: MAX_BYTES });
    }
    return bytes;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (isMissing(error)) {
      if (!named) return null;
      throw new UsageError("config_file_not_found", { path: shown }, { cause: error });
    }
    const reason = reasonOf(error);
    throw new UsageError("config_file_unreadable", { path: shown, reason }, { cause: error });
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** All problems of a configuration. */
export class ConfigError extends UsageError {
  /** One line each, `file:line:column key: …`, in {@linkcode language}. */
  readonly problems: readonly string[];
  /** The language that the configuration asks for, or the default. */
  readonly language: Language;

  constructor(problems: readonly string[], language: Language, count: number = problems.length) {
    super("config_invalid", { count, problems: problems.join("\n") });
    this.problems = problems;
    this.language = language;
  }
}
