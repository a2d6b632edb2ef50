/**
 * Builds the web pages: bundles `web/main.tsx` with all that it loads into `dist/pages`, each file packed, and a list of them.
 *
 * `deno task pages`. An executable contains the folder (scripts/compile.ts).
 * @module
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { run } from "../compile/run.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Modules that are loaded by their address: the pages, and workers. */
const ENTRIES: readonly string[] = ["web/main.tsx", "web/pdf_worker.ts"];
/** Other files, by their names in the bundle. */
const FILES: Readonly<Record<string, string>> = {
  "icon.svg": "web/icon.svg",
  "index.html": "web/index.html",
  "style.css": "web/style.css",
};

/** Builds the pages into `folder`, which is replaced. Returns the names of the packed files and of their list. */
export async function buildPages(folder: string): Promise<string[]> {
  const work = await Deno.makeTempDir({ prefix: "muxue_rag_pages_" });
  try {
    await run(Deno.execPath(), [
      "bundle",
      "--quiet",
      "--frozen",
      "--no-check",
      "--platform=browser",
      "--code-splitting",
      "--minify",
      `--config=${join(ROOT, "web", "deno.json")}`,
      `--outdir=${work}`,
      ...ENTRIES.map((entry) => join(ROOT, entry)),
    ]);
    for (const [name, path] of Object.entries(FILES)) {
      await Deno.copyFile(join(ROOT, path), join(work, name));
    }
    const names = (await Array.fromAsync(Deno.readDir(work))).map(({ name }) => name).toSorted();
    const packed = `${folder}.${Deno.pid}`;
    await Deno.mkdir(packed, { recursive: true });
    for (const name of names) {
      await Deno.writeFile(
        join(packed, `${name}.gz`),
        gzipSync(await Deno.readFile(join(work, name)), { level: 9 }),
      );
    }
    await Deno.writeTextFile(join(packed, "files.json"), JSON.stringify(names));
    await Deno.rename(folder, `${packed}.old`).catch(() => {});
    await Deno.rename(packed, folder);
    await Deno.remove(`${packed}.old`, { recursive: true }).catch(() => {});
    return [...names.map((name) => `${name}.gz`), "files.json"];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** The folder of the pages. */
const FOLDER = join(ROOT, "dist", "pages");

/** Builds the pages unless those that there are contain all changes. Tests that start at the same time wait for one build. */
export async function freshPages(): Promise<void> {
  await Deno.mkdir(dirname(FOLDER), { recursive: true });
  using turn = await Deno.open(`${FOLDER}.lock`, { create: true, write: true });
  await turn.lock(true);
  const made = await Deno.stat(join(FOLDER, "files.json")).then(({ mtime }) => mtime, () => null);
  const newest = Math.max(
    ...await Promise.all(["web", "lib/pages/wire"].map((path) => lastChange(join(ROOT, path)))),
  );
  if ((made?.getTime() ?? 0) < newest) await buildPages(FOLDER);
}

/** When a file in a folder was changed last, in milliseconds. */
async function lastChange(folder: string): Promise<number> {
  const times = await Array.fromAsync(Deno.readDir(folder), async ({ name, isDirectory }) => {
    const path = join(folder, name);
    return isDirectory ? await lastChange(path) : (await Deno.stat(path)).mtime?.getTime() ?? 0;
  });
  return Math.max(0, ...times);
}

if (import.meta.main) await buildPages(FOLDER);
