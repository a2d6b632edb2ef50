import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BuildInfo } from "./build_info.ts";
import { thirdPartyLicenses } from "./licenses.ts";
import { run } from "./run.ts";

/**
 * Modules that are started by their address: `main` by the executable, the other as a worker. `deno compile --bundle` does
 * not do: it bundles only workers that the main module itself starts.
 */
const ENTRIES: Readonly<Record<string, string>> = {
  main: "main.ts",
  "embedding_worker": "lib/embedding/builtin/worker.ts",
};

/** Files that are read at run time, or have to go with every copy, by their path in the project. */
const DATA = ["lib/embedding/builtin/table.bin", "LICENSE", "NOTICE"];

/** What `deno compile` makes an executable of. */
export interface Stage {
  /** The main module. */
  readonly main: string;
  /** Further files to put in: what the program names at run time, by paths from `PROGRAM_ROOT`. */
  readonly include: readonly string[];
}

/**
 * Makes in `folder`, an empty one, what goes into an executable of the project in `root`. The modules are bundled,
 * minified, into that one folder, with what several entries or a dynamic import share in files of its own: a command
 * loads only its own part. Beside them lie, where they lie in the sources too,
 * the data and a small module for the worker, and the files `build_info` and
 * `THIRD_PARTY_LICENSES`.
 */
export async function stage(root: string, folder: string, info: BuildInfo): Promise<Stage> {
  const entries = join(folder, "entries");
  const files = join(folder, "files");
  await Deno.mkdir(entries);
  const sources = [];
  for (const [name, path] of Object.entries(ENTRIES)) {
    const source = join(entries, `${name}.ts`);
    // all in one folder, or the bundler would mirror the folders of the sources
    await Deno.writeTextFile(source, `import ${JSON.stringify(pathToFileURL(join(root, path)).href)};\n`);
    sources.push(source);
  }
  await run(Deno.execPath(), [
    "bundle",
    "--quiet",
    "--frozen",
    "--no-check",
    "--platform=deno",
    "--code-splitting",
    "--minify",
    `--config=${join(root, "deno.json")}`,
    `--outdir=${files}`,
    ...sources,
  ]);

  const include = [];
  for (const [name, path] of Object.entries(ENTRIES)) {
    if (name === "main") continue;
    const up = "../".repeat(path.split("/").length - 1);
    include.push(await put(path, `import "${up}${name}.js";\n`));
  }
  for (const path of DATA) include.push(await put(path, await Deno.readFile(join(root, path))));
  include.push(await put("build_info", `${JSON.stringify(info)}\n`));
  include.push(await put("THIRD_PARTY_LICENSES", await thirdPartyLicenses(root)));
  // the executable keeps the times of its files
  const time = new Date(info.build_date);
  for await (const { name, isFile } of Deno.readDir(files)) {
    if (isFile) await Deno.utime(join(files, name), time, time);
  }
  for (const file of include) await Deno.utime(file, time, time);
  return { main: join(files, "main.js"), include };

  async function put(path: string, content: string | Uint8Array): Promise<string> {
    const file = join(files, path);
    await Deno.mkdir(dirname(file), { recursive: true });
    await (typeof content === "string" ? Deno.writeTextFile(file, content) : Deno.writeFile(file, content));
    return file;
  }
}
