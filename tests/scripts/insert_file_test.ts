import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import { openFileApart } from "#foundation/boundary/mod.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { insertFile } from "../../scripts/compile/insert_file.ts";

const NATIVE = new TextEncoder().encode("native code");
const TABLE = Uint8Array.from({ length: 5000 }, (_, at) => at % 251);

/** Writes an executable as `deno compile` makes it for Linux. */
async function executable(path: string, magic = "d3n0l4nd"): Promise<Uint8Array> {
  const runtime = new Uint8Array(40);
  runtime.set(new TextEncoder().encode(`${magic}modules`));
  new DataView(runtime.buffer).setBigUint64(32, 40n, true);
  await Deno.writeFile(path, new Uint8Array([...NATIVE, ...runtime]));
  return runtime;
}

Deno.test("insertFile() puts a file between native code and the runtime's part, and openFileApart() finds it", async () => {
  using temp = new TempDir();
  const path = temp.at("program");
  const runtime = await executable(path);
  await insertFile(path, TABLE);

  const part = openFileApart(path);
  using file = part.file;
  file.seekSync(part.offset, Deno.SeekMode.Start);
  const read = new Uint8Array(part.length);
  file.readSync(read);
  deepEqual(read, TABLE);

  const bytes = await Deno.readFile(path);
  deepEqual(bytes.slice(0, NATIVE.length), NATIVE);
  deepEqual(bytes.slice(-40), runtime);
  equal(bytes.length, NATIVE.length + TABLE.length + 16 + 40);
});

Deno.test("insertFile() and openFileApart() refuse a file that does not have the expected form", async () => {
  using temp = new TempDir();
  const path = temp.at("program");
  await executable(path, "somethin");
  await rejects(insertFile(path, TABLE), /has no part of Deno's runtime/);
  throws(() => openFileApart(path), /does not contain its data/);
  await Deno.writeTextFile(path, "short");
  await rejects(insertFile(path, TABLE), /has no part of Deno's runtime/);
  throws(() => openFileApart(path), /does not contain its data/);
});
