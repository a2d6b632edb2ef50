/**
 * The files and folders that the command lines of `check-answer`, `why-not` and `token add` name. They are not in the files of the
 * commands, because the permissions are computed before a command is loaded.
 */
import { basename, dirname, join, resolve } from "node:path";
import { lookAt, realPlaceNamed, statNamed } from "#foundation/boundary/mod.ts";
import type { NamedPathsInput } from "../command.ts";

/** UTF-16 units of an operand that may be a path. */
const LONGEST_PATH = 1000;

/** Returns the full paths of the files of `--passages`, and after them that of the answer if the operand is an existing file. */
export async function checkedFiles({ operands, flags, cwd }: NamedPathsInput): Promise<string[]> {
  const passages = (flags.passages ?? []).map((path) => resolve(cwd, path));
  const [answer = "-"] = operands;
  if (answer === "-" || answer.length > LONGEST_PATH || answer.includes("\0")) return passages;
  const path = resolve(cwd, answer);
  const isFile = await statNamed(path).then(({ isFile }) => isFile, () => false);
  return isFile ? [...passages, path] : passages;
}

/** The full path of the file on the command line, if it lies in the working folder. A link stays one. */
export async function expectedFile({ operands: [, file], cwd }: NamedPathsInput): Promise<string[]> {
  if (file === undefined || file.includes("\0")) return [];
  const path = resolve(cwd, file);
  const names = [path, path.replace(/(?::|#L)\d+(?:-L?\d+)?$/, "")];
  for (const name of names) {
    if (await lookAt(name).catch(() => undefined) === undefined) continue;
    return [join(await realPlaceNamed(dirname(path)), basename(path))];
  }
  return [];
}

/** Whether `--collection` has the path of a folder instead of a name. */
export function isPath(collection: string): boolean {
  return /[/\\]|^\.\.?$/.test(collection);
}

/** The real paths of the folders among the collections of `token add`, in their order. */
export async function collectionPaths({ flags, cwd }: NamedPathsInput): Promise<string[]> {
  const named = (flags.collection ?? []).map((text) => text.replace(/:(?:read|write)$/, "")).filter(isPath);
  return await Promise.all(named.map((path) => realPlaceNamed(resolve(cwd, path))));
}
