import { deepEqual } from "node:assert/strict";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { checkFileAccess, checkFileAccessOf, fileAccessOf } from "../scripts/check_file_access.ts";

const found = (source: string) =>
  fileAccessOf(source).map(({ line, problem }) => `${line} ${problem.replace(/: only .*$/, "")}`);

Deno.test("all of the program's file access goes through lib/sandbox", async () => {
  deepEqual(await checkFileAccess(dirname(dirname(fileURLToPath(import.meta.url)))), []);
});

Deno.test("fileAccessOf() finds every way to a file or a program", () => {
  const source = [
    'Deno.readTextFileSync("a");',
    "await new Deno.Command(name).output();",
    'Deno.dlopen("b", {});',
    'Deno["open"]("c");',
    "const { open } = Deno;",
    "const { Deno: d } = globalThis;",
    'globalThis.Deno.openSync("e");',
    'globalThis["Deno"];',
    'self["Deno"];',
    "Deno?.open;",
    "use({ ...Deno });",
    "Deno",
    '  .open("f");',
    "`${Deno.open}`;",
    'D\\u0065no.open("g");',
    "(0, eval)(code);",
    "new Function(code);",
    'process.getBuiltinModule("fs");',
  ].join("\n");
  deepEqual(found(source), [
    "1 Deno.readTextFileSync",
    "2 Deno.Command",
    "3 Deno.dlopen",
    "4 Deno as a whole",
    "5 Deno as a whole",
    "6 Deno as a whole",
    "6 globalThis as a whole",
    "7 Deno.openSync",
    "8 globalThis as a whole",
    "9 self[…]",
    "10 Deno as a whole",
    "11 Deno as a whole",
    "12 Deno.open",
    "14 Deno.open",
    "15 an escape in a name",
    "16 eval",
    "17 Function()",
    "18 getBuiltinModule",
  ]);
});

Deno.test("fileAccessOf() finds the modules of Node that reach files or programs, however they are imported", () => {
  const source = [
    'import { statSync } from "node:fs";',
    'import fs from "fs";',
    'import type { Stats } from "node:fs";',
    'export * from "node:fs/promises";',
    'await import("node:child_process");',
    'import { createRequire as c } from "node:module";',
    'import "node:sqlite";',
  ].join("\n");
  deepEqual(found(source), [
    "1 node:fs",
    "2 fs",
    "3 node:fs",
    "4 node:fs/promises",
    "5 node:child_process",
    "6 node:module",
    "7 node:sqlite",
    "6 createRequire",
  ]);
});

Deno.test("fileAccessOf() is not misled by comments, strings, harmless names and other objects' methods", () => {
  const source = [
    'import { join } from "node:path";',
    'import { z } from "zod";',
    "// Deno.open()",
    '/** {@linkcode Deno.open} */ const a = "Deno.open()" + `Deno.open`;',
    "const system = Deno.build.os, file: Deno.FsFile = x.Deno;",
    "if (error instanceof Deno.errors.NotFound) store.open(file.Deno);",
    "const commands = { index: 1, eval: 2 };",
    "type Fetch = typeof globalThis.fetch;",
    "self.onmessage = () => {};",
    "const isFunction = x instanceof Function;",
    "/Deno\\.open/.test(text);",
  ].join("\n");
  deepEqual(found(source), []);
});

Deno.test("checkFileAccessOf() lets lib/sandbox do what no other folder may", () => {
  const source = 'import "node:fs";\nDeno.openSync("a");';
  const sources = new Map([["lib/sandbox/a.ts", source], ["lib/sandboxes/b.ts", source], ["main.ts", ""]]);
  deepEqual(checkFileAccessOf(sources), [
    { file: "lib/sandboxes/b.ts", line: 1, problem: "node:fs: only lib/sandbox/ may import it" },
    { file: "lib/sandboxes/b.ts", line: 2, problem: "Deno.openSync: only lib/sandbox/ may use it" },
  ]);
});
