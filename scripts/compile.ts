// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes the executables of the program, and their SHA256SUMS.
 *
 * `deno task compile [--target TRIPLE]... [--out DIR] [--with-models]`
 *
 * With `--with-models`, each executable exists twice: the second one, `…-models`, contains the local models for Chinese and
 * English, which are installed as `muxue_rag model install` does.
 * Without `--target`, it makes an executable for every system that Deno has a runtime for; if `DENORT_BIN` names a runtime,
 * only for this machine. The default of `DIR` is `dist/bin`. `SOURCE_DATE_EPOCH` sets the build time that the executable
 * contains.
 */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import project from "../deno.json" with { type: "json" };
import { WRITTEN_FOR } from "#foundation/runtime.ts";
import { compile, type Order } from "./compile/compile.ts";
import { writeSums } from "./compile/sums.ts";
import { fetchModels } from "./compile/models.ts";
import { run } from "./compile/run.ts";
import { executableName, modelsName, targetOf, TARGETS } from "./compile/targets.ts";

const { values } = parseArgs({
  options: {
    target: { type: "string", multiple: true },
    out: { type: "string" },
    "with-models": { type: "boolean", default: false },
  },
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
const orders: Order[] = wanted.map((target) => ({
  target,
  path: join(folder, executableName(project.version, target)),
}));
const failures = await compile(orders);
if (values["with-models"]) {
  const models = await Deno.makeTempDir({ prefix: "muxue_rag_models_" });
  try {
    await fetchModels(models);
    const withModels = orders.map(({ target, path }) => ({ target, path: modelsName(path), models }));
    failures.push(...await compile(withModels));
    orders.push(...withModels);
  } finally {
    await Deno.remove(models, { recursive: true });
  }
}
const made = orders.map(({ path }) => path).filter((path) =>
  !failures.some((failure) => failure.path === path)
);
await writeSums(folder, made);
for (const path of made) console.log(`${path}  ${((await Deno.stat(path)).size / 1e6).toFixed(1)} MB`);
for (const { target, path } of orders) {
  if (target !== own || !made.includes(path)) continue;
  const { deno } = JSON.parse(await run(path, ["--version", "--json"]));
  if (deno !== WRITTEN_FOR) {
    console.log(`${path} has the runtime Deno ${deno}; the program was written for ${WRITTEN_FOR}`);
  }
}
for (const { target, reason } of failures) console.error(`Not made for ${target.triple}: ${reason}`);
if (failures.length > 0) Deno.exitCode = 1;
