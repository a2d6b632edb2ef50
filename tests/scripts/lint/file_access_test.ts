import { deepEqual } from "node:assert/strict";
import { fileAccess } from "../../../scripts/lint/file_access.ts";
import { lint } from "./_lint.ts";

const ROOT = new URL("../../../", import.meta.url);

const found = (source: string, file = "lib/a/b.ts") =>
  lint(fileAccess, file, source).map((problem) => problem.replace(/: only .*$/, ""));

Deno.test("file-access reports every name that opens a file or starts a program", () => {
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
    'a.b.Deno.open("h");',
    'self.Deno.openSync("i");',
    "const s = self;",
    'Reflect.get(self, "De" + "no");',
    'globalThis.self["Deno"];',
    "global[name];",
    "const F = Function;",
    "(() => {}).constructor(code);",
    'fetch("file:///etc/passwd");',
    "const get = globalThis.fetch;",
    'new Worker("data:,", { type: "module" });',
    'process["getBuiltin" + "Module"];',
    'globalThis.process.binding("fs");',
    'require("fs");',
  ].join("\n");
  deepEqual(found(source), [
    ...["1 Deno.readTextFileSync", "2 Deno.Command", "3 Deno.dlopen", "4 Deno as a whole"],
    ...["5 Deno as a whole", "6 Deno as a whole", "6 globalThis as a whole", "7 Deno.openSync"],
    ...["8 globalThis as a whole", "9 self as a whole", "10 Deno as a whole", "11 Deno as a whole"],
    ...["12 Deno.open", "14 Deno.open", "15 Deno.open", "16 eval", "17 Function"],
    ...["18 process.getBuiltinModule", "18 getBuiltinModule", "19 Deno.open", "20 Deno.openSync"],
    ...["21 self as a whole", "22 self as a whole", "23 self as a whole", "24 global as a whole"],
    ...["25 Function", "26 .constructor", "27 fetch", "28 fetch", "29 Worker", "30 process as a whole"],
    ...["31 process.binding", "32 require"],
  ]);
});

Deno.test("file-access reports Node modules that access files or programs, in all forms of import", () => {
  const source = [
    'import { statSync } from "node:fs";',
    'import fs from "fs";',
    'import type { Stats } from "node:fs";',
    'export * from "node:fs/promises";',
    'await import("node:child_process");',
    'import { createRequire as c } from "node:module";',
    'import "node:sqlite";',
    'import { "readFileSync" as r } from "node:fs";',
    'import "node:f\\u0073";',
  ].join("\n");
  deepEqual(found(source), [
    ...["1 node:fs", "2 fs", "3 node:fs", "4 node:fs/promises", "5 node:child_process", "6 node:module"],
    ...["6 createRequire", "7 node:sqlite", "8 node:fs", "9 node:fs"],
  ]);
});

Deno.test("file-access reports members of Node's process under other names", () => {
  const source = [
    'import proc from "node:process";',
    'import * as p from "process";',
    'import proc, { env } from "node:process";',
    'import process, * as q from "node:process";',
    'import { stderr, kill as k, default as d } from "node:process";',
    'import { "chdir" as c } from "node:process";',
    'const r = await import("node:process");',
    'import("node:process").then((s) => s[name]);',
    'const { exit, dlopen: load } = await import("node:process");',
    'const { env: { x } } = await import("node:process");',
    'export * from "node:process";',
  ].join("\n");
  deepEqual(found(source), [
    ...["1 process as a whole", "2 process as a whole", "3 process as a whole", "4 process as a whole"],
    ...["5 process.kill", "5 process.default", "6 process.chdir", "7 process as a whole"],
    ...["8 process as a whole", "9 dlopen", "9 process.dlopen", "10 process as a whole"],
    ...["11 process as a whole"],
  ]);
});

Deno.test("file-access reports imports of a file's content, and imports of an unknown type", () => {
  const source = [
    'import a from "/etc/passwd" with { type: "text" };',
    'import b from "./b" with { "type": "bytes" };',
    'await import("./c", { with: { type: "text" } });',
    'await import("./d", options);',
    'await import("./e", { with: attributes });',
    'import f from "./f.json" with { type: "json" };',
    'await import("./g.json", { with: { type: "json" } });',
    'await import("./h.ts",);',
    'patterns.with("i");',
  ].join("\n");
  deepEqual(found(source), [
    "1 an import of type text",
    "2 an import of type bytes",
    "3 an import of type text",
    "4 an import of type ?",
    "5 an import of type ?",
  ]);
});

