import { basename, join } from "node:path";
import { UserError } from "../errors.ts";
import { isMissing } from "./file_error.ts";
import { isTrulyAt } from "./is_truly_at.ts";
import { lookAtSync } from "./look.ts";
import { openToRead } from "./open_to_read.ts";
import { comparable } from "./paths.ts";
import { OWNER_ALONE, replaceFile, type Write } from "./replace_file.ts";
import { isSameFile } from "./same_file.ts";

/** How often a file is looked at that another takes the place of just then. */
const LOOKS = 5;

/** How long a file may take to be opened that should come at once. */
const PATIENCE_MS = 1000;

/** How an {@linkcode OwnFolder} came to its place. */
export interface OwnFolderOptions {
  /** The folder it lies in was named by the user: links on the way there are followed. Else that must be a real path. */
  readonly named?: boolean;
}

/**
 * A folder of the program's own data, with files and no folders in it. No link in it is followed, nor one in its own
 * place: whoever can write there could lead what is written, read or deleted elsewhere. What was opened is not used before
 * it has proved to be here ({@linkcode isTrulyAt}). What is made, renamed or removed by its name could still end elsewhere
 * if a folder is exchanged in that very moment; those names are the program's own.
 *
 * Every method throws `UserError` `data_folder_unsafe` with the `path` of what is no ordinary file or folder, or has been
 * swapped for another, and the system's errors as they are.
 */
export class OwnFolder {
  readonly path: string;
  readonly #named: boolean;

  constructor(path: string, { named = false }: OwnFolderOptions = {}) {
    this.path = path;
    this.#named = named;
  }

  /** The path of a file in it. */
  at(name: string): string {
    return join(this.path, name);
  }

