import { deepEqual } from "node:assert/strict";
import { importDirection } from "../../../scripts/lint/import_direction.ts";
import { lint } from "./_lint.ts";

Deno.test("import-direction reports each broken rule", () => {
  const problems = (file: string, ...specifiers: string[]) =>
    lint(importDirection, file, specifiers.map((specifier) => `import "${specifier}";`).join("\n"));
  deepEqual(problems("main.ts", "#program/mod.ts", "#foundation/runtime.ts"), []);
  deepEqual(
    problems(
      "lib/program/run.ts",
      "#engine/index/mod.ts",
      "#engine/index/postings.ts",
      "#library/search/types.ts",
      "./a.ts",
    ),
    ["2 lib/engine/index/postings.ts is inside engine/index: import #engine/index/mod.ts"],
  );
  deepEqual(
    problems(
      "lib/engine/index/mod.ts",
      "#foundation/configuration/mod.ts",
      "#program/mod.ts",
      "#engine/rank/mod.ts",
    ),
    [
      "1 engine/index may not import foundation/configuration",
      "2 engine/index may not import program",
      "3 engine/index may not import engine/rank",
    ],
  );
  deepEqual(
    problems("lib/engine/rank/mod.ts", "../index/mod.ts", "#engine/rank/legs.ts", "#engine/segments.ts"),
    [
      "1 import engine/index by its name: #engine/index/mod.ts",
      "2 import lib/engine/rank/legs.ts by its path: both are in engine/rank",
    ],
  );
  deepEqual(problems("lib/engine/index/postings.ts", "npm:zod", "zod", "file:///a.ts", "/b.ts"), [
    "1 npm:zod must be named in the import map of deno.json",
    "3 file:///a.ts must be named in the import map of deno.json",
    "4 /b.ts must be named in the import map of deno.json",
  ]);
  deepEqual(
    problems(
      "lib/foundation/boundary/mod.ts",
      "#foundation/messages/mod.ts",
      "#foundation/configuration/mod.ts",
    ),
    ["2 foundation/boundary may not import foundation/configuration"],
  );
  deepEqual(problems("lib/attic/mod.ts", "#foundation/errors.ts"), [
    "1 lib/attic/mod.ts is in no house or room (scripts/lint/import_direction.ts)",
  ]);
  deepEqual(problems("lib/library/attic/mod.ts", "./a.ts"), [
    "1 lib/library/attic/mod.ts is in no house or room (scripts/lint/import_direction.ts)",
  ]);
  deepEqual(problems("tests/a.ts", "#engine/index/postings.ts"), []);
});

Deno.test("import-direction checks every form of import, and refuses computed specifiers", () => {
  const source = [
    'import b, { type B } from "#program/b.ts";',
    'import type * as C from "#program/c.ts";',
    'import data from "#program/d.json" with { type: "json" };',
    'export * from "#program/f.ts";',
    'export type { G } from "#program/g.ts";',
    'const h = `${{ a: await import("#program/h.ts") }}`;',
    "const i = await import(name);",
    "const j = await import(`./j.ts`);",
    'const k = await import("./k" + ".ts");',
    'type L = import("#program/l.ts").L;',
    '// import "#program/m.ts"',
    'export const from = "#program/n.ts";',
  ].join("\n");
  const above = "engine/index may not import program";
  const computed = "The specifier of a dynamic import must be a literal";
  deepEqual(lint(importDirection, "lib/engine/index/mod.ts", source), [
    ...[`1 ${above}`, `2 ${above}`, `3 ${above}`, `4 ${above}`, `5 ${above}`, `6 ${above}`],
    ...[`7 ${computed}`, `8 ${computed}`, `9 ${computed}`, `10 ${above}`],
  ]);
});
