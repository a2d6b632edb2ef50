import { join } from "node:path";

/** Returns the paths of all files below a folder, sorted. A folder that does not exist has no files. */
export async function filesBelow(folder: string): Promise<string[]> {
  const paths: string[] = [];
  const entries = await Array.fromAsync(Deno.readDir(folder)).catch(() => []);
  for (const { name, isDirectory, isFile } of entries) {
    const path = join(folder, name);
    if (isDirectory) paths.push(...await filesBelow(path));
    if (isFile) paths.push(path);
  }
  return paths.sort();
}
