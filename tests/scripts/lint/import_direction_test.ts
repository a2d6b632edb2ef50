import { deepEqual } from "node:assert/strict";
import { importDirection } from "../../../scripts/lint/import_direction.ts";
import { lint } from "./_lint.ts";

Deno.test("import-direction reports each broken rule", () => {
  const problems = (file: string, ...specifiers: string[]) =>
    lint(importDirection, file, specifiers.map((specifier) => `import "${specifier}";`).join("\n"));
  deepEqual(problems("main.ts", "./lib/cli/mod.ts"), []);
  deepEqual(
    problems("lib/cli/mod.ts", "../index/mod.ts", "../index/postings.ts", "../index/types.ts", "./a.ts"),
    [
      "2 lib/index/postings.ts is inside index: import lib/index/mod.ts",
    ],
  );
  deepEqual(problems("lib/index/mod.ts", "../config/mod.ts", "../cli/mod.ts"), [
    "1 index may not import config",
    "2 index may not import cli, which lies above it",
  ]);
  deepEqual(problems("lib/index/postings.ts", "npm:zod", "zod", "file:///a.ts", "/b.ts"), [
    "1 npm:zod must be named in the import map of deno.json",
    "3 file:///a.ts must be named in the import map of deno.json",
    "4 /b.ts must be named in the import map of deno.json",
  ]);
  deepEqual(problems("lib/config/mod.ts", "../errors.ts", "../index/mod.ts", "../sandbox/mod.ts"), [
    "2 config may not import index",
  ]);
  deepEqual(problems("lib/sandbox/mod.ts", "../messages.ts", "../log/mod.ts"), [
    "2 sandbox may not import log",
  ]);
  deepEqual(problems("lib/messages.ts", "./log/mod.ts"), ["1 messages may not import log"]);
  deepEqual(problems("lib/attic/mod.ts", "../errors.ts"), [
    "1 attic is not in the order of folders (scripts/lint/import_direction.ts)",
  ]);
  deepEqual(problems("tests/a.ts", "../lib/index/postings.ts"), []);
});

Deno.test("import-direction checks every form of import, and refuses computed specifiers", () => {
  const source = [
    'import b, { type B } from "../cli/b.ts";',
    'import type * as C from "../cli/c.ts";',
    'import data from "../cli/d.json" with { type: "json" };',
    'export * from "../cli/f.ts";',
    'export type { G } from "../cli/g.ts";',
    'const h = `${{ a: await import("../cli/h.ts") }}`;',
    "const i = await import(name);",
    "const j = await import(`./j.ts`);",
    'const k = await import("./k" + ".ts");',
    'type L = import("../cli/l.ts").L;',
    '// import "../cli/m.ts"',
    'export const from = "../cli/n.ts";',
  ].join("\n");
  const above = "index may not import cli, which lies above it";
  const computed = "The specifier of a dynamic import must be a literal";
  deepEqual(lint(importDirection, "lib/index/mod.ts", source), [
    `1 ${above}`,
    `2 ${above}`,
    `4 ${above}`,
    `5 ${above}`,
    `6 ${above}`,
    `7 ${computed}`,
    `8 ${computed}`,
    `9 ${computed}`,
    `10 ${above}`,
  ]);
});
