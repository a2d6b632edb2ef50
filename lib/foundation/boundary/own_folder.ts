/**
 * The program's own data: folders of files in which no link is followed,
 * and the folder of the logs.
 */
import { basename, join } from "node:path";
import process from "node:process";
import { UserError } from "#foundation/errors.ts";
import { comparable, isMissing, isSameFile, isTaken, lookAtSync } from "./paths.ts";
import { fileError, fill, isTrulyAt, openToRead, type ReadableFile } from "./open_file.ts";
import { OWNER_ALONE, renameOver, replaceFile, TEMPORARY_END, type Write } from "./replace_file.ts";

/** How often opening a file is tried that is replaced at the same moment. */
const ATTEMPTS = 5;

/** Milliseconds that opening a file may take. A pipe would be waited for. */
const PATIENCE_MS = 1000;

/**
 * A folder of the program's own data, with files and no subfolders. The folder must not be a link, and no link in it is
 * followed: another user who can write there could redirect what is read, written or deleted. An opened file is used only
 * after it was found to be in this folder ({@linkcode isTrulyAt}). A creation, a rename or a removal by name can still take
 * effect elsewhere if a folder is exchanged at that very moment; the names are the program's own.
 *
 * Every method throws `UserError` `data_folder_unsafe` with the `path` of an entry that is not an ordinary file or folder or
 * was swapped for another, and the errors of the system.
 */
export class OwnFolder {
  readonly #named: boolean;

  /** `named`: whether the user named the parent folder: links in its path are followed. Otherwise that must be a real path. */
  constructor(readonly path: string, { named = false } = {}) {
    this.#named = named;
  }

  /** The path of the file `name`. */
  at(name: string): string {
    return join(this.path, name);
  }

