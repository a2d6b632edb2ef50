import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BuildInfo } from "./build_info.ts";
import { buildPages } from "../pages/build.ts";
import { thirdPartyLicenses } from "./licenses.ts";
import { HELD_FILES, packModule, packTable, withBytes } from "./pack.ts";
import { run } from "./run.ts";

/**
 * Modules that are started by their URL: `main` by the executable, the others as workers. `deno compile --bundle` is not
 * enough, because it bundles only the workers that the main module starts.
 */
const ENTRIES: Readonly<Record<string, string>> = {
  main: "main.ts",
  worker: "lib/program/worker.ts",
  "embedding_worker": "lib/models/embedding/builtin/worker.ts",
  "term_worker": "lib/engine/index/postings/term_worker.ts",
  "extract_worker": "lib/library/extract/worker.ts",
  "model_worker": "lib/models/neural/thread.ts",
  "watch_worker": "lib/foundation/boundary/watch_worker.ts",
};

/** A module that the modules with bytes import, see {@linkcode withBytes}. */
const HELD_FILES_SOURCE = "lib/foundation/boundary/held_files.ts";

/** The exports of the AI SDK that the program uses, by package. */
const AI_SDK: Readonly<Record<string, readonly string[]>> = {
  "ai": ["APICallError", "embedMany", "generateText", "InvalidResponseDataError"],
  "@ai-sdk/anthropic": ["createAnthropic"],
  "@ai-sdk/azure": ["createAzure"],
  "@ai-sdk/openai": ["createOpenAI"],
  "@ai-sdk/openai-compatible": ["createOpenAICompatible"],
};

/**
 * Packages that few runs need, with the exports that the program uses. Those of a row are one module, which is bundled without other
 * files and packed (see {@linkcode packModule}). The program imports them by name, and {@linkcode Stage.importMap} maps the names.
 */
const PACKED: Readonly<Record<string, typeof AI_SDK>> = {
  "ai_sdk": AI_SDK,
  jschardet: { jschardet: ["detect"] },
  pdfjs: { "unpdf/pdfjs": ["getDocument", "OPS", "PDFWorker", "VerbosityLevel"] },
  xlsx: { "@e965/xlsx": ["read", "set_cptable"] },
};

/** Modules of packages that are replaced, imported by name as well. */
const REPLACED: Readonly<Record<string, string>> = {
  // The original contains Ajv, a third of the code for MCP. It checks what users enter in forms, and the program shows no
  // forms.
  "@modelcontextprotocol/server/_shims":
    `export { default as process } from "node:process";\nexport class DefaultJsonSchemaValidator {}`,
};

/** Files that are read at run time or that every copy must contain, by their path in the project. */
const DATA = ["LICENSE", "NOTICE"];
/** A folder of such files. */
const PROMPTS = "lib/models/language/prompts";
/** The folder of the built web pages. */
const PAGES = "dist/pages";
/** The table. An executable for Linux holds it apart, as it does {@linkcode Stage.apart}: see `FILES_ARE_APART`. */
const TABLE = "lib/models/embedding/builtin/table.bin";

/** Input of `deno compile`. */
export interface Stage {
  /** The main module. */
  readonly main: string;
  /** Other files of the executable. The program opens them at run time by their path from `PROGRAM_ROOT`. */
  readonly include: readonly string[];
  /** A file that executables include, or have apart. */
  readonly table: string;
  /** Paths and contents of files of bytes that modules import. Executables include them, or have them apart and include empty ones. */
  readonly apart: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** Sets the time of a file that was written again. */
  readonly setTime: (file: string) => Promise<void>;
  /** Path of the import map for the modules that are imported by name. */
  readonly importMap: string;
}

/**
 * Makes the contents of an executable of the project in `root`, in the empty folder `folder`. The modules are bundled and
 * minified into its folder `files`. Code that several entries or a dynamic import share is in separate files, so a command
 * loads only the parts that it needs. The same folder contains the data and a small module for each worker, under their
 * paths in the sources; the files `build_info` and `THIRD_PARTY_LICENSES`; and, in `apart`, the modules that are imported by name.
 */
