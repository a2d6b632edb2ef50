// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Runs tests on Windows, as far as Wine is Windows: makes a chroot with Wine, Deno for Windows and the packages in the user's cache folder (once;
 * Debian, as root), and runs Deno there on a layer over this repository that is thrown away.
 *
 *     deno task test:windows [--optional] [FILES AND OPTIONS OF deno test]
 *     deno task test:windows --run ARGUMENTS OF deno.exe
 *
 * Without files, it runs `tests/windows` and the folders below. With `tests` as a file, it runs all tests. With `--optional`, a machine that cannot
 * make the chroot is no error. The web pages are built here before, since the registry cannot be reached from there.
 */
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CannotMake } from "./chroot.ts";
import { freshPages } from "./pages/build.ts";
import { inWindows } from "./windows/machine.ts";
import { windowsRoot } from "./windows/root.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const ENDING = "_test.windows.ts";

/** Folders and files with tests of paths, files, processes and the terminal. */
const CHOSEN = ["tests/foundation"];

const OPTIONS = ["--config", "deno.dev.json", "--cached-only", "--quiet", "--no-prompt"];

const given = Deno.args.filter((argument) => argument !== "--optional");
try {
  const there = await windowsRoot();
  const args = given[0] === "--run" ? given.slice(1) : [
    ...["test", ...OPTIONS, "--no-check", "--allow-all"],
    ...given.some((argument) => !argument.startsWith("-")) ? [] : [...windowsTests(), ...CHOSEN],
    ...given,
  ];
  if (given[0] !== "--run") await freshPages();
  const { code } = await inWindows(there, { args, env: { TEST_WINE: "1" }, folders: fetchedModels() }).spawn()
    .status;
  Deno.exitCode = code;
} catch (error) {
  if (!(error instanceof CannotMake)) throw error;
  console.error(`The tests on Windows are skipped: ${error.message}`);
  Deno.exitCode = Deno.args.includes("--optional") ? 0 : 1;
}

/** The data for text recognition that tests here have fetched with npm, which Wine lacks: the folder of `modelsWithOcr` there. */
function fetchedModels(): Readonly<Record<string, string>> {
  const [name, temporary] = ["muxue_rag-test-models", "users/root/AppData/Local/Temp"];
  const here = join(tmpdir(), name);
  return existsSync(here) ? { [`${temporary}/${name}`]: here } : {};
}

function windowsTests(): string[] {
  const names = [...Deno.readDirSync(join(REPOSITORY, "tests/windows"))].map(({ name }) => name);
  return names.filter((name) => name.endsWith(ENDING)).sort().map((name) => `tests/windows/${name}`);
}