  exists(): boolean {
    if (lookAtSync(this.path) === undefined) return false;
    if (!this.#isReal(this.path)) throw this.unsafe(this.path);
    return true;
  }

  /** Creates the folder if it is missing, and its parents if it was named. */
  make(): void {
    if (this.exists()) return;
    try {
      Deno.mkdirSync(this.path, { recursive: this.#named });
    } catch (error) {
      // Another process may have created it in between.
      if (!isTaken(error)) throw error;
    }
    this.#mustExist();
  }

  names(): string[] {
    this.#mustExist();
    return [...Deno.readDirSync(this.path)].map(({ name }) => name);
  }

  /** Like {@linkcode names}, but returns an empty list without a folder. Errors of the system become `no_permission` or `file_unreadable`. */
  namesIfAny(): string[] {
    try {
      return this.names();
    } catch (error) {
      if (isMissing(error)) return [];
      throw fileError(error, this.path);
    }
  }

  /** `lstat` of an entry, or `undefined` if there is none. */
  look(name: string): Deno.FileInfo | undefined {
    return lookAtSync(this.at(name));
  }

  /** Opens an existing file. One with a second name (hard link) is not opened for writing: it could be anybody's file. */
  open(name: string, access: "write"): Deno.FsFile;
  open(name: string, access: "read" | "write"): ReadableFile;
  open(name: string, access: "read" | "write"): ReadableFile {
    this.#mustExist();
    const path = this.at(name);
    const write = access === "write";
    for (let attempt = 1;; attempt++) {
      if (!Deno.lstatSync(path).isFile) throw this.unsafe(path);
      // Neither call waits for a pipe that takes its place at this moment.
      const file = write ? Deno.openSync(path, { read: true, write }) : this.#openUnlinked(path);
      if (this.#mayBeUsed(file, path, write)) return file;
      // Another run may have replaced it by a rename.
      if (attempt === ATTEMPTS) throw this.unsafe(path);
    }
  }

  /**
   * Opens a file for reading so that it can be locked as well. A pipe that takes its place at this moment is waited for in
   * another thread, for at most a second.
   */
  async openToLock(name: string): Promise<Deno.FsFile> {
    this.#mustExist();
    const path = this.at(name);
    if (!Deno.lstatSync(path).isFile) throw this.unsafe(path);
    const file = await openInTime(path);
    if (file !== undefined && this.#mayBeUsed(file, path, false)) return file;
    throw this.unsafe(path);
  }

  /** Creates a new file and opens it for reading and writing. `mode`: as in {@linkcode ReplaceOptions}. */
  create(name: string, mode = OWNER_ALONE): Deno.FsFile {
    this.#mustExist();
    const path = this.at(name);
    const file = Deno.openSync(path, { createNew: true, read: true, write: true, mode });
    if (this.#mayBeUsed(file, path, true)) return file;
    throw this.unsafe(path);
  }

  /** Opens a file for appending and creates it if it is missing. The rules of {@linkcode open} for writing hold. */
  openToAppend(name: string, mode = OWNER_ALONE): Deno.FsFile {
    this.#mustExist();
    const path = this.at(name);
    for (let attempt = 1;; attempt++) {
      const there = lookAtSync(path);
      if (there !== undefined && !there.isFile) throw this.unsafe(path);
      let file: Deno.FsFile;
      try {
        // Reading is asked for as well, because the call would wait for a pipe otherwise.
        file = Deno.openSync(path, { append: true, read: true, createNew: there === undefined, mode });
      } catch (error) {
        // Another process creates or removes it at this moment.
        if (attempt < ATTEMPTS && (isTaken(error) || isMissing(error))) continue;
        throw error;
      }
      if (this.#mayBeUsed(file, path, true)) return file;
      if (attempt === ATTEMPTS) throw this.unsafe(path);
    }
  }

  async readText(name: string): Promise<string> {
    using file = this.open(name, "read");
    const bytes = new Uint8Array(file.statSync().size);
    return new TextDecoder().decode(bytes.subarray(0, await fill(file, bytes)));
  }

  /** Whether an open file is still the one at a name. */
  isStillAt(name: string, file: Deno.FsFile): boolean {
    const now = this.look(name);
    return now !== undefined && isSameFile(now, file.statSync());
  }

  /** Creates or replaces a file in one step, see {@linkcode replaceFile}. A link in its place is replaced, not followed. */
  async replace<T>(name: string, write: Write<T>, mode = OWNER_ALONE): Promise<T> {
    this.#mustExist();
    return await replaceFile(this.at(name), write, { check: this.#checkHere, mode });
  }

  /** Throws unless a new file is in this folder. */
  readonly #checkHere = (file: Deno.FsFile, path: string): void => {
    if (this.#isHere(file.statSync(), path)) return;
    // There is probably a link in its place, or there was one for a moment.
    this.#mustExist();
    throw this.unsafe(this.path);
  };

  /** Creates a file in one step. Throws `Deno.errors.AlreadyExists` if anything has its name, a link included. */
  async add<T>(name: string, write: Write<T>, mode = 0o666): Promise<T> {
    this.#mustExist();
    // Hidden, so that nothing takes it for a file of the folder.
    const temporary = this.at(`.${crypto.randomUUID()}${TEMPORARY_END}`);
    return await replaceFile(this.at(name), write, {
      check: this.#checkHere,
      mode,
      overwrite: false,
      temporary,
    });
  }

  /** Gives a file another name in this folder. A file of that name is replaced, also while it is open: see {@linkcode renameOver}. */
  async rename(name: string, to: string): Promise<void> {
    this.#mustExist();
    await renameOver(this.at(name), this.at(to));
  }

  /** Moves the folder to a place in its parent folder where nothing exists. */
  moveTo(place: OwnFolder): void {
    this.#mustExist();
    if (lookAtSync(place.path) !== undefined) throw new Deno.errors.AlreadyExists(place.path);
    Deno.renameSync(this.path, place.path);
  }

  /** Removes a file or a link. */
  remove(name: string): void {
    this.#mustExist();
    Deno.removeSync(this.at(name));
  }

  /**
   * Takes away an entry that is in the way of a file: removes a link, a pipe, a socket, a device or an empty folder, and not
   * what it leads to. A folder with content gets another name, which is returned.
   */
  takeAway(name: string): string | undefined {
    try {
      this.remove(name);
      return undefined;
    } catch (error) {
      if (this.look(name)?.isDirectory !== true) throw error;
    }
    const aside = `${name}.${crypto.randomUUID().slice(0, 8)}.aside`;
    this.#mustExist();
    Deno.renameSync(this.at(name), this.at(aside));
    return aside;
  }

  /** Removes the folder if nothing is in it. Never throws. */
  removeIfEmpty(): void {
    try {
      if (this.exists()) Deno.removeSync(this.path);
    } catch {
      // Something is in it, or the system refuses.
    }
  }

  /** Removes the folder and its content. Links in it are removed, not followed. */
  async removeAll(): Promise<void> {
    this.#mustExist();
    await Deno.remove(this.path, { recursive: true });
  }

  /** The error for an entry that must not be used. */
  protected unsafe(path: string): UserError {
    return new UserError("data_folder_unsafe", { path });
  }

  #openUnlinked(path: string): ReadableFile {
    try {
      return openToRead(path);
    } catch (error) {
      throw error instanceof Deno.errors.FilesystemLoop ? this.unsafe(path) : error;
    }
  }

  #mustExist(): void {
    if (!this.exists()) throw new Deno.errors.NotFound(`no such folder: ${this.path}`);
  }

  /** Whether an opened file is in this folder and may be used. Closes it if not. */
  #mayBeUsed(file: ReadableFile, path: string, write: boolean): boolean {
    let may = false;
    try {
      const opened = file.statSync();
      may = (!write || (opened.nlink ?? 1) <= 1) && this.#isHere(opened, path);
      return may;
    } finally {
      if (!may) file.close();
    }
  }

  #isHere(opened: ReturnType<ReadableFile["statSync"]>, path: string): boolean {
    return opened.isFile && isTrulyAt(path, opened, () => this.#isReal(path));
  }

  /**
   * Whether the folder is a folder and `path`, its own or of a file in it, has no link. Links above a named folder are
   * allowed.
   */
  #isReal(path: string): boolean {
    if (!lookAtSync(this.path)?.isDirectory) return false;
    const folder = this.#named ? Deno.realPathSync(this.path) : this.path;
    const expected = path === this.path ? folder : join(folder, basename(path));
    return comparable(Deno.realPathSync(path)) === comparable(expected);
  }
}

/** Opens a file for reading; `undefined` if that takes longer than {@linkcode PATIENCE_MS}. */
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

/**
 * A folder for log files; `path` is a real path. No link is followed, and a file with a second name (hard link) is not
 * written. Otherwise another user who can write there could make the program append to any file, or delete files elsewhere
 * that are named like an old log. Throws `UserError` `log_unsafe` with the `path`, and the errors of the system.
 */
export class LogFolder extends OwnFolder {
  /** Opens a file for appending. Creates the file and the folder if they are missing, readable by their owner only. */
  override openToAppend(name: string): Deno.FsFile {
    const there = lookAtSync(this.path);
    if (there?.isFile) throw new Deno.errors.NotADirectory("a file, not a folder");
    if (there === undefined) Deno.mkdirSync(this.path, { recursive: true, mode: 0o700 });
    return super.openToAppend(name);
  }

  protected override unsafe(path: string): UserError {
    return new UserError("log_unsafe", { path });
  }
}

/**
 * Returns the SHA-256 of a text in UTF-8, in hexadecimal: a name for a path or a query in the program's own files. It is here because an
 * import of `node:crypto` would load Node's streams as well (see `fs` in `open_file.ts`), and only this house may ask for modules by name.
 */
export function sha256Hex(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
}
