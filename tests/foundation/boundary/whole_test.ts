import { deepEqual, equal } from "node:assert/strict";
import { fill, fillSync, writeAll, writeAllSync } from "#foundation/boundary/open_file.ts";
import { TempDir } from "./helpers.ts";

/** A file that reads and writes at most two bytes in each call. */
function hesitant(file: Deno.FsFile): Deno.FsFile {
  const few = (bytes: Uint8Array) => bytes.subarray(0, 2);
  const own: Partial<Deno.FsFile> = {
    read: (bytes) => file.read(few(bytes)),
    readSync: (bytes) => file.readSync(few(bytes)),
    write: (bytes) => file.write(few(bytes)),
    writeSync: (bytes) => file.writeSync(few(bytes)),
  };
  return own as Deno.FsFile;
}

Deno.test("writeAll() and fill() continue after partial writes and reads", async () => {
  using temp = new TempDir();
  using file = Deno.openSync(temp.write("a", ""), { read: true, write: true });
  const part = hesitant(file);
  await writeAll(part, Uint8Array.of(1, 2, 3));
  writeAllSync(part, Uint8Array.of(4, 5, 6, 7));

  for (const read of [fill, fillSync]) {
    file.seekSync(0, Deno.SeekMode.Start);
    const [five, rest] = [new Uint8Array(5), new Uint8Array(5)];
    equal(await read(part, five), 5);
    equal(await read(part, rest), 2);
    equal(await read(part, rest), 0);
    deepEqual([[...five], [...rest]], [[1, 2, 3, 4, 5], [6, 7, 0, 0, 0]]);
  }
});