export async function stage(root: string, folder: string, info: BuildInfo): Promise<Stage> {
  const files = join(folder, "files");
  const packed = Object.values(PACKED).flatMap(Object.keys);
  const replaced = Object.keys(REPLACED);
  const address = (path: string) => JSON.stringify(pathToFileURL(join(root, path)).href);
  const entries = Object.entries(ENTRIES).map(([name, path]) => [name, `import ${address(path)};\n`]);
  entries.push([HELD_FILES, `export * from ${address(HELD_FILES_SOURCE)};\n`]);
  await bundle(root, join(folder, "entries"), files, Object.fromEntries(entries), {
    external: [...packed, ...replaced],
  });
  const parts = Object.values(REPLACED).map((source, at) => [`${at}`, source]);
  const apart = join(files, "apart");
  await bundle(root, join(folder, "replaced"), apart, Object.fromEntries(parts));
  const imports = Object.fromEntries(replaced.map((name, at) => [name, `./apart/${at}.js`]));
  for (const [name, packages] of Object.entries(PACKED)) {
    const source = Object.entries(packages).map(([from, names]) => `export { ${names} } from "${from}";\n`);
    const out = join(folder, `${name}_bundle`);
    await bundle(root, join(folder, name), out, { [name]: source.join("") }, { isSplit: false });
    await packModule(join(out, `${name}.js`), Object.values(packages).flat(), apart);
    for (const from of Object.keys(packages)) imports[from] = `./apart/${name}.js`;
  }
  await withBytes(files);
  const importMap = join(files, "import_map.json");
  await Deno.writeTextFile(importMap, JSON.stringify({ imports }));

  const include = [];
  for (const [name, path] of Object.entries(ENTRIES)) {
    if (name === "main") continue;
    const up = "../".repeat(path.split("/").length - 1);
    include.push(await put(path, `import "${up}${name}.js";\n`));
  }
  const prompts = (await Array.fromAsync(Deno.readDir(join(root, PROMPTS)))).map(({ name }) =>
    `${PROMPTS}/${name}`
  );
  for (const path of [...DATA, ...prompts.toSorted()]) {
    include.push(await put(path, await Deno.readFile(join(root, path))));
  }
  for (const name of await buildPages(join(files, PAGES))) include.push(join(files, PAGES, name));
  const table = await put(TABLE, packTable(await Deno.readFile(join(root, TABLE))));
  include.push(await put("build_info", `${JSON.stringify(info)}\n`));
  include.push(await put("THIRD_PARTY_LICENSES", await thirdPartyLicenses(root)));
  // The executable keeps the times of its files.
  const time = new Date(info.build_date);
  const setTime = (file: string) => Deno.utime(file, time, time);
  const bytes = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const place of [files, apart]) {
    for await (const { name, isFile } of Deno.readDir(place)) {
      const file = join(place, name);
      if (isFile) await setTime(file);
      if (/\.(?:bin|br)$/.test(name)) bytes.set(file, await Deno.readFile(file));
    }
  }
  for (const file of [...include, table]) await setTime(file);
  return { main: join(files, "main.js"), include, table, apart: bytes, setTime, importMap };

  async function put(path: string, content: string | Uint8Array): Promise<string> {
    const file = join(files, path);
    await Deno.mkdir(dirname(file), { recursive: true });
    await (typeof content === "string" ? Deno.writeTextFile(file, content) : Deno.writeFile(file, content));
    return file;
  }
}

/**
 * Writes modules with the texts of `entries` to the folder `sources`, bundles them under their names and minifies the
 * bundles.
 */
async function bundle(
  root: string,
  sources: string,
  out: string,
  entries: Readonly<Record<string, string>>,
  { external = [], isSplit = true }: { external?: readonly string[]; isSplit?: boolean } = {},
): Promise<void> {
  await Deno.mkdir(sources);
  // All entries are in one folder, because the bundler would mirror the folders of the sources.
  const paths = Object.keys(entries).map((name) => join(sources, `${name}.ts`));
  for (const [at, text] of Object.values(entries).entries()) await Deno.writeTextFile(paths[at]!, text);
  await run(Deno.execPath(), [
    "bundle",
    "--quiet",
    "--frozen",
    "--no-check",
    "--platform=deno",
    ...(isSplit ? ["--code-splitting"] : []),
    ...external.map((name) => `--external=${name}`),
    `--config=${join(root, "deno.json")}`,
    `--outdir=${out}`,
    ...paths,
  ]);
  await run(Deno.execPath(), [
    "run",
    "--quiet",
    "--frozen",
    "--no-prompt",
    "--allow-all",
    `--config=${join(root, "scripts", "compile", "minify.json")}`,
    join(root, "scripts", "compile", "minify.ts"),
    out,
  ]);
}
