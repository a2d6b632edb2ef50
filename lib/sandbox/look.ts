import { isMissing } from "./system_error.ts";
import { comparable } from "./paths.ts";

/** `lstat` of `path`, or `undefined` if nothing exists there. Throws the other errors of the system. */
export async function lookAt(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Synchronous {@linkcode lookAt}. */
export function lookAtSync(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether something exists at `path` and no part of the path is a link. False as well if that cannot be determined. */
export async function isReal(path: string): Promise<boolean> {
  return await Deno.realPath(path).then((real) => comparable(real) === comparable(path), () => false);
}

/** Whether anything exists at `path`, dangling links included. False as well if that cannot be determined. */
export async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

type FileIdentity = Pick<Deno.FileInfo, "dev" | "ino">;

/** Whether two `stat` results are of the same file: equal device and inode numbers, where the system has them. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return (a.ino === null || b.ino === null || a.ino === b.ino) && (!a.dev || !b.dev || a.dev === b.dev);
}
