import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { openFileApart, readPart } from "#foundation/boundary/mod.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { insertFiles, putPartAtEnd } from "../../scripts/compile/insert_files.ts";

const NATIVE = Buffer.from("native code");
const FILES = new Map([
  ["table.bin", Uint8Array.from({ length: 5000 }, (_, at) => at % 251)],
  ["empty.bin", new Uint8Array()],
  ["module.js.br", Uint8Array.of(1, 2, 3)],
]);

/** Little-endian numbers of so many bytes. */
const u = (bytes: 2 | 4 | 8, value: number) => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer.subarray(0, bytes);
};
const join = (...parts: (Uint8Array | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));

/** The runtime's part as `deno compile` makes it: metadata and modules. */
function partOf(metadata: unknown): Buffer {
  const json = JSON.stringify(metadata);
  return join("d3n0l4nd", u(8, json.length), json, "modules d3n0l4nd");
}

/** An executable with the part in a note, as Deno 2.9 makes it for Linux. */
function withNote(part: Buffer): Buffer {
  const content = join(u(2, 8), "d3n0l4nd", part);
  return join(
    NATIVE,
    "table of headers",
    u(4, 4),
    u(4, content.length),
    u(4, 0x5355_4901),
    "SUI\0",
    content,
    "\0\0",
  );
}

/** An executable with the part at its end, as Deno made it before. */
function withEnd(part: Buffer): Buffer {
  return join(NATIVE, part, u(4, 0x501e), u(4, 0x2a7), u(8, part.length + 16));
}

const PART = partOf({ v8_flags: [], unstable_config: { features: ["worker-options"] } });

for (const [place, made] of [["in a note", withNote(PART)], ["at the end", withEnd(PART)]] as const) {
  Deno.test(`openFileApart() finds each file that insertFiles() has put into an executable with the runtime's part ${place}`, async () => {
    using temp = new TempDir();
    const path = temp.at("program");
    await Deno.writeFile(path, made);
    await insertFiles(path, FILES);

    for (const [name, content] of FILES) {
      const part = openFileApart(path, name);
      using _file = part.file;
      deepEqual(readPart(part, 0, new Uint8Array(part.length)), content);
    }
    throws(() => openFileApart(path, "other.bin"), /does not contain other\.bin/);

    const bytes = Buffer.from(await Deno.readFile(path));
    const before = place === "in a note" ? made : NATIVE;
    deepEqual(bytes.subarray(0, before.length), before);
    if (place === "at the end") {
      deepEqual(bytes.subarray(NATIVE.length - made.length), made.subarray(NATIVE.length));
    }
  });
}

Deno.test("putPartAtEnd() makes an executable for an older runtime, with the field that it needs", async () => {
  using temp = new TempDir();
  const [path, base] = [temp.at("program"), temp.at("base")];
  await Deno.writeFile(path, withNote(PART));
  await Deno.writeFile(base, NATIVE);
  await putPartAtEnd(path, base);
  const older = partOf({
    v8_flags: [],
    unstable_config: { features: ["worker-options"], bare_node_builtins: true },
  });
  equal(Buffer.from(await Deno.readFile(path)).toString(), withEnd(older).toString());
});

Deno.test("a file that does not have the form of an executable is refused", async () => {
  using temp = new TempDir();
  const path = temp.at("program");
  for (const other of [withNote(join("something")), withEnd(PART).subarray(0, -1), Buffer.from("short")]) {
    await Deno.writeFile(path, other);
    await rejects(insertFiles(path, FILES), /has no part of Deno's runtime/);
    await rejects(putPartAtEnd(path, path), /has no part of Deno's runtime/);
    throws(() => openFileApart(path, "table.bin"), /does not contain its data/);
  }
});
