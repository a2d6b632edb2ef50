import { UserError } from "../errors.ts";
import { fileError, HOST_STYLE, isInside, openInside, pathOf } from "../sandbox/mod.ts";
import { typeByName } from "./classify.ts";
import { patternLines, Patterns } from "./patterns.ts";
import type { Found, SkipReason } from "./types.ts";

/** What a walk takes and leaves. */
export interface WalkOptions {
  /**
   * Patterns in the manner of `.gitignore`, counted from the root. If there are any, only files that one of
   * them matches are taken. One that ends in a file's extension (`*.svg`) or name takes it although its name
   * says it is not text.
   */
  readonly include: readonly string[];
  /** Patterns like those: what they match is left out, folders whole. */
  readonly exclude: readonly string[];
  /** Whether `.gitignore` and `.muxueragignore` count. */
  readonly ignoreFiles: boolean;
  /** Larger files are left out. */
  readonly maxFileBytes: number;
  readonly signal?: AbortSignal | undefined;
}

const DATA_FOLDER = ".muxue_rag";
/** In the order of their rules: the later file wins. */
const IGNORE_FILES = [".gitignore", ".muxueragignore"];
/** Larger ignore files are not read. */
const MAX_IGNORE_FILE = 1024 * 1024;
/** Git's own default (core.ignoreCase). */
const IGNORE_CASE = Deno.build.os !== "linux";
/** Milliseconds between the pauses in which timers and messages get through. */
const PAUSE_EVERY = 20;

const { join } = pathOf(HOST_STYLE);

/**
 * Lists what is in the folder `root` (a real path), ordered by path (UTF-16 code units). Links are never
 * followed. A file or folder that cannot be looked at is told as `failed` and the walk goes on; if `root`
 * itself cannot be, it throws `UserError`. `.muxue_rag` is passed over in silence. Throws the reason of
 * `signal` soon after it is aborted.
 */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<Found> {
  const { signal } = options;
  const rules = new Rules(options);
  let resumed = performance.now();

  yield* folder("", Patterns.create(IGNORE_CASE));

  async function* folder(path: string, inherited: Patterns): AsyncGenerator<Found> {
    signal?.throwIfAborted();
    let entries: Deno.DirEntry[];
    try {
      entries = [...Deno.readDirSync(join(root, path))];
    } catch (error) {
      if (path === "") throw directoryError(error, root);
      yield { kind: "failed", path, error };
      return;
    }
    const ignored = options.ignoreFiles ? await withIgnoreFiles(root, path, entries, inherited) : inherited;

    for (const entry of inOrder(entries)) {
      // Asking for the time costs as much as the rest of a file's turn if done through the event loop: look
      // first.
      if (performance.now() - resumed > PAUSE_EVERY) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        signal?.throwIfAborted();
        resumed = performance.now();
      }
      const child = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.name === DATA_FOLDER) continue;
      const reason = rules.byName(entry, child, ignored);
      if (reason !== null) yield { kind: "skipped", path: child, reason };
      else if (entry.isSymlink) yield { kind: "skipped", path: child, reason: await linkReason(root, child) };
      else if (entry.isDirectory) yield* folder(child, ignored);
      else {
        const found = file(root, child, options.maxFileBytes);
        if (found !== null) yield found;
      }
    }
  }
}

/** What can be said of an entry before it is looked at. */
class Rules {
  readonly #include: Patterns | null;
  readonly #exclude: Patterns;
  readonly #includeEndings: readonly string[];

  constructor({ include, exclude }: WalkOptions) {
    // People write `*.md` and mean README.MD too.
    const all = (patterns: readonly string[]) => Patterns.create(true).with(patterns, "");
    this.#include = include.length > 0 ? all(include) : null;
    this.#exclude = all(exclude);
    this.#includeEndings = include.filter((pattern) => !pattern.startsWith("!")).map((p) =>
      p.trim().toLowerCase()
    );
  }

  byName({ name, isDirectory, isFile }: Deno.DirEntry, path: string, ignored: Patterns): SkipReason | null {
    if (name.startsWith(".")) return "hidden";
    const asPattern = isDirectory ? `${path}/` : path;
    if (ignored.matches(asPattern)) return "ignored";
    if (this.#exclude.matches(asPattern)) return "excluded";
    if (!isFile) return null;
    if (this.#include !== null && !this.#include.matches(path)) return "excluded";
    return typeByName(name) === "binary" && !this.#isNamed(name) ? "binary_type" : null;
  }

  /** Whether the user asked for files of this kind, not just for the folder they are in. */
  #isNamed(name: string): boolean {
    const lower = name.toLowerCase();
    const extension = lower.slice(lower.lastIndexOf("."));
    return this.#includeEndings.some((pattern) => pattern.endsWith(extension) || pattern.endsWith(lower));
  }
}

/** By full path: a folder's content comes where its name with a `/` would. */
function inOrder(entries: readonly Deno.DirEntry[]): Deno.DirEntry[] {
  return entries
    .map((entry) => ({ entry, key: entry.isDirectory ? `${entry.name}/` : entry.name }))
    .sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
    .map(({ entry }) => entry);
}

async function withIgnoreFiles(
  root: string,
  path: string,
  entries: readonly Deno.DirEntry[],
  inherited: Patterns,
): Promise<Patterns> {
  const lines: string[] = [];
  for (const name of IGNORE_FILES) {
    if (entries.some((entry) => entry.name === name && entry.isFile)) {
      lines.push(...patternLines(await readIgnoreFile(join(root, path, name))));
    }
  }
  return lines.length > 0 ? inherited.with(lines, path) : inherited;
}

/** An ignore file that cannot be read has no rules. */
async function readIgnoreFile(real: string): Promise<string> {
  try {
    using file = await openInside({ real });
    const { size } = await file.stat();
    if (size > MAX_IGNORE_FILE) return "";
    return await new Response(file.readable).text();
  } catch {
    return "";
  }
}

async function linkReason(root: string, path: string): Promise<SkipReason> {
  try {
    return isInside(await Deno.realPath(join(root, path)), root) ? "link" : "link_outside";
  } catch (error) {
    // A link to nothing leads nowhere; where it is forbidden to look is outside.
    return error instanceof Deno.errors.NotFound ? "link" : "link_outside";
  }
}

/** A file's facts, or null when it is gone since its folder was listed. */
function file(root: string, path: string, maxFileBytes: number): Found | null {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(join(root, path));
  } catch (error) {
    // A name that is no Unicode arrives mangled and is not found either: that must not pass in silence.
    if (error instanceof Deno.errors.NotFound && !path.includes("\ufffd")) return null;
    return { kind: "failed", path, error };
  }
  if (!info.isFile) return { kind: "skipped", path, reason: "special" };
  if (info.size === 0) return { kind: "skipped", path, reason: "empty" };
  if (info.size > maxFileBytes) return { kind: "skipped", path, reason: "too_large" };
  return { kind: "file", path, size: info.size, mtimeMs: info.mtime?.getTime() ?? 0 };
}

function directoryError(error: unknown, root: string): UserError {
  const known = fileError(error, root);
  return known.key === "file_not_found"
    ? new UserError("directory_not_found", { path: root }, { cause: error })
    : known;
}
