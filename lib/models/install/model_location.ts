/**
 * The folder of the models: putting one in its place in one step, the lock, and the digests by which files are known.
 */
import { dirname, join } from "node:path";
import {
  fill,
  isDiskFull,
  isMissing,
  openNamed,
  OwnFolder,
  type ReadableFile,
  tryLock,
  unwritable,
  writeAll,
} from "#foundation/boundary/mod.ts";
import { DESCRIPTION_FILE } from "#models/neural/mod.ts";
import type { Digest, InstalledDescription } from "./catalogue.ts";
import { createHash } from "node:crypto";
import { UserError } from "#foundation/errors.ts";
import { PROCESS_ID } from "#foundation/runtime.ts";

/** Bytes that are copied at once. */
const COPY_BYTES = 1 << 20;
/** Files that the user may add to a model: more languages for text recognition. */
const ADDED = /\.traineddata$/;

/**
 * The folders of one model in the folder of models: `zh` is the installed model, `zh.part` one that is being downloaded,
 * `zh.from` one that is being put together from files of the user, and `zh.old` the one before, for the moment of the
 * exchange.
 */
export class ModelPlace {
  readonly installed: OwnFolder;
  /** The parts of the new model. */
  readonly part: OwnFolder;
  /** All folders but the installed one. */
  readonly #others: readonly OwnFolder[];
  readonly #old: OwnFolder;

  /** `dir`: real path of the folder of models. `parts`: `from` for files of the user. */
  constructor(dir: string, id: string, parts: "part" | "from" = "part") {
    const folder = (name: string) => new OwnFolder(join(dir, name));
    this.installed = folder(id);
    this.part = folder(`${id}.${parts}`);
    this.#old = folder(`${id}.old`);
    this.#others = [folder(`${id}.part`), folder(`${id}.from`), this.#old];
  }

  /** Creates the folder of parts. Parts of an earlier run stay in it. */
  begin(): void {
    try {
      this.part.make();
    } catch (error) {
      throw cannotWrite(error, this.part.path);
    }
  }

  /** Whether the folder of parts has this file, complete. */
  async hasPart(name: string, digest: Digest): Promise<boolean> {
    const found = this.part.look(name);
    if (found?.isFile !== true || found.size !== digest.bytes) return false;
    return isSame(await digestOf(this.part, name), digest);
  }