  /** Whether the folder is there. */
  exists(): boolean {
    if (lookAtSync(this.path) === undefined) return false;
    if (!this.#isReal(this.path)) throw unsafe(this.path);
    return true;
  }

  /** Makes the folder if it is missing; where it was named, the folders above it, too. */
  make(): void {
    if (this.exists()) return;
    try {
      Deno.mkdirSync(this.path, { recursive: this.#named });
    } catch (error) {
      // another process may have made it in between
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
    this.#mustExist();
  }

  /** The names in it. */
  names(): string[] {
    this.#mustExist();
    return [...Deno.readDirSync(this.path)].map(({ name }) => name);
  }

  /** The entry at a name, a link itself and not its target; `undefined` if there is nothing. */
  look(name: string): Deno.FileInfo | undefined {
    return lookAtSync(this.at(name));
  }

  /** Opens a file that is there. For writing it must have no second name (hard link): that could be anybody's file. */
  open(name: string, access: "read" | "write"): Deno.FsFile {
    this.#mustExist();
    const path = this.at(name);
    const write = access === "write";
    for (let looks = 1;; looks++) {
      if (!Deno.lstatSync(path).isFile) throw unsafe(path);
      // a pipe that takes its place just then is not waited for either way
      const file = write ? Deno.openSync(path, { read: true, write }) : openUnlinked(path);
      if (this.#mayBeUsed(file, path, write)) return file;
      // a run may have replaced it just now by a rename
      if (looks === LOOKS) throw unsafe(path);
    }
  }

  /**
   * Opens a file for reading by a way that lets it be locked as well. A pipe that takes its place just then is waited for in
   * another thread, and given up after a second.
   */
  async openToLock(name: string): Promise<Deno.FsFile> {
    this.#mustExist();
    const path = this.at(name);
    if (!Deno.lstatSync(path).isFile) throw unsafe(path);
    const file = await openInTime(path);
    if (file !== undefined && this.#mayBeUsed(file, path, false)) return file;
    throw unsafe(path);
  }

  /** Makes a file that must not be there yet and opens it for reading and writing. `mode`: as in {@linkcode ReplaceOptions}. */
  create(name: string, mode = OWNER_ALONE): Deno.FsFile {
    this.#mustExist();
    const path = this.at(name);
    const file = Deno.openSync(path, { createNew: true, read: true, write: true, mode });
    if (this.#mayBeUsed(file, path, true)) return file;
    throw unsafe(path);
  }

  /** Opens a file for appending and makes it if it is missing; else as for writing in {@linkcode open}. */
  openToAppend(name: string, mode = OWNER_ALONE): Deno.FsFile {
    this.#mustExist();
    const path = this.at(name);
    for (let looks = 1;; looks++) {
      const there = lookAtSync(path);
      if (there !== undefined && !there.isFile) throw unsafe(path);
      let file: Deno.FsFile;
      try {
        // for reading as well: a pipe would be waited for otherwise
        file = Deno.openSync(path, { append: true, read: true, createNew: there === undefined, mode });
      } catch (error) {
        // another process makes or removes it at this moment
        if (looks < LOOKS && (error instanceof Deno.errors.AlreadyExists || isMissing(error))) continue;
        throw error;
      }
      if (this.#mayBeUsed(file, path, true)) return file;
      if (looks === LOOKS) throw unsafe(path);
    }
  }

  /** The text of a file. */
  async readText(name: string): Promise<string> {
    return await new Response(this.open(name, "read").readable).text();
  }

  /** Whether an open file is the one at a name still. */
  isStillAt(name: string, file: Deno.FsFile): boolean {
    const now = this.look(name);
    return now !== undefined && isSameFile(now, file.statSync());
  }

  /** Replaces or makes a file in one step, see {@linkcode replaceFile}. A link in its place is replaced, not followed. */
  async replace<T>(name: string, write: Write<T>, mode = OWNER_ALONE): Promise<T> {
    this.#mustExist();
    const check = (file: Deno.FsFile, path: string) => {
      if (this.#isHere(file.statSync(), path)) return;
      // most likely a link in its place, else one that was there for a moment
      this.#mustExist();
      throw unsafe(this.path);
    };
    return await replaceFile(this.at(name), write, { check, mode });
  }

  /** Removes a file, or a link. */
  remove(name: string): void {
    this.#mustExist();
    Deno.removeSync(this.at(name));
  }

  /** Removes the folder with all that is in it; links in it are removed, not followed. */
  async removeAll(): Promise<void> {
    this.#mustExist();
    await Deno.remove(this.path, { recursive: true });
  }

  #mustExist(): void {
    if (!this.exists()) throw new Deno.errors.NotFound(`no such folder: ${this.path}`);
  }

  /** Whether a file that was opened at a path is what it should be; closes it if not. */
  #mayBeUsed(file: Deno.FsFile, path: string, write: boolean): boolean {
    let may = false;
    try {
      const opened = file.statSync();
      may = (!write || (opened.nlink ?? 1) <= 1) && this.#isHere(opened, path);
      return may;
    } finally {
      if (!may) file.close();
    }
  }

  #isHere(opened: Deno.FileInfo, path: string): boolean {
    return opened.isFile && isTrulyAt(path, opened, () => this.#isReal(path));
  }

  /** Whether the folder is one, and no link leads to this path, which is its own or in it; the way to a named one apart. */
  #isReal(path: string): boolean {
    if (!lookAtSync(this.path)?.isDirectory) return false;
    const folder = this.#named ? Deno.realPathSync(this.path) : this.path;
    const expected = path === this.path ? folder : join(folder, basename(path));
    return comparable(Deno.realPathSync(path)) === comparable(expected);
  }
}

/** Opens a file for reading; `undefined` if that takes too long. */
async function openInTime(path: string): Promise<Deno.FsFile | undefined> {
  const opening = Deno.open(path);
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  try {
    const file = await Promise.race([opening, late]);
    if (file === undefined) opening.then((file) => file.close(), () => {});
    return file;
  } finally {
    clearTimeout(timer);
  }
}

function openUnlinked(path: string): Deno.FsFile {
  try {
    return openToRead(path);
  } catch (error) {
    throw error instanceof Deno.errors.FilesystemLoop ? unsafe(path) : error;
  }
}

function unsafe(path: string): UserError {
  return new UserError("data_folder_unsafe", { path });
}
