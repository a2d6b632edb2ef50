import { basename, dirname, join } from "node:path";
import { nearest } from "../config/mod.ts";
import { isNamedFolder, listNamed } from "../sandbox/mod.ts";

/**
 * The folder beside `path`, which does not exist, with a similar name; `undefined` if there is none. Hidden folders are left
 * out.
 */
export async function similarFolder(path: string): Promise<string | undefined> {
  const parent = dirname(path);
  const names = await listNamed(parent).catch(() => []);
  const name = nearest(basename(path), names.filter((name) => !name.startsWith(".")));
  return name !== undefined && isNamedFolder(join(parent, name)) ? join(parent, name) : undefined;
}
