import { isAbsolute, join, resolve } from "node:path";
import { reasonOf, UsageError } from "../errors.ts";
import { exists, isMissing, readNamed, statNamed } from "../sandbox/mod.ts";
import type { Reading } from "./_parse.ts";
import type { LoadOptions } from "./types.ts";
import { configDir, type Environment, type OperatingSystem } from "./user_dirs.ts";

const NAMES = ["config.yaml", "config.yml", "config.json"];

/** A configuration is a few kilobytes; anything much larger is another kind of file, or hostile. */
const MAX_BYTES = 1_000_000;

/** A configuration file found and read. */
export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** As people should see it. */
  readonly shown: string;
  readonly bytes: Uint8Array;
  /** Without a byte order mark. */
  readonly text: string;
  readonly reading: Reading;
}

/** Where to look. */
export interface FindOptions {
  readonly file?: string | undefined;
  readonly cwd: string;
  readonly env: Environment;
  readonly os: OperatingSystem;
  /** See {@linkcode LoadOptions}. */
  readonly indexedAround?: LoadOptions["indexedAround"];
}

/** A file that was not taken. */
export interface PassedOver {
  /** As people should see it. */
  readonly path: string;
  /** The indexed folder that it lies in; without one it holds none of our keys. */
  readonly within?: string;
}

interface Candidate {
  readonly path: string;
  /** As people should see it. */
  readonly shown: string;
  /** Asked for by name: it must exist. */
  readonly named: boolean;
  /** In the working folder. */
  readonly near?: true;
}

/**
 * The first of: `file`, `MUXUE_RAG_CONFIG`, `config.yaml|yml|json` in the working folder, the same in the user's
 * configuration folder. Null when there is none. `passedOver` gets the files of the working folder that hold none of our
 * keys, or lie in an indexed folder. Throws `UsageError` `config_file_not_found`, `config_file_is_directory`,
 * `config_file_not_regular` (these for named files only), `config_file_unreadable`, `config_file_too_large`,
 * `config_file_not_utf8`.
 */
export async function findFile(options: FindOptions, passedOver: PassedOver[]): Promise<FoundFile | null> {
  for (const candidate of candidates(options)) {
    if (candidate.near && await exists(candidate.path)) {
      const within = await options.indexedAround?.();
      if (within !== undefined) {
        passedOver.push({ path: candidate.shown, within });
        continue;
      }
    }
    const bytes = await read(candidate);
    if (bytes === null) continue;
    const format = /\.json$/i.test(candidate.path) ? "json" : "yaml";
    // Loaded only when there is a file: the YAML library takes 6 ms.
    // Keys are ASCII: they can be seen whatever the encoding, and another program's file needs no complaint.
    const { parseConfig } = await import("./_parse.ts");
    const text = new TextDecoder().decode(bytes);
    const reading = parseConfig(text, candidate.shown, format);
    if (!candidate.named && !reading.ours) {
      passedOver.push({ path: candidate.shown });
      continue;
    }
    if (!isUtf8(bytes)) throw new UsageError("config_file_not_utf8", { path: candidate.shown });
    return { path: candidate.path, shown: candidate.shown, bytes, text, reading };
  }
  return null;
}

function candidates({ file, cwd, env, os }: FindOptions): Candidate[] {
  const named = file || env["MUXUE_RAG_CONFIG"];
  if (named) return [{ path: isAbsolute(named) ? named : resolve(cwd, named), shown: named, named: true }];
  const user = configDir(env, os);
  return [
    ...NAMES.map((name) => ({ path: join(cwd, name), shown: name, named: false, near: true as const })),
    ...(user === null ? [] : NAMES.map((name) => join(user, name)))
      .map((path) => ({ path, shown: path, named: false })),
  ];
}

/** The file's bytes, or null when a file that was not named is not there. */
async function read({ path, shown, named }: Candidate): Promise<Uint8Array | null> {
  try {
    const { isDirectory, isFile } = await statNamed(path);
    // Opening a pipe waits for its writer, and a device may never end.
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
