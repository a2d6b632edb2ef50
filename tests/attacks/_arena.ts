import { join } from "node:path";
import {
  type Files,
  makeIndexed,
  makeSandbox,
  type Sandbox,
  type SandboxOptions,
  writeFiles,
} from "../e2e/_program.ts";

/** Links, pipes and `/proc` are not available everywhere. */
export const ON_LINUX = Deno.build.os === "linux";

/** Registers an attack as a test that needs Linux. */
export function attackOnLinux(name: string, test: (context: Deno.TestContext) => Promise<void>): void {
  Deno.test({ name, ignore: !ON_LINUX, fn: test });
}

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
export async function makeArena(files: Files, options?: SandboxOptions): Promise<Arena> {
  return await arenaIn(await makeSandbox(files, options));
}

/** {@linkcode makeArena}, with the folder indexed, for which `env` does not count. */
export async function indexedArena(files: Files, options?: SandboxOptions): Promise<Arena> {
  return await arenaIn(await makeIndexed(files, options));
}

async function arenaIn(sandbox: Sandbox): Promise<Arena> {
  const beside = (relative: string) => join(sandbox.cwd, relative);
  await writeFiles(beside("outside"), { "secret.txt": `${SECRET}\n` });
  const at = (relative: string) => join(sandbox.folder, relative);
  return { ...sandbox, outside: beside("outside"), at, beside };
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
