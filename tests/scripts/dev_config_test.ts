import { deepEqual } from "node:assert/strict";
import dev from "../../deno.dev.json" with { type: "json" };
import project from "../../deno.json" with { type: "json" };

/** Packages that only tests and scripts need. A user of the program does not download them. */
const ONLY_DEV = [
  ...["#web/", "#wire/", "axe-core", "cfb", "@modelcontextprotocol/client", "@modelcontextprotocol/sdk"],
  ...[
    "esbuild",
    "@electric-sql/pglite",
    "@electric-sql/pglite-pgvector",
    "@electric-sql/pglite-socket",
    "@opentelemetry/otlp-transformer",
    "fast-check",
    "gpt-tokenizer",
    "node:assert/strict",
    "playwright-core",
    "wabt",
    "wink-porter2-stemmer",
    "zod/v3",
  ],
];

Deno.test("deno.dev.json has the settings and packages of deno.json, and the packages that only tests and scripts need", () => {
  const { compilerOptions, nodeModulesDir, unstable, imports } = project;
  const shared = Object.entries(dev.imports).filter(([name]) =>
    !ONLY_DEV.some((only) => name === only || name.startsWith(`${only}/`))
  );
  deepEqual(
    [dev.compilerOptions, dev.nodeModulesDir, dev.unstable, Object.fromEntries(shared)],
    [compilerOptions, nodeModulesDir, unstable, imports],
  );
});

Deno.test("the lock of the program has no package that only tests and scripts need", async () => {
  const read = async (name: string) =>
    JSON.parse(await Deno.readTextFile(new URL(`../../${name}`, import.meta.url))).npm as Record<
      string,
      unknown
    >;
  const [own, all] = [await read("deno.lock"), await read("deno.dev.lock")];
  for (const [name, entry] of Object.entries(own)) deepEqual([name, all[name]], [name, entry]);
  deepEqual(Object.keys(own).filter((name) => ONLY_DEV.some((only) => name.startsWith(`${only}@`))), []);
});
