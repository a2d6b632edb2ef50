// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes the executables of the program, and their SHA256SUMS.
 *
 * `deno task compile [--target TRIPLE]... [--out DIR]`
 *
 * Without `--target`, it makes an executable for every system that Deno has a runtime for; if `DENORT_BIN` names a runtime,
 * only for this machine. The default of `DIR` is `dist/bin`. `SOURCE_DATE_EPOCH` sets the build time that the executable
 * contains.
 */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import project from "../deno.json" with { type: "json" };
import { compile } from "./compile/compile.ts";
import { writeSums } from "./compile/sums.ts";
import { executableName, targetOf, TARGETS } from "./compile/targets.ts";

const { values } = parseArgs({
  options: { target: { type: "string", multiple: true }, out: { type: "string" } },
});
const folder = resolve(values.out ?? fileURLToPath(new URL("../dist/bin", import.meta.url)));
const own = Deno.env.get("DENORT_BIN") ? targetOf() : undefined;
const wanted = values.target?.map((triple) => targetOf(triple)) ?? (own === undefined ? TARGETS : [own]);
if (own !== undefined && wanted.some(({ triple }) => triple !== own.triple)) {
  throw new Error(
    `DENORT_BIN names a runtime of this machine (${own.triple}). Unset it to compile for other systems`,
  );
}

await mkdir(folder, { recursive: true });
const orders = wanted.map((target) => ({
  target,
  path: join(folder, executableName(project.version, target)),
}));
const failures = await compile(orders);
const made = orders.map(({ path }) => path).filter((path) =>
  !failures.some((failure) => failure.path === path)
);
await writeSums(folder, made);
for (const path of made) console.log(`${path}  ${((await Deno.stat(path)).size / 1e6).toFixed(1)} MB`);
for (const { target, reason } of failures) console.error(`Not made for ${target.triple}: ${reason}`);
if (failures.length > 0) Deno.exitCode = 1;
