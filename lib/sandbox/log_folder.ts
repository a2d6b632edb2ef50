import { UserError } from "../errors.ts";
import { lookAtSync } from "./look.ts";
import { OwnFolder } from "./own_folder.ts";

/**
 * A folder for log files; `path` is a real one. No link is followed, neither in its own place nor in that of a file, and a
 * file that has a second name (hard link) is not written to: whoever can write there could have anybody's file appended to,
 * or files of an old log's name deleted anywhere. Throws `UserError` `log_unsafe` with the `path`, and the system's errors as
 * they are.
 */
export class LogFolder {
  readonly #folder: OwnFolder;

  constructor(readonly path: string) {
    this.#folder = new OwnFolder(path);
  }

  /** Opens a file for appending. It and the folder are made where they are missing, for nobody but the user to read. */
  openToAppend(name: string): Deno.FsFile {
    return told(() => {
      const there = lookAtSync(this.path);
      if (there?.isFile) throw new Deno.errors.NotADirectory("a file, not a folder");
      if (there === undefined) Deno.mkdirSync(this.path, { recursive: true, mode: 0o700 });
      return this.#folder.openToAppend(name);
    });
  }

  /** The names in it. */
  names(): string[] {
    return told(() => this.#folder.names());
  }

  /** Removes a file. */
  remove(name: string): void {
    told(() => this.#folder.remove(name));
  }
}

function told<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof UserError) || error.key !== "data_folder_unsafe") throw error;
    throw new UserError("log_unsafe", error.params, { cause: error });
  }
}
