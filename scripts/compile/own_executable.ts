import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "./compile.ts";
import { privateFolder } from "./private_folder.ts";
import { targetOf } from "./targets.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const HOUR_MS = 3_600_000;

/** The reason why {@linkcode executable} returns `undefined`. */
export const NO_EXECUTABLE =
  "skipped: neither TEST_EXECUTABLE nor DENORT_BIN is set, so there is no executable to test";

/**
 * Returns the path of an executable of these sources. It is the one that the environment variable `TEST_EXECUTABLE` names.
 * Otherwise, if `DENORT_BIN` names a runtime, it is compiled with that, once for the same sources. Returns `undefined` if
 * neither is set, because a test must not fetch a runtime.
 */
export async function executable(): Promise<string | undefined> {
  const given = Deno.env.get("TEST_EXECUTABLE");
  if (given) return given;
  const runtime = Deno.env.get("DENORT_BIN");
  if (!runtime) return undefined;
  // A file in this folder is run, so no other user may be able to write to it.
  const shelf = await privateFolder(join(tmpdir(), `muxue_rag_test_executables_${Deno.uid() ?? ""}`));
  const name = `${await digestOfSources(runtime)}${Deno.build.os === "windows" ? ".exe" : ""}`;
  const path = join(shelf, name);
  try {
    await Deno.stat(path);
    return path;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  for await (const old of Deno.readDir(shelf)) {
    // Another process may be testing a newer executable.
    const { mtime } = await Deno.stat(join(shelf, old.name));
    if (Date.now() - (mtime?.getTime() ?? 0) > HOUR_MS) await Deno.remove(join(shelf, old.name));
  }
  const [failure] = await compile([{ target: targetOf(), path }], {
    commit: "0".repeat(40),
    build_date: "2026-01-31T12:00:00Z",
  });
  if (failure !== undefined) throw new Error(failure.reason);
  return path;
}

/** Returns a digest of everything that an executable is made from. */
async function digestOfSources(runtime: string): Promise<string> {
  const hash = createHash("sha256").update(`${Deno.version.deno}\0${runtime}\0`);
  for (const path of ["deno.json", "deno.lock", "main.ts", "config.yaml", "LICENSE", "NOTICE"]) {
    await add(path);
  }
  await addFolder("lib");
  await addFolder("scripts/compile");
  return hash.digest("hex").slice(0, 16);

  async function addFolder(folder: string): Promise<void> {
    const entries = await Array.fromAsync(Deno.readDir(join(ROOT, folder)));
    for (const { name, isDirectory } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
      await (isDirectory ? addFolder : add)(`${folder}/${name}`);
    }
  }
  async function add(path: string): Promise<void> {
    hash.update(`${path}\0`).update(await Deno.readFile(join(ROOT, path)));
  }
}
