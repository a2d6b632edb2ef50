import { dirname, join } from "node:path";

/**
 * A path in `dir`, the system's folder for temporary files, that nobody can guess and nothing has. It is chosen before a
 * process is locked in, which then may write there and to nothing else of that folder.
 */
export function temporaryPath(dir: string): string {
  let real = dir;
  try {
    real = Deno.realPathSync(dir);
  } catch {
    // whoever wants to write there will be told
  }
  return join(real, `muxue_rag-${crypto.randomUUID()}`);
}

/** A folder for temporary files that nobody but the user can enter, removed with all that is in it on disposal. */
export class TemporaryFolder implements AsyncDisposable {
  private constructor(readonly path: string) {}

  /** Makes it; nothing may be at that path. Throws what the system throws. */
  static async make(path: string): Promise<TemporaryFolder> {
    await Deno.mkdir(path, { mode: 0o700 });
    return new TemporaryFolder(path);
  }

  /** The path of what is in it; `name` may have `/` between parts. */
  at(name: string): string {
    return join(this.path, name);
  }

  /** Makes the folder `name` in it if it is missing; gives its real path. */
  async makeFolder(name: string): Promise<string> {
    const path = this.at(name);
    await Deno.mkdir(path, { recursive: true });
    return path;
  }

  /** Writes a file that must not be there yet, with the folders above it. */
  async write(name: string, text: string): Promise<void> {
    await this.makeFolder(dirname(name));
    await Deno.writeTextFile(this.at(name), text, { createNew: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}
