import { isMissing } from "./file_error.ts";
import { comparable } from "./paths.ts";

/** What is at `path`, a link itself and not what it leads to; `undefined` if there is nothing. Throws what the system throws. */
export async function lookAt(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** {@linkcode lookAt} without a turn of the event loop. */
export function lookAtSync(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether `path` is a real path: something is there, and no link on the way. False as well where that cannot be told. */
export async function isReal(path: string): Promise<boolean> {
  return await Deno.realPath(path).then((real) => comparable(real) === comparable(path), () => false);
}

/** Whether there is anything at `path`, be it a link to nothing; false as well where that cannot be told. */
export async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}
