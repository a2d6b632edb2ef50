import { equal, ok } from "node:assert/strict";
import { gzipSync, zstdCompressSync } from "node:zlib";
import * as fc from "fast-check";
import { listArchive, readArchive } from "#documents/archive/archive.ts";
import { DocumentError } from "#documents/types.ts";
import { fuzz } from "../../_fuzz.ts";
import { mutated, mutation } from "../../_mutated.ts";
import { gzipOfItself, rawZip, sample, sevenZipOf, storedLzma2, tarOf } from "./_archives.ts";

const FILES = [
  { name: "tea.md", content: "Tea needs water of 80 degrees.\n".repeat(20) },
  { name: "資料/茶.md", content: "茶\n" },
];
const TAR = tarOf([{ name: "././@LongLink", kind: "L", content: "long/name.md\0" }, ...FILES]);
const NESTED = rawZip([...FILES, { name: "a.tgz", content: new Uint8Array(gzipSync(TAR)) }, {
  name: "a.7z",
  content: sample("a.7z"),
}]);

/** An archive of every kind, and of every method of compression. */
const ARCHIVES: readonly (readonly [path: string, bytes: Uint8Array<ArrayBuffer>])[] = [
  ["a.zip", rawZip(FILES)],
  ["stored.zip", rawZip(FILES.map((file) => ({ ...file, method: 0 })))],
  ["nested.zip", NESTED],
  ["a.tar", TAR],
  ["a.tgz", new Uint8Array(gzipSync(TAR))],
  ["a.tar.zst", new Uint8Array(zstdCompressSync(TAR))],
  ["tea.txt.gz", new Uint8Array(gzipSync(FILES[0]!.content))],
  ["a.gz.gz", gzipOfItself()],
  ["stored.7z", sevenZipOf(storedLzma2("onetwo"), [["1.md", 3], ["2.md", 3]])],
  ...(["a.7z", "e.7z", "p.7z", "tea.txt.xz", "x86.xz", "tea.txt.bz2"] as const).map((path) =>
    [path, sample(path)] as const
  ),
];

const LIMITS = { entries: 100, bytes: 3_000_000, stream: 1_000_000, ratio: 300, depth: 3 };

Deno.test("a mutated archive of any kind gives its files, or a named reason for each that it does not give", () => {
  const number = fc.nat(ARCHIVES.length - 1);
  fc.assert(
    fc.property(number, mutation, (number, how) => {
      const [path, bytes] = ARCHIVES[number]!;
      const archive = mutated(bytes, how);
      const request = { path, limits: LIMITS, maxBytes: 500_000 };
      let wanted: string[];
      try {
        wanted = listArchive(archive, request).entries.map(({ path }) => path);
      } catch (error) {
        ok(error instanceof DocumentError, `${error}`);
        return;
      }
      equal(new Set(wanted).size, wanted.length);
      const found = readArchive(archive, { ...request, wanted });
      for (const path of wanted) {
        const content = found.get(path);
        ok(!path.split("/").some((part) => ["", ".", ".."].includes(part)), path);
        ok(content instanceof DocumentError || content!.length <= request.maxBytes, path);
      }
    }),
    fuzz(3000),
  );
});
