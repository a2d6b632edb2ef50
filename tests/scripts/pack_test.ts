import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bytesSource, decodeTable } from "#models/embedding/builtin/decode.ts";
import { HELD_FILES, packModule, packTable, withBytes } from "../../scripts/compile/pack.ts";
import { run } from "../../scripts/compile/run.ts";

const TABLE = fileURLToPath(new URL("../../lib/models/embedding/builtin/table.bin", import.meta.url));

Deno.test("the packed table of word vectors is a fifth smaller and holds the same", async () => {
  const table = await Deno.readFile(TABLE);
  const packed = packTable(table);
  ok(packed.length < table.length * .8, `${packed.length} of ${table.length} bytes`);
  deepEqual(decodeTable(bytesSource(packed)), decodeTable(bytesSource(table)));
});

/** Writes the module with the files that lie apart; there are none. */
async function writeHeldFiles(folder: string): Promise<void> {
  await Deno.writeTextFile(join(folder, `${HELD_FILES}.js`), "export function bytesApart(){}");
}

/** Runs a program in a folder that imports modules of the folder, and returns its output. */
async function printed(folder: string, code: string): Promise<string> {
  await Deno.writeTextFile(join(folder, "main.js"), code);
  const flags = ["--quiet", "--no-config", "--no-check", "--unstable-raw-imports"];
  return (await run(Deno.execPath(), ["run", ...flags, join(folder, "main.js")])).trim();
}

Deno.test("Base64 that a module exports as data becomes bytes, and other Base64 does not", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await writeHeldFiles(folder);
    const bytes = new Uint8Array(9000).fill(7);
    const text = bytes.toBase64();
    await Deno.writeTextFile(join(folder, "a.js"), `var n=1,d="${text}";export{d as data,n};`);
    await Deno.writeTextFile(join(folder, "b.js"), `var d="${text}";export{d as other};`);
    await withBytes(folder);
    const code = `import{data,n}from"./a.js";import{other}from"./b.js";` +
      `console.log(data.constructor.name,data.length,data.every((byte)=>byte===7),n,typeof other)`;
    equal(await printed(folder, code), "Uint8Array 9000 true 1 string");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a packed module has the exports of its source, and may import modules of Node", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await writeHeldFiles(folder);
    const path = join(folder, "m.js");
    const source = `import{createRequire}from"node:module";const r=createRequire(import.meta.url);` +
      `const sep="分"+r("node:path").posix.sep,one=1;export{sep,one,r};`;
    await Deno.writeTextFile(path, source);
    const out = join(folder, "out");
    await Deno.mkdir(out);
    await packModule(path, ["sep", "one"], out);
    deepEqual(
      (await Array.fromAsync(Deno.readDir(out))).map(({ name }) => name).sort(),
      ["m.js", "m.js.br"],
    );
    equal(
      await printed(out, `import*as m from"./m.js";console.log(Object.keys(m)+"",m.sep,m.one)`),
      "one,sep 分/ 1",
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a module that imports other files is not packed", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const code of [`import"./a.js";`, `import{a}from"./a.js";`, `await import("./a.js");`]) {
      const path = join(folder, "m.js");
      await Deno.writeTextFile(path, code);
      await rejects(packModule(path, [], folder), { message: `${path} imports other files` }, code);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
