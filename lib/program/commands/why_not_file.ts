/**
 * The file that the command line of `why-not` names. It stands apart from the command, because the permissions are computed before the
 * command is loaded.
 */
import { basename, dirname, join, resolve } from "node:path";
import { lookAt, realPlaceNamed } from "#foundation/boundary/mod.ts";
import type { NamedPathsInput } from "../command.ts";

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
