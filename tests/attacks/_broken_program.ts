import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { targetOf } from "../../scripts/compile/targets.ts";
import { fromExecutable, fromSources, type Start } from "../e2e/_program.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const COPIED = ["main.ts", "deno.json", "deno.lock", "config.yaml", "LICENSE", "NOTICE", "lib", "scripts"];

/** A copy of the program with some files replaced, to test faults that it should not have. */
export interface BrokenProgram extends AsyncDisposable {
  readonly fromSources: Start;
  /** Compiles an executable, if `DENORT_BIN` names a runtime. */
  compiled(): Promise<Start | undefined>;
}

/** Creates a copy with `files` by their paths in the project. */
export async function breakProgram(files: Readonly<Record<string, string>>): Promise<BrokenProgram> {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag_broken_" }));
  for (const path of COPIED) await copy(join(ROOT, path), join(top, path));
  for (const [path, text] of Object.entries(files)) await Deno.writeTextFile(join(top, path), text);
  return {
    fromSources: (args) => {
      const { cmd, args: all } = fromSources(args);
      return { cmd, args: all.map((arg) => arg === join(ROOT, "main.ts") ? join(top, "main.ts") : arg) };
    },
    async compiled() {
      if (!Deno.env.get("DENORT_BIN")) return undefined;
      const { compile }: typeof import("../../scripts/compile/compile.ts") = await import(
        pathToFileURL(join(top, "scripts/compile/compile.ts")).href
      );
      const path = join(top, Deno.build.os === "windows" ? "muxue_rag.exe" : "muxue_rag");
      const info = { commit: "0".repeat(40), "build_date": "2026-01-31T12:00:00Z" };
      const [failure] = await compile([{ target: targetOf(), path }], info);
      if (failure !== undefined) throw new Error(failure.reason);
      return fromExecutable(path);
    },
    [Symbol.asyncDispose]: () => Deno.remove(top, { recursive: true }),
  };
}

async function copy(from: string, to: string): Promise<void> {
  if (!(await Deno.stat(from)).isDirectory) {
    await Deno.mkdir(dirname(to), { recursive: true });
    await Deno.copyFile(from, to);
    return;
  }
  for await (const { name } of Deno.readDir(from)) await copy(join(from, name), join(to, name));
}
