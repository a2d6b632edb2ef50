import { dirname, join } from "node:path";
import { run } from "#program/mod.ts";
import type { Io } from "#program/io.ts";
import { fakeContext } from "./_fake_io.ts";

/** All three streams are a terminal. */
export const TERMINAL = { stdin: true, stdout: true, stderr: true };

/** A temporary folder with these files, in which the program runs inside this process. `home`: the user's home in it. */
export async function place(
  files: Readonly<Record<string, string>> = {},
  { home, ...more }: { readonly home?: string; readonly [variable: string]: string | undefined } = {},
) {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag_" }));
  const at = (...names: string[]) => join(dir, ...names);
  const env: Record<string, string> = {
    MUXUE_RAG_STATE_DIR: at("state"),
    MUXUE_RAG_CONFIG_DIR: at("settings"),
    MUXUE_RAG_LANGUAGE: "en",
    ...(home !== undefined && { HOME: at(home), USERPROFILE: at(home), APPDATA: at(home, "AppData") }),
    ...more as Record<string, string>,
  };
  const write = async (path: string, text: string) => {
    await Deno.mkdir(dirname(at(path)), { recursive: true });
    await Deno.writeTextFile(at(path), text);
  };
  for (const [path, text] of Object.entries(files)) await write(path, text);
  return {
    dir,
    at,
    env,
    write,
    mkdir: (path: string) => Deno.mkdir(at(path), { recursive: true }),
    read: (path: string) => Deno.readTextFile(at(path)),
    exists: (path: string) => Deno.lstat(at(path)).then(() => true, () => false),
    /** The names in a folder, sorted; empty if it does not exist. */
    list: (path: string) => namesIn(at(path)),
    async run(argv: readonly string[], io: Partial<Io> = {}) {
      const { context, stdout, stderr } = fakeContext({ io: { cwd: dir, env, ...io } });
      const code = await run(argv, context.io, "1.2.3");
      return { code, stdout: stdout(), stderr: stderr() };
    },
    [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }),
  };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
  } catch {
    return [];
  }
}