Deno.test("file-access ignores comments, strings, harmless names, and methods of other objects", () => {
  const source = [
    'import { join } from "node:path";',
    'import { z } from "zod";',
    "// Deno.open()",
    '/** {@linkcode Deno.open} */ const a = "Deno.open()" + `Deno.open`;',
    "const system = Deno.build.os, file: Deno.FsFile = x.file;",
    "if (error instanceof Deno.errors.NotFound) store.open(file.path);",
    "const commands = { index: 1, eval: 2, fetch: 3, process: 4 };",
    "window(matches); options.window; x.fetch(y); this.#fetch(z); work.process;",
    "function send(fetch: Fetch, worker: { self: 1 }) {}",
    'import process from "node:process";',
    'const { stderr } = await import("node:process");',
    "process.env = {};",
    "type Fetch = typeof globalThis.fetch;",
    "self.onmessage = () => {};",
    "const isFunction = x instanceof Function;",
    "/Deno\\.open/.test(text);",
  ].join("\n");
  deepEqual(found(source, "lib/program/a.ts"), []);
});

Deno.test("file-access leaves Deno to the boundary, the store and the program, and its types to houses that need it", () => {
  const source = [
    "const system = Deno.build.os;",
    "let file: Deno.FsFile | undefined;",
    "type System = typeof Deno.build.os;",
    "if (error instanceof Deno.errors.NotFound) Deno.exit(1);",
  ].join("\n");
  const values = ["1 Deno", "4 Deno", "4 Deno"];
  for (
    const file of ["lib/foundation/log.ts", "lib/models/a.ts", "lib/library/search/a.ts", "lib/server/a.ts"]
  ) {
    deepEqual(found(source, file), values, file);
  }
  deepEqual(found(source, "lib/documents/a.ts"), ["1 Deno", "2 Deno", "3 Deno", ...values.slice(1)]);
  for (
    const file of ["lib/foundation/boundary/a.ts", "lib/library/store/a.ts", "lib/program/a.ts", "main.ts"]
  ) {
    deepEqual(found(source, file), [], file);
  }
});

Deno.test("file-access allows everything in lib/foundation/boundary, tests and scripts", () => {
  const source = 'import "node:fs";\nDeno.openSync("a");';
  deepEqual(lint(fileAccess, "lib/foundation/boundary/a.ts", source), []);
  deepEqual(lint(fileAccess, "tests/a.ts", source), []);
  deepEqual(lint(fileAccess, "lib/sandboxes/b.ts", source), [
    "1 node:fs: only lib/foundation/boundary/ may",
    "2 Deno.openSync: only lib/foundation/boundary/ may",
  ]);
});

Deno.test("file-access allows some files outside of lib/foundation/boundary one name each that takes a URL", () => {
  deepEqual(lint(fileAccess, "lib/models/remote/guarded_fetch.ts", 'fetch(url);\nnew Worker("./a.ts");'), [
    "2 Worker: only lib/foundation/boundary/, lib/models/embedding/builtin/provider.ts, lib/library/extract/process.ts, lib/program/launch.ts, " +
    "lib/models/neural/model_threads.ts, lib/engine/index/postings/term_thread.ts may",
  ]);
  deepEqual(lint(fileAccess, "lib/program/launch.ts", 'new Worker("./b.ts");'), []);
});

Deno.test("no file of the program disables the project's lint rules", () => {
  const ignoring = ["main.ts", ...sourcesBelow("lib")].filter((file) =>
    /deno-lint-ignore(?:-file)?(?:[^\n]*muxue-rag|\s*(?:\n|$|--))/.test(
      Deno.readTextFileSync(new URL(file, ROOT)),
    )
  );
  deepEqual(ignoring, []);
});

function sourcesBelow(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) =>
    isDirectory ? sourcesBelow(`${folder}/${name}`) : name.endsWith(".ts") ? [`${folder}/${name}`] : []
  );
}
