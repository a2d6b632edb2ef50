import { deepEqual, rejects } from "node:assert/strict";
import { BadArchive, tarEntries } from "#models/install/archive.ts";
import { tarOf } from "./_tar.ts";

/** The stream in parts of `size` bytes. */
async function* inParts(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function read(bytes: Uint8Array, size = 1000): Promise<[string, string][]> {
  const entries = await Array.fromAsync(tarEntries(inParts(bytes, size), (path) => !path.includes("not")));
  return entries.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]);
}

const ARCHIVE = tarOf([
  { path: "a", content: "one" },
  { path: "not", content: "x".repeat(2000) },
  { path: "folder", content: "", type: "5" },
  { path: "link", content: "", type: "2" },
  { path: "b", content: "y".repeat(512) },
  { path: "empty", content: "" },
]);

Deno.test("tarEntries() gives the ordinary files that are wanted, however the stream is cut", async () => {
  const expected = [["a", "one"], ["b", "y".repeat(512)], ["empty", ""]];
  for (const size of [1, 7, 511, 512, 10_000]) deepEqual(await read(ARCHIVE, size), expected);
  deepEqual(await read(ARCHIVE.subarray(0, -1024)), expected);
});

Deno.test("tarEntries() refuses archives that end too early, and damaged headers", async () => {
  await rejects(read(ARCHIVE.subarray(0, 514)), BadArchive);
  await rejects(read(ARCHIVE.subarray(0, 1100)), BadArchive);
  await rejects(read(ARCHIVE.with(0, 1)), BadArchive);
  await rejects(read(new Uint8Array(600).fill(65)), BadArchive);
});
