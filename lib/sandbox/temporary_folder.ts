import { dirname, join } from "node:path";

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

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}
