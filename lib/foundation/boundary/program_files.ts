/**
 * The program's own files: beside the sources, inside the executable, or apart from the runtime's part of it. And folders for
 * temporary files.
 */
import { dirname, join } from "node:path";
import { PROGRAM_ROOT } from "#foundation/runtime.ts";

/** A part of a file that is open for reading. */
export interface FilePart {
  readonly file: Deno.FsFile;
  readonly offset: number;
  readonly length: number;
}

/** Opens a whole file of the program. `name`: see {@linkcode readProgramFile}. Throws the errors of the system. */
export function openProgramFile(name: string): FilePart {
  const file = Deno.openSync(new URL(name, PROGRAM_ROOT));
  // Files inside an executable have no statSync().
  return { file, offset: 0, length: file.seekSync(0, Deno.SeekMode.End) };
}

/** Fills `bytes` with those of a part from `from` on. Throws an error if the file is shorter. */
export function readPart(
  { file, offset }: FilePart,
  from: number,
  bytes: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  file.seekSync(offset + from, Deno.SeekMode.Start);
  for (let at = 0; at < bytes.length;) {
    const count = file.readSync(bytes.subarray(at));
    if (count === null) throw new Error("the file ends too early");
    at += count;
  }
  return bytes;
}

/** The bytes of a file of the program, `undefined` if there is none. `name`: see {@linkcode readProgramFile}. */
export async function readProgramBytes(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await Deno.readFile(new URL(name, PROGRAM_ROOT));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * The text of a file of the program. `name` is its path below {@linkcode PROGRAM_ROOT}, with `/` as separator. In an
 * executable these files support neither `stat` nor real paths.
 */
export async function readProgramFile(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(name, PROGRAM_ROOT));
}

/**
 * Stands behind the files that `scripts/compile.ts` inserts into an executable for Linux, after the length of their list. The runtime
 * finds its part by the headers of the executable; before Deno 2.9 it reads it from the end, and its last 8 bytes are its length:
 *
 * ```
 * native code, the runtime's part, the files, their list, u64 its length, 8 bytes mark
 * native code, the files, their list, u64 its length, 8 bytes mark, the runtime's part
 * ```
 *
 * The list is a {@linkcode ListApart} as JSON.
 */
export const MARK = "MUXAPART";
/** The names and lengths of the files apart, in their order. */
export type ListApart = readonly (readonly [name: string, length: number])[];
/** Bytes of the length and the mark. */
const MARK_BYTES = 16;

/** Opens a file that was inserted into an executable, by its name. Throws the errors of the system, and those of {@linkcode partApart}. */
export function openFileApart(executable: string, name: string): FilePart {
  const file = Deno.openSync(executable);
  try {
    return partApart(file, name);
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Returns a file that was inserted into an open executable, by its name. Throws an error if there is none. */
export function partApart(file: Deno.FsFile, name: string): FilePart {
  const size = file.seekSync(0, Deno.SeekMode.End);
  const end = (isMarked(file, size) ? size : size - lengthAt(file, size - 8)) - MARK_BYTES;
  const listLength = end < 0 ? 0 : lengthAt(file, end);
  if (listLength === 0 || listLength > end || !isMarked(file, end + MARK_BYTES)) {
    throw new Error("the executable does not contain its data");
  }
  const listed = readPart(
    { file, offset: end - listLength, length: listLength },
    0,
    new Uint8Array(listLength),
  );
  const list: ListApart = JSON.parse(new TextDecoder().decode(listed));
  const at = list.findIndex(([other]) => other === name);
  if (at < 0) throw new Error(`the executable does not contain ${name}`);
  const behind = list.slice(at).reduce((sum, [, length]) => sum + length, 0);
  return { file, offset: end - listLength - behind, length: list[at]![1] };
}

function isMarked(file: Deno.FsFile, end: number): boolean {
  return new TextDecoder().decode(bytesAt(file, end - 8)) === MARK;
}

function lengthAt(file: Deno.FsFile, offset: number): number {
  return Number(new DataView(bytesAt(file, offset).buffer).getBigUint64(0, true));
}

/** The next 8 bytes; zeros behind the end. */
function bytesAt(file: Deno.FsFile, offset: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8);
  file.seekSync(Math.max(0, offset), Deno.SeekMode.Start);
  file.readSync(bytes);
  return bytes;
}

/**
 * A new random path in `dir`, the system's folder for temporary files. It is chosen before the worker is locked, so that the
 * worker gets permission for this path only.
 */
export function temporaryPath(dir: string): string {
  let real = dir;
  try {
    real = Deno.realPathSync(dir);
  } catch {
    // Writing there will report the error.
  }
  return join(real, `muxue_rag-${crypto.randomUUID()}`);
}

/** A folder for temporary files that only the user can enter. It is removed with its content on disposal. */
export class TemporaryFolder implements AsyncDisposable {
  private constructor(readonly path: string) {}

  /** Creates the folder at a path where nothing exists. Throws the errors of the system. */
  static async make(path: string): Promise<TemporaryFolder> {
    await Deno.mkdir(path, { mode: 0o700 });
    return new TemporaryFolder(path);
  }

  /** The path of `name` in the folder; `name` may contain `/`. */
  at(name: string): string {
    return join(this.path, name);
  }

  /** Creates the subfolder `name` if it is missing. Returns its real path. */
  async makeFolder(name: string): Promise<string> {
    const path = this.at(name);
    await Deno.mkdir(path, { recursive: true });
    return path;
  }

  /** Writes a new file and creates its missing parent folders. */
  async write(name: string, text: string): Promise<void> {
    await this.makeFolder(dirname(name));
    await Deno.writeTextFile(this.at(name), text, { createNew: true });
  }

  /** Creates the file `name` for reading and writing. */
  create(name: string): Deno.FsFile {
    return Deno.openSync(this.at(name), { createNew: true, read: true, write: true, mode: 0o600 });
  }

  /** Opens the file `name` for reading. */
  open(name: string): Deno.FsFile {
    return Deno.openSync(this.at(name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}
