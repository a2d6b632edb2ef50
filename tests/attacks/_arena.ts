import { join } from "node:path";
import { makeSandbox, type Sandbox, type Start } from "../e2e/_program.ts";

/** A word that occurs only outside the folder. No answer and no index may contain it. */
export const SECRET = "swordfish4711";

/** A folder that the program serves, and files beside it that it must not touch. */
export interface Arena extends Sandbox {
  /** Real path of a folder outside that contains `secret.txt`. */
  readonly outside: string;
  /** Full path of an entry of the folder. */
  at(relative: string): string;
  /** Full path of an entry beside the folder. */
  beside(relative: string): string;
}

/** Creates an arena with `files` in its folder. Everything is removed on disposal. */
export async function makeArena(start: Start, files: Record<string, string>): Promise<Arena> {
  const sandbox = await makeSandbox(files, start);
  const beside = (relative: string) => join(sandbox.cwd, relative);
  const outside = beside("outside");
  await Deno.mkdir(outside);
  await Deno.writeTextFile(join(outside, "secret.txt"), `${SECRET}\n`);
  return { ...sandbox, outside, at: (relative) => join(sandbox.folder, relative), beside };
}

/** {@linkcode makeArena}, with the folder indexed. */
export async function indexedArena(start: Start, files: Record<string, string>): Promise<Arena> {
  const arena = await makeArena(start, files);
  const { code, stderr } = await arena.run("--dir", arena.folder, "--quiet");
  if (code !== 0) throw new Error(stderr);
  return arena;
}

/** Returns the content of a folder: each path with its content or link target, and its modification time. */
export async function snapshot(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name } of Deno.readDir(folder)) {
    const path = join(folder, name);
    const { isFile, isDirectory, mtime } = await Deno.lstat(path);
    const content = isFile
      ? new TextDecoder("latin1").decode(await Deno.readFile(path))
      : isDirectory
      ? "folder"
      : await Deno.readLink(path);
    found[name] = `${mtime?.toISOString()} ${content}`;
    if (!isDirectory) continue;
    for (const [below, what] of Object.entries(await snapshot(path))) found[`${name}/${below}`] = what;
  }
  return found;
}