  /** Writes a file of the model. */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    try {
      await this.part.replace(name, (file) => writeAll(file, bytes));
    } catch (error) {
      throw cannotWrite(error, this.part.at(name));
    }
  }

  /** Copies a file of the user. */
  async copy(name: string, from: string): Promise<void> {
    using source = await openNamed(from);
    const buffer = new Uint8Array(COPY_BYTES);
    try {
      await this.part.replace(name, async (file) => {
        for (let count = await fill(source, buffer); count > 0; count = await fill(source, buffer)) {
          await writeAll(file, buffer.subarray(0, count));
        }
      });
    } catch (error) {
      throw cannotWrite(error, this.part.at(name));
    }
  }

  /** Removes the parts. */
  async dropParts(): Promise<void> {
    try {
      await removeAll(this.part);
    } catch (error) {
      throw cannotWrite(error, this.part.path);
    }
  }

  /**
   * Writes the description and makes the parts the installed model. A reader sees the old model or the new
   * one, never a mixture; between the two renames it sees no model. Languages that the user added stay.
   */
  async finish(description: InstalledDescription): Promise<void> {
    await this.write(DESCRIPTION_FILE, new TextEncoder().encode(`${JSON.stringify(description, null, 2)}\n`));
    const wanted = new Set([DESCRIPTION_FILE, ...Object.keys(description.files)]);
    try {
      for (const name of this.part.names()) if (!wanted.has(name)) this.part.remove(name);
      await removeAll(this.#old);
      if (this.installed.exists()) {
        const added = this.installed.names().filter((name) => ADDED.test(name) && !wanted.has(name));
        for (const name of added) await this.copy(name, this.installed.at(name));
        this.installed.moveTo(this.#old);
      }
      this.part.moveTo(this.installed);
    } catch (error) {
      throw cannotWrite(error, this.installed.path);
    }
    // The new model is in place, so nothing is left to continue. A program may still read the old files.
    for (const folder of this.#others) await removeAll(folder).catch(() => {});
  }

  /** Removes the installed model and what an interrupted run has left. Returns the bytes that were removed. */
  async remove(): Promise<number> {
    let bytes = 0;
    for (const folder of [...this.#others, this.installed]) {
      if (!isThere(folder)) continue;
      bytes += bytesIn(folder);
      try {
        await removeAll(folder);
      } catch (error) {
        throw cannotWrite(error, folder.path);
      }
    }
    return bytes;
  }

  /** Bytes of the installed model and of what an interrupted run has left. */
  bytes(): number {
    return [...this.#others, this.installed].filter(isThere)
      .reduce((sum, folder) => sum + bytesIn(folder), 0);
  }
}

function isThere(folder: OwnFolder): boolean {
  return folder.exists();
}

function bytesIn(folder: OwnFolder): number {
  return folder.names().reduce((sum, name) => sum + (folder.look(name)?.size ?? 0), 0);
}

async function removeAll(folder: OwnFolder): Promise<void> {
  try {
    await folder.removeAll();
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Name of the file in the folder of models that is locked. */
export const MODEL_LOCK = "lock";
/** Milliseconds between two attempts. */
const LOOK_MS = 100;

/**
 * Takes the lock of the folder of models, which a process holds while it changes something there. It ends with the process.
 * Waits while another process has it; `onWait` is called once. The file stays after the release. Throws the signal's reason,
 * `data_folder_unsafe`, `data_folder_unwritable` and `model_disk_full`.
 */
export async function lockModels(
  folder: OwnFolder,
  signal: AbortSignal,
  onWait: () => void,
): Promise<Disposable> {
  for (let waits = 0;; waits++) {
    signal.throwIfAborted();
    const file = openLock(folder);
    try {
      if (await tryLock(file, true)) {
        await file.truncate(0);
        await writeAll(file, new TextEncoder().encode(`${PROCESS_ID}\n`));
        return { [Symbol.dispose]: () => release(file) };
      }
    } catch (error) {
      file.close();
      throw cannotWrite(error, folder.at(MODEL_LOCK));
    }
    file.close();
    if (waits === 0) onWait();
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function openLock(folder: OwnFolder): Deno.FsFile {
  try {
    return folder.openToAppend(MODEL_LOCK);
  } catch (error) {
    throw cannotWrite(error, folder.at(MODEL_LOCK));
  }
}

function release(file: Deno.FsFile): void {
  try {
    file.unlockSync();
  } catch {
    // Closing the file is enough.
  }
  file.close();
}

/** Bytes that are read at once. */
const HASHED_AT_ONCE = 256 * 1024;

/** The size and the digest of a file. Throws the errors of the system. */
export async function digestOf(folder: OwnFolder, name: string): Promise<Digest> {
  using file = folder.open(name, "read");
  return await digestOfFile(file);
}

/** Like {@linkcode digestOf}, of the rest of an open file. */
export async function digestOfFile(file: ReadableFile): Promise<Digest> {
  const hash = createHash("sha256");
  const buffer = new Uint8Array(HASHED_AT_ONCE);
  let bytes = 0;
  for (;;) {
    const count = await fill(file, buffer);
    if (count === 0) return { bytes, sha256: hash.digest("hex") };
    hash.update(buffer.subarray(0, count));
    bytes += count;
  }
}

/** The size and the digest of bytes. */
export function digestOfBytes(bytes: Uint8Array): Digest {
  return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

export function isSame(a: Digest, b: Digest): boolean {
  return a.bytes === b.bytes && a.sha256 === b.sha256;
}

/** A download that failed so that another source may still succeed. */
export class SourceFailure extends UserError {}

/** The error for a failed write at `path`: `model_disk_full` or `data_folder_unwritable`. */
export function cannotWrite(error: unknown, path: string): UserError {
  if (error instanceof UserError) return error;
  if (isDiskFull(error)) return new UserError("model_disk_full", { path: dirname(path) }, { cause: error });
  return unwritable(error, path);
}
