/** The files that the user took out of an index: a list of paths in JSON, which a person may read and correct. */
import { UserError } from "#foundation/errors.ts";
import {
  fileError,
  fill,
  isMissing,
  type OwnFolder,
  unwritable,
  writeAll,
} from "#foundation/boundary/mod.ts";
import { isPathInside, MOST_REMOVED, type RemovedFiles } from "../store.ts";
import { takeAwayOdd, WriterLock } from "./data_folder.ts";

/** Name of the list in the data folder. */
const REMOVED_FILE = "removed.json";
/** The file of the lock that is held while the list changes, and the attempts to take it: those of 5 seconds. */
const LOCK_FILE = "removed.lock", LOOKS = 250;
/** Bytes of a list that is read. */
const MAX_BYTES = 32_000_000;
const NONE: ReadonlySet<string> = new Set();

/** Keeps the list in `.muxue_rag/removed.json`. It is read again when the file has changed. */
export class FolderRemoved implements RemovedFiles {
  readonly #root: string;
  readonly #folder: OwnFolder;
  #known: { readonly version: string; readonly paths: ReadonlySet<string> } | undefined;

  /** `folder`: the data folder of `root`. */
  constructor(root: string, folder: OwnFolder) {
    this.#root = root;
    this.#folder = folder;
  }

  async paths(): Promise<ReadonlySet<string>> {
    try {
      const info = this.#folder.look(REMOVED_FILE);
      if (info === undefined) return NONE;
      const version = versionOf(info);
      if (this.#known?.version === version) return this.#known.paths;
      const paths = await this.#read(info.size);
      this.#known = { version, paths };
      return paths;
    } catch (error) {
      if (isMissing(error)) return NONE;
      throw error instanceof UserError ? error : fileError(error, this.#folder.at(REMOVED_FILE));
    }
  }

  version(): Promise<string> {
    return Promise.try(() => {
      const info = this.#folder.look(REMOVED_FILE);
      return info === undefined ? "" : versionOf(info);
    });
  }

  async #read(size: number): Promise<ReadonlySet<string>> {
    const unusable = new UserError("removed_list_unusable", { path: this.#folder.at(REMOVED_FILE) });
    if (size > MAX_BYTES) throw unusable;
    using file = this.#folder.open(REMOVED_FILE, "read");
    const bytes = new Uint8Array(size);
    let listed: unknown;
    try {
      listed = JSON.parse(new TextDecoder().decode(bytes.subarray(0, await fill(file, bytes))));
    } catch {
      throw unusable;
    }
    if (!Array.isArray(listed) || listed.length > MOST_REMOVED) throw unusable;
    if (!listed.every((path) => typeof path === "string" && isPathInside(path))) throw unusable;
    return new Set(listed);
  }

  add(paths: ReadonlySet<string>): Promise<number> {
    return this.#change((known) => known.union(paths));
  }

  delete(paths: ReadonlySet<string>): Promise<number> {
    return this.#change((known) => known.difference(paths));
  }

  async #change(by: (known: ReadonlySet<string>) => ReadonlySet<string>): Promise<number> {
    if (!this.#folder.exists()) return 0;
    await using _lock = await WriterLock.take(this.#root, this.#folder, LOCK_FILE, LOOKS);
    const known = await this.paths();
    const paths = by(known);
    if (paths.size !== known.size) await this.#write(paths);
    return Math.abs(paths.size - known.size);
  }

  async #write(paths: ReadonlySet<string>): Promise<void> {
    if (paths.size > MOST_REMOVED) throw new UserError("removed_too_many", { limit: MOST_REMOVED });
    try {
      takeAwayOdd(this.#folder, [REMOVED_FILE]);
      if (paths.size === 0) {
        if (this.#folder.look(REMOVED_FILE) !== undefined) this.#folder.remove(REMOVED_FILE);
        return;
      }
      const text = `${JSON.stringify([...paths].sort(), null, 2)}\n`;
      await this.#folder.replace(REMOVED_FILE, (file) => writeAll(file, new TextEncoder().encode(text)));
    } catch (error) {
      throw error instanceof UserError ? error : unwritable(error, this.#folder.at(REMOVED_FILE));
    }
  }
}

function versionOf({ ino, size, mtime }: Deno.FileInfo): string {
  return `${ino} ${size} ${mtime?.getTime()}`;
}
