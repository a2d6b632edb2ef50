// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Runs tests by Deno for ARM64 under qemu, which it unpacks into the user's cache folder (once; Debian or Ubuntu on x64):
 *
 *     deno task test:arm64 [--optional] [FILES AND OPTIONS OF deno test]
 *     deno task test:arm64 --run ARGUMENTS OF deno
 *
 * Without files: the modules of WebAssembly, and tests of the engine's chunks, stems and vectors, in about a quarter of an hour on a busy machine.
 * `tests/engine` runs the whole engine, in which tests of random texts take many minutes. A start of the program takes 10 to 20 seconds of processor
 * time, so a file of `tests/e2e` takes many minutes as well, and `tests`, all of them, takes hours.
 * `scripts/same_everywhere.ts` indexes and serves a folder and compares the results. With `--optional`, a machine that cannot run them is no error.
 */
import { fileURLToPath } from "node:url";
import { arm64Deno } from "./arm64/machine.ts";
import { CannotMake } from "./chroot.ts";

const CHOSEN = [
  "tests/models/neural/simd_bits_test.ts",
  "tests/scripts/build_simd_test.ts",
  "tests/engine/example_test.ts",
  "tests/engine/index/vectors",
  "tests/engine/index/text/porter2_test.ts",
  "tests/engine/chunk/chunk_document_test.ts",
];

const OPTIONS = [
  "--config",
  "deno.dev.json",
  "--quiet",
  "--no-prompt",
  "--no-check",
  "--allow-all",
];

const given = Deno.args.filter((argument) => argument !== "--optional");
try {
  const deno = await arm64Deno();
  const files = given.some((argument) => !argument.startsWith("-")) ? [] : CHOSEN;
  const args = given[0] === "--run" ? given.slice(1) : ["test", ...OPTIONS, ...files, ...given];
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const { code } = await new Deno.Command(deno, { args, cwd }).spawn().status;
  Deno.exitCode = code;
} catch (error) {
  if (!(error instanceof CannotMake)) throw error;
  console.error(`The tests on ARM64 are skipped: ${error.message}`);
  Deno.exitCode = Deno.args.includes("--optional") ? 0 : 1;
}
