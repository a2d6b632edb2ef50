// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Runs tests by Deno for ARM64 under qemu, which it unpacks into the user's cache folder (once; Debian or Ubuntu on x64):
 *
 *     deno task test:arm64 [--optional] [FILES AND OPTIONS OF deno test]
 *     deno task test:arm64 --run ARGUMENTS OF deno
 *
 * Without files: the modules of WebAssembly, and the parts of the engine that compute, read and rank. `tests/engine` runs the whole engine: its tests
 * of time and of random texts take many minutes. `tests` as a file runs all tests, which takes hours; those of the program expect it to be quick.
 * `research/same_on_arm64.ts` indexes and serves a folder and compares the results. With `--optional`, a machine that cannot run them is no error.
 */
import { fileURLToPath } from "node:url";
import { arm64Deno } from "./arm64/machine.ts";
import { CannotMake } from "./chroot.ts";

const CHOSEN = [
  "tests/models/neural/simd_bits_test.ts",
  "tests/scripts/build_simd_test.ts",
  "tests/engine/index/vectors",
  "tests/engine/index/text",
  "tests/engine/rank",
  "tests/engine/query",
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
