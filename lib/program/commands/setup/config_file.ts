/**
 * A client's configuration file: reading it, replacing it with a backup beside it,
 * and the difference that the user is shown before.
 */
import { dirname } from "node:path";
import { reasonOf, UserError } from "#foundation/errors.ts";
import {
  isDiskFull,
  isMissing,
  lookAt,
  makeNamedFolder,
  readNamed,
  realNamed,
  removeNamed,
  type ReplaceOptions,
  restoreLeft,
  statNamed,
  writeAll,
  writeNamed,
} from "#foundation/boundary/mod.ts";
import { formatTime } from "../../progress.ts";

/** A client's configuration file as it was read. */
export interface ConfigFile {
  /** The path that the client reads. */
  readonly path: string;
  /** Real path of the file, which differs from `path` where that is a link. */
  readonly target: string;
  /** `undefined` where the file does not exist. */
  readonly text: string | undefined;
  /** Its permissions, on systems that have them. */
  readonly mode: number | undefined;
}

/**
 * Reads the file at `path`. Throws `UserError`: `not_a_file`, `cli_setup_broken_link`, `cli_setup_not_utf8`,
 * `cli_setup_unreadable`.
 */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  try {
    await restoreLeft(path);
    if (await lookAt(path) === undefined) return { path, target: path, text: undefined, mode: undefined };
    const target = await realNamed(path).catch(missing);
    if (target === undefined) throw new UserError("cli_setup_broken_link", { path });
    const { isFile, mode } = await statNamed(target);
    if (!isFile) throw new UserError("not_a_file", { path });
    const bytes = await readNamed(target);
    // A byte order mark is kept, so that it is written again.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path, target, text, mode: mode ?? undefined };
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (error instanceof TypeError) throw new UserError("cli_setup_not_utf8", { path }, { cause: error });
    throw new UserError("cli_setup_unreadable", { path, reason: reasonOf(error) }, { cause: error });
  }
}

/** The things that were made when a file was replaced. */
export interface Replaced {
  /** Path of the backup of the old file; `undefined` if there was no file. */
  readonly backup: string | undefined;
  /** The folders that were missing, the innermost first. */
  readonly folders: readonly string[];
}

/**
 * Puts a file back that was replaced by `written`: its old text, or none. Removes the backup, and the folders that were made, if they are
 * empty. Returns false for a file that another program has changed meanwhile, which stays. Throws `UserError` as
 * {@linkcode replaceConfigFile} does.
 */
export async function restoreConfigFile(
  { path, target, text: old, mode }: ConfigFile,
  written: string,
  { backup, folders }: Replaced,
): Promise<boolean> {
  const check = async () => {
    if ((await readConfigFile(path)).text !== written) throw new UserError("cli_setup_changed", { path });
  };
  try {
    await check();
    if (old === undefined) await removeNamed(target);
    else await write(target, old, mode, { check });
    await removeEmpty(folders);
    if (backup !== undefined) await removeNamed(backup);
    return true;
  } catch (error) {
    if (error instanceof UserError && error.key === "cli_setup_changed") return false;
    throw new UserError("cli_setup_unwritable", { path, reason: reasonOf(error) }, { cause: error });
  }
}

/** Removes folders that were made for a file, the innermost first. One that holds something by now stays, with those around it. */
async function removeEmpty(folders: readonly string[]): Promise<void> {
  try {
    for (const folder of folders) await removeNamed(folder);
  } catch {
    // The client has put something there.
  }
}

/** Throws `UserError` `cli_setup_read_only`. A folder that may be written to would let a new file take its place. */
export function mustBeWritable({ target, mode }: ConfigFile): void {
  if (mode !== undefined && (mode & 0o200) === 0) {
    throw new UserError("cli_setup_read_only", { path: target });
  }
}

/**
 * Replaces the file by a new text in one step. Throws `UserError` `cli_setup_changed` if the file has changed since it was read, because
 * clients may write to it at any time, `cli_setup_read_only`, `cli_setup_disk_full`, and `cli_setup_unwritable`.
 */
export async function replaceConfigFile(
  file: ConfigFile,
  text: string,
  now: Date,
): Promise<Replaced> {
  const { path, target, text: old, mode } = file;
  const check = async () => {
    if ((await readConfigFile(path)).text !== old) throw new UserError("cli_setup_changed", { path });
  };
  await check();
  mustBeWritable(file);
  let folders: string[] = [];
  let backup: string | undefined;
  try {
    folders = await makeNamedFolder(dirname(target));
    if (old !== undefined) backup = await writeBackup(target, old, mode, now);
    await write(target, text, mode, { check });
    return { backup, folders };
  } catch (error) {
    // The file is as it was.
    if (backup !== undefined) await removeNamed(backup).catch(() => {});
    await removeEmpty(folders);
    if (error instanceof UserError && error.key === "cli_setup_changed") throw error;
    if (isDiskFull(error)) throw new UserError("cli_setup_disk_full", { path }, { cause: error });
    throw new UserError("cli_setup_unwritable", { path, reason: reasonOf(error) }, { cause: error });
  }
}

async function writeBackup(
  target: string,
  text: string,
  mode: number | undefined,
  now: Date,
): Promise<string> {
  const stamp = formatTime(now).replaceAll(/[-:]/g, "").replace(" ", "-");
  const name = `${target}.muxue_rag-backup-${stamp}`;
  // Another run may have made a backup in the same second.
  for (let copy = 1;; copy++) {
    const path = copy === 1 ? name : `${name}-${copy}`;
    try {
      await write(path, text, mode, { overwrite: false });
      return path;
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
}

async function write(
  path: string,
  text: string,
  mode: number | undefined,
  options: ReplaceOptions,
): Promise<void> {
  const access = mode === undefined ? { mode: 0o666 } : { like: { mode } };
  await writeNamed(path, (file) => writeAll(file, new TextEncoder().encode(text)), { ...access, ...options });
}

function missing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}

/** Number of unchanged lines around a change that are shown, as in `diff -u`. */
const CONTEXT = 3;

/** One line of a diff. */
interface DiffLine {
  readonly kind: "file" | "range" | "same" | "removed" | "added";
  /** With its mark (`-`, `+`, blank), without its line end. */
  readonly text: string;
}

/**
 * The diff of two texts in the unified format, as one hunk from the first changed line to the last. Line ends are not
 * shown. An empty `before` stands for a missing file. Returns an empty string for equal texts.
 */
export function unifiedDiff(before: string, after: string, path: string): DiffLine[] {
  if (before === after) return [];
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const from = Math.max(0, head - CONTEXT);
  const kept = Math.max(0, tail - CONTEXT);
  const range = (lines: string[]) => {
    const count = lines.length - kept - from;
    return `${count === 0 ? from : from + 1},${count}`;
  };
  const shown = (kind: DiffLine["kind"], mark: string, lines: string[]) =>
    lines.map((line): DiffLine => ({ kind, text: mark + line.replace(/\r?\n$/, "") }));
  return [
    { kind: "file", text: `--- ${before === "" ? "/dev/null" : path}` },
    { kind: "file", text: `+++ ${path}` },
    { kind: "range", text: `@@ -${range(old)} +${range(fresh)} @@` },
    ...shown("same", " ", old.slice(from, head)),
    ...shown("removed", "-", old.slice(head, old.length - tail)),
    ...shown("added", "+", fresh.slice(head, fresh.length - tail)),
    ...shown("same", " ", fresh.slice(fresh.length - tail, fresh.length - kept)),
  ];
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
