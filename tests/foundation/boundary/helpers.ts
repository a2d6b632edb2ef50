import assert from "node:assert/strict";
import { ON_WINDOWS } from "../../_posix.ts";
import { UserError } from "#foundation/errors.ts";
import { fill, type ReadableFile } from "#foundation/boundary/mod.ts";

/** A folder that is removed at the end of its block. */
export class TempDir implements Disposable {
  /** Real path. */
  readonly path: string;

  constructor() {
    this.path = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "muxue test " }));
  }

  /** The full path of `relative`, which is separated by `/`. */
  at(relative: string): string {
    return Deno.build.os === "windows"
      ? `${this.path}\\${relative.replaceAll("/", "\\")}`
      : `${this.path}/${relative}`;
  }

  /** Writes a file and its parent folders. Returns its full path. */
  write(relative: string, content: string | Uint8Array = "text\n"): string {
    const path = this.at(relative);
    Deno.mkdirSync(this.at(relative.split("/").slice(0, -1).join("/")), { recursive: true });
    if (typeof content === "string") Deno.writeTextFileSync(path, content);
    else Deno.writeFileSync(path, content);
    return path;
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

/** Asserts that `action` throws a `UserError` with this key. Returns the error. */
export async function assertUserError(action: () => Promise<unknown>, key: string): Promise<UserError> {
  try {
    await action();
  } catch (error) {
    assert.ok(error instanceof UserError, String(error));
    assert.equal(error.key, key);
    return error;
  }
  assert.fail(`no error, expected ${key}`);
}

export { ON_WINDOWS };

/** Root can read files without read permission. */
export const IS_ROOT = !ON_WINDOWS && Deno.uid() === 0;

/** The text of an open file from its current position on. */
export async function textOf(file: ReadableFile): Promise<string> {
  const bytes = new Uint8Array(file.statSync().size);
  return new TextDecoder().decode(bytes.subarray(0, await fill(file, bytes)));
}
