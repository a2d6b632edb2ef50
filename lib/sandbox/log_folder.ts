import { join } from "node:path";

/** A folder that the user named for log files: links are followed. Throws the system's errors as they are. */
export class LogFolder {
  constructor(readonly path: string) {}

  /** Opens a file for appending. It and the folder are made where they are missing, for nobody but the user to read. */
  openToAppend(name: string): Deno.FsFile {
    Deno.mkdirSync(this.path, { recursive: true, mode: 0o700 });
    return Deno.openSync(join(this.path, name), { create: true, append: true, mode: 0o600 });
  }

  /** The names in it. */
  names(): string[] {
    return [...Deno.readDirSync(this.path)].map(({ name }) => name);
  }

  /** Removes a file. */
  remove(name: string): void {
    Deno.removeSync(join(this.path, name));
  }
}
