import { deepEqual } from "node:assert/strict";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { checkImports, checkSources, importsOf } from "../scripts/check_imports.ts";

Deno.test("the program's imports go down the folders only, by mod.ts, and never in circles", async () => {
  deepEqual(await checkImports(dirname(dirname(fileURLToPath(import.meta.url)))), []);
});

Deno.test("importsOf() finds every form of import with its line", () => {
  const source = [
    'import "./a.ts";',
    'import b, { type B } from "./b.ts";',
    'import type * as C from "./c.ts";',
    'import data from "./d.json" with { type: "json" };',
    "import {",
    "  e,",
    '} from "./e.ts";',
    'export * from "./f.ts";',
    'export type { G } from "./g.ts";',
    'const h = await import("./h.ts");',
    "const i = await import(name);",
    "const j = await import(`./j.ts`);",
    'const k = await import("./k" + ".ts");',
    'type L = import("./l.ts").L;',
    'import { "m" as m } from "./m.ts";',
  ].join("\n");
  deepEqual(importsOf(source), [
    { line: 1, specifier: "./a.ts" },
    { line: 2, specifier: "./b.ts" },
    { line: 3, specifier: "./c.ts" },
    { line: 4, specifier: "./d.json" },
    { line: 5, specifier: "./e.ts" },
    { line: 8, specifier: "./f.ts" },
    { line: 9, specifier: "./g.ts" },
    { line: 10, specifier: "./h.ts" },
    { line: 11, specifier: undefined },
    { line: 12, specifier: undefined },
    { line: 13, specifier: undefined },
    { line: 14, specifier: "./l.ts" },
    { line: 15, specifier: "./m.ts" },
  ]);
});

Deno.test("importsOf() is not misled by comments, strings, templates, regular expressions and names", () => {
  const source = [
    '// import "./a.ts";',
    '/* import("./b.ts") */',
    "const c = 'import \"./c.ts\"' + \"from './d.ts'\";",
    'const e = `import "./e.ts" ${f({ g: `import("./g.ts")` })} import("./h.ts")`;',
    'const i = /import("`)/g.test(x) ? a / b : c / d;',
    "const permissions = { import: false, export: 1 };",
    'x.import("./j.ts"); import.meta.url;',
    'export const from = "./k.ts";',
    "export { from };",
    'const l = "./l.ts";',
  ].join("\n");
  deepEqual(importsOf(source), []);
});

Deno.test("importsOf() sees an import inside a template's substitution", () => {
  deepEqual(importsOf('`${{ a: await import("./a.ts") }}`; import("./b.ts");'), [
    { line: 1, specifier: "./a.ts" },
    { line: 1, specifier: "./b.ts" },
  ]);
});

Deno.test("checkSources() names each broken rule", () => {
  const sources = new Map([
    ["main.ts", 'import "./lib/cli/mod.ts";'],
    [
      "lib/cli/mod.ts",
      'import "../index/mod.ts";\nimport "../index/postings.ts";\nimport "../index/types.ts";',
    ],
    ["lib/index/mod.ts", 'import "../config/mod.ts";\nimport "../cli/mod.ts";'],
    ["lib/index/postings.ts", 'import "npm:zod";\nimport "./gone.ts";'],
    ["lib/index/types.ts", ""],
    ["lib/config/mod.ts", 'import "../errors.ts";\nimport "../index/mod.ts";\nimport "../sandbox/mod.ts";'],
    ["lib/sandbox/mod.ts", 'import "../messages.ts";\nimport "../log/mod.ts";'],
    ["lib/log/mod.ts", ""],
    ["lib/messages.ts", 'import "./log/mod.ts";'],
    ["lib/errors.ts", ""],
    ["lib/attic/mod.ts", 'import "../errors.ts";'],
  ]);
  deepEqual(checkSources(sources).map(({ file, line, problem }) => `${file}:${line} ${problem}`), [
    "lib/attic/mod.ts:1 attic has no place in the order of folders (scripts/check_imports.ts)",
    "lib/cli/mod.ts:2 lib/index/postings.ts is inside index: import lib/index/mod.ts",
    "lib/config/mod.ts:2 config may not import index",
    "lib/config/mod.ts:2 a circle of imports: lib/index/mod.ts -> lib/config/mod.ts -> lib/index/mod.ts",
    "lib/index/mod.ts:1 index may not import config",
    "lib/index/mod.ts:2 index may not import cli, which lies above it",
    "lib/index/mod.ts:2 a circle of imports: lib/cli/mod.ts -> lib/index/mod.ts -> lib/cli/mod.ts",
    "lib/index/postings.ts:1 npm:zod must be named in the import map of deno.json",
    "lib/index/postings.ts:2 lib/index/gone.ts does not exist",
    "lib/messages.ts:1 messages may not import log",
    "lib/sandbox/mod.ts:2 sandbox may not import log",
  ]);
});
