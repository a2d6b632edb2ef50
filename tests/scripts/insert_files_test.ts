import { deepEqual, rejects, throws } from "node:assert/strict";
import { openFileApart, readPart } from "#foundation/boundary/mod.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { insertFiles } from "../../scripts/compile/insert_files.ts";

const NATIVE = new TextEncoder().encode("native code");
const FILES = new Map([
  ["table.bin", Uint8Array.from({ length: 5000 }, (_, at) => at % 251)],
  ["empty.bin", new Uint8Array()],
  ["module.js.br", Uint8Array.of(1, 2, 3)],
]);

/** Writes an executable as `deno compile` makes it for Linux. */
async function executable(path: string, magic = "d3n0l4nd"): Promise<Uint8Array> {
  const runtime = new Uint8Array(40);
  runtime.set(new TextEncoder().encode(`${magic}modules`));
  new DataView(runtime.buffer).setBigUint64(32, 40n, true);
  await Deno.writeFile(path, new Uint8Array([...NATIVE, ...runtime]));
  return runtime;
}

Deno.test("insertFiles() puts files between native code and the runtime's part, and openFileApart() finds each", async () => {
  using temp = new TempDir();
  const path = temp.at("program");
  const runtime = await executable(path);
  await insertFiles(path, FILES);

  for (const [name, content] of FILES) {
    const part = openFileApart(path, name);
    using _file = part.file;
    deepEqual(readPart(part, 0, new Uint8Array(part.length)), content);
  }
  throws(() => openFileApart(path, "other.bin"), /does not contain other\.bin/);

  const bytes = await Deno.readFile(path);
  deepEqual(bytes.slice(0, NATIVE.length), NATIVE);
  deepEqual(bytes.slice(-40), runtime);
});

Deno.test("insertFiles() and openFileApart() refuse a file that does not have the expected form", async () => {
  using temp = new TempDir();
  const path = temp.at("program");
  await executable(path, "somethin");
  await rejects(insertFiles(path, FILES), /has no part of Deno's runtime/);
  throws(() => openFileApart(path, "table.bin"), /does not contain its data/);
  await Deno.writeTextFile(path, "short");
  await rejects(insertFiles(path, FILES), /has no part of Deno's runtime/);
  throws(() => openFileApart(path, "table.bin"), /does not contain its data/);
});
