import { join } from "node:path";

/** Copies a folder with the entries whose names are `wanted`; by default without hidden ones, such as an index. */
export async function copyFolder(
  from: string,
  to: string,
  wanted: (name: string) => boolean = (name) => !name.startsWith("."),
): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (!wanted(name)) continue;
    if (isDirectory) await copyFolder(join(from, name), join(to, name), wanted);
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}
