import { UserError } from "../errors.ts";
import { lookAtSync } from "./look.ts";
import { OwnFolder } from "./own_folder.ts";

/**
 * A folder for log files; `path` is a real path. No link is followed, and a file with a second name (hard link) is not
 * written. Otherwise another user who can write there could make the program append to any file, or delete files elsewhere
 * that are named like an old log. Throws `UserError` `log_unsafe` with the `path`, and the errors of the system.
 */
export class LogFolder {
  readonly #folder: OwnFolder;

  constructor(readonly path: string) {
    this.#folder = new OwnFolder(path);
  }

  /** Opens a file for appending. Creates the file and the folder if they are missing, readable by their owner only. */
  openToAppend(name: string): Deno.FsFile {
    return told(() => {
      const there = lookAtSync(this.path);
      if (there?.isFile) throw new Deno.errors.NotADirectory("a file, not a folder");
      if (there === undefined) Deno.mkdirSync(this.path, { recursive: true, mode: 0o700 });
      return this.#folder.openToAppend(name);
    });
  }

  names(): string[] {
    return told(() => this.#folder.names());
  }

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
