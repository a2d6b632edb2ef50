import { join } from "node:path";
import { filesBelow } from "./files.ts";

/**
 * Unpacks Debian packages into `root`. Packages that are not in the folder `archives` are fetched with `apt-get download`.
 * Returns the names of the archives, which contain the versions.
 */
export async function unpack(packages: readonly string[], archives: string, root: string): Promise<string[]> {
  await Deno.mkdir(archives, { recursive: true });
  await Deno.mkdir(root, { recursive: true });
  const used: string[] = [];
  for (const name of packages) {
    let archive = await archiveOf(name, archives);
    if (archive === undefined) {
      await run("apt-get", ["download", name], archives);
      archive = await archiveOf(name, archives);
    }
    if (archive === undefined) throw new Error(`apt-get download ${name}: no archive`);
    await run("dpkg-deb", ["-x", archive, root], archives);
    used.push(archive);
  }
  return used;
}

async function archiveOf(name: string, archives: string): Promise<string | undefined> {
  const paths = (await filesBelow(archives)).map((path) => path.slice(join(archives, "/").length));
  return paths.find((path) => path.startsWith(`${name}_`) && path.endsWith(".deb"));
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args: [...args], cwd }).output();
  if (!success) throw new Error(`${command} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}
