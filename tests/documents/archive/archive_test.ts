import { deepEqual, equal, throws } from "node:assert/strict";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { listArchive, readArchive } from "#documents/archive/archive.ts";
import { ARCHIVE_LIMITS, type ArchiveLimits } from "#documents/archive/budget.ts";
import { loaderOf } from "#documents/mod.ts";
import { DocumentError } from "#documents/types.ts";
import { zipOf } from "../zip_of.ts";
import {
  gzipOfItself,
  joined,
  rawSevenZip,
  rawZip,
  sample,
  sevenZipOf,
  storedLzma2,
  tarOf,
  xzOf,
} from "./_archives.ts";

const TEA = "Tea needs water of 80 degrees.\n";

const text = (content: Uint8Array | DocumentError | undefined) =>
  content instanceof Uint8Array ? new TextDecoder().decode(content) : content?.problem ?? "nothing";

/** The texts of the files in an archive, or the reasons why they cannot be read, by their paths. */
function contents(bytes: Uint8Array, path: string, limits?: Partial<ArchiveLimits>): Record<string, string> {
  const request = { path, limits: { ...ARCHIVE_LIMITS, ...limits } };
  const { entries, problem } = listArchive(bytes, request);
  const wanted = entries.map(({ path }) => path);
  const found = readArchive(bytes, { ...request, wanted });
  return {
    ...Object.fromEntries(wanted.map((path) => [path, text(found.get(path))])),
    ...(problem === undefined ? {} : { "": problem.problem }),
  };
}

const inZip = (...parts: Parameters<typeof rawZip>[0]) => contents(rawZip(parts), "a.zip");

Deno.test("the files of ZIP, tar, gzip, bzip2, xz and 7z archives are listed and read", () => {
  const files = [{ name: "tea.txt", content: TEA }, { name: "資料/茶.md", content: "茶\n" }];
  const expected = { "tea.txt": TEA, "資料/茶.md": "茶\n" };
  deepEqual(contents(rawZip(files), "a.zip"), expected);
  deepEqual(contents(tarOf(files), "a.tar"), expected);
  deepEqual(contents(gzipSync(tarOf(files)), "a.tgz"), expected);
  deepEqual(contents(sample("a.7z"), "a.7z"), expected);
  deepEqual(contents(sample("tea.txt.xz"), "x/tea.txt.xz"), { "tea.txt": TEA });
  deepEqual(contents(sample("tea.txt.bz2"), "tea.txt.bz2"), { "tea.txt": TEA });
  deepEqual(contents(gzipSync(TEA), "notes.gz"), { "notes": TEA });
});

/** Makes a 7z archive of one file without a name, by a coder. */
function namelessSevenZip(packed: Uint8Array, coder: Uint8Array, size: number): Uint8Array {
  return rawSevenZip(
    packed,
    ...[1, 4, 6, 0, 1, 9, packed.length, 0, 7, 11, 1, 0, 1, coder, 12, size, 0, 8, 0, 0, 5, 1, 0, 0],
  );
}

Deno.test("Zstandard is read in files, tar, ZIP and 7z archives, frame by frame", () => {
  const packed = Uint8Array.from(zstdCompressSync(TEA));
  const skipped = Uint8Array.fromHex("502a4d18020000000000");
  deepEqual(contents(joined(skipped, packed, skipped, zstdCompressSync("More.\n")), "notes.zst"), {
    notes: `${TEA}More.\n`,
  });
  deepEqual(contents(zstdCompressSync(tarOf([{ name: "a.txt", content: TEA }])), "a.tar.zst"), {
    "a.txt": TEA,
  });
  deepEqual(inZip({ name: "a.md", content: packed, method: 93 }), { "a.md": TEA });
  const coder = Uint8Array.fromHex("0404f71101");
  deepEqual(contents(namelessSevenZip(packed, coder, TEA.length), "tea.md.7z"), { "tea.md": TEA });
  deepEqual(contents(joined(packed, packed).subarray(0, -5), "notes.zst"), { notes: TEA, "": "damaged" });
  throws(() => listArchive(zstdCompressSync(new Uint8Array(40_000_000)), { path: "a.zst" }), {
    name: "DocumentError",
    problem: "too_complex",
  });
});

Deno.test("a 7z archive may store a file as it is by a method without a number", () => {
  const stored = new TextEncoder().encode(TEA);
  deepEqual(contents(namelessSevenZip(stored, Uint8Array.of(0), TEA.length), "tea.md.7z"), { "tea.md": TEA });
});

Deno.test("a program before a ZIP archive is no part of it", () => {
  const program = new TextEncoder().encode("MZ, which unpacks what follows");
  const archive = rawZip([{ name: "a.txt", content: TEA }, { name: "b.txt", content: "b" }]);
  deepEqual(contents(joined(program, archive), "a.zip"), { "a.txt": TEA, "b.txt": "b" });
  // More bytes before the directory only: the headers of the files are where they were.
  const end = archive.length - 22;
  const directory = end - new DataView(archive.buffer).getUint32(end + 12, true);
  deepEqual(contents(joined(archive.subarray(0, directory), program, archive.subarray(directory)), "a.zip"), {
    "a.txt": TEA,
    "b.txt": "b",
    "": "damaged",
  });
});

Deno.test("an entry has the time that the archive gives it", () => {
  const times = (bytes: Uint8Array, path: string) =>
    listArchive(bytes, { path }).entries.map(({ mtimeMs }) => mtimeMs && new Date(mtimeMs).toISOString());
  deepEqual(times(rawZip([{ name: "a.txt" }]), "a.zip"), ["2024-02-06T10:30:00.000Z"]);
  deepEqual(times(tarOf([{ name: "a.txt" }]), "a.tar"), ["2024-01-01T00:00:00.000Z"]);
});

Deno.test("names in GBK, Shift-JIS, Big5, CP437 and UTF-8 without the mark are decoded", () => {
  const table = {
    "d7cac1cf2fcbb5c3f72e747874": "资料/说明.txt",
    "8e9197bf2f90e096be8f912e747874": "資料/説明書.txt",
    "b8eaaec62fbba1a9fa2e747874": "資料/說明.txt",
    "7481737484722e747874": "tüstär.txt",
    "e8b584e696992f61": "资料/a",
  };
  for (const [hex, name] of Object.entries(table)) {
    deepEqual(Object.keys(inZip({ name: Uint8Array.fromHex(hex), content: "x" })), [name]);
  }
});

Deno.test("the names of a tar archive are decoded together, so rare characters are read by the others", () => {
  const gbk = (hex: string) => ({ name: Uint8Array.fromHex(hex), content: "x" });
  const files = [gbk("e8a12e747874"), gbk("84d32e747874"), gbk("d7cac1cfcbb5c3f7cec4bcfe2e747874")];
  const expected = ["琛.txt", "動.txt", "资料说明文件.txt"];
  deepEqual(Object.keys(contents(tarOf(files), "a.tar")), expected);
  deepEqual(Object.keys(contents(gzipSync(tarOf(files)), "a.tgz")), expected);
});

Deno.test("a name in the Unicode extra field counts if it belongs to the name in the header", () => {
  // Id, length, version, checksum of "x.txt", name.
  const extra = joined(Uint8Array.fromHex("757010000119d6e3af"), new TextEncoder().encode("茶园.md"));
  const part = { name: "?.md", content: "x", extra };
  deepEqual(Object.keys(inZip(part)), ["_.md"].map(() => "?.md"));
});

Deno.test("no name leads out of the archive, names a device, or stands for two files", () => {
  const names = [
    "../../etc/passwd",
    "/etc/shadow",
    "C:\\Windows\\win.ini",
    "..\\..\\a.txt",
    "NUL.txt",
    "a\0b\n.md",
    "x:y.md",
    "in\u202evoice\u2066.md",
  ];
  deepEqual(Object.keys(inZip(...names.map((name) => ({ name, content: "x" })))), [
    "etc/passwd",
    "etc/shadow",
    "Windows/win.ini",
    "a.txt",
    "_NUL.txt",
    "a_b_.md",
    "y.md",
    "in_voice_.md",
  ]);
  deepEqual(
    inZip({ name: "a.md", content: "1" }, { name: "a.md", content: "2" }, { name: "./a.md", content: "3" }),
    {
      "a.md": "1",
      "a (2).md": "2",
      "a (3).md": "3",
    },
  );
  deepEqual(inZip({ name: "a", content: "file" }, { name: "a/b", content: "below" }), {
    "a": "file",
    "a/b": "below",
  });
  deepEqual(inZip({ name: "..", content: "x" }, { name: "a/", content: "" }), {});
  const long = `${"n".repeat(5000)}.md`;
  deepEqual(Object.keys(inZip({ name: long, content: "x" })), [`${"n".repeat(197)}.md`]);
});

Deno.test("links, devices and folders of a tar archive are no files", () => {
  const archive = tarOf([
    { name: "link.txt", kind: "2", linkTo: "/etc/passwd" },
    { name: "hard.txt", kind: "1", linkTo: "a.txt" },
    { name: "device", kind: "3" },
    { name: "folder", kind: "5" },
    { name: "a.txt", content: "a" },
  ]);
  deepEqual(contents(archive, "a.tar"), { "a.txt": "a" });
});

Deno.test("names of tar archives may be long or in attributes", () => {
  const long = `${"深".repeat(60)}.md`;
  const attribute = (text: string) => {
    const length = new TextEncoder().encode(` ${text}\n`).length;
    return `${length + 3} ${text}\n`;
  };
  const archive = tarOf([
    { name: "././@LongLink", kind: "L", content: `${long}\0` },
    { name: "cut", content: "1" },
    { name: "pax", kind: "x", content: attribute(`path=${"b".repeat(90)}/茶.md`) },
    { name: "cut", content: "2" },
  ]);
  deepEqual(contents(archive, "a.tar"), { [long]: "1", [`${"b".repeat(90)}/茶.md`]: "2" });
});

Deno.test("files with holes are named with the reason, and the files behind them are read", () => {
  // The map of the first one goes on in a block before its content.
  const old = tarOf([{ name: "old", content: "x".repeat(512), kind: "S" }]).subarray(0, 1024);
  const mapped = joined(old.subarray(0, 512), new Uint8Array(512), old.subarray(512));
  mapped[482] = 1;
  const sum = mapped.subarray(0, 512).reduce((sum, byte, i) => sum + (i >= 148 && i < 156 ? 32 : byte), 0);
  mapped.set(new TextEncoder().encode(sum.toString(8).padStart(6, "0")), 148);
  const rest = tarOf([
    { name: "pax", kind: "x", content: "27 GNU.sparse.name=new.txt\n" },
    { name: "GNUSparseFile.1/new.txt", content: "0\n" },
    { name: "a.txt", content: TEA },
  ]);
  deepEqual(contents(joined(mapped, rest), "a.tar"), {
    old: "unsupported",
    "new.txt": "unsupported",
    "a.txt": TEA,
  });
});

Deno.test("encrypted entries are named with the reason, and an archive with encrypted names is refused", () => {
  deepEqual(inZip({ name: "open.md", content: "x" }, { name: "locked.md", content: "y", flags: 1 }), {
    "open.md": "x",
    "locked.md": "encrypted",
  });
  throws(() => listArchive(sample("e.7z"), { path: "e.7z" }), {
    name: "DocumentError",
    problem: "encrypted",
  });
});

Deno.test("methods that are not read are named", () => {
  deepEqual(contents(sample("p.7z"), "p.7z"), { "tea.txt": "unsupported" });
  deepEqual(inZip({ name: "a.md", content: "x", method: 9 }), { "a.md": "unsupported" });
});

Deno.test("an archive that is cut off gives the files before the cut", () => {
  const files = Array.from({ length: 4 }, (_, i) => ({ name: `${i}.md`, content: `${i}`.repeat(600) }));
  const tar = tarOf(files);
  deepEqual(Object.keys(contents(tar.subarray(0, 512 * 8), "a.tar")), ["0.md", "1.md", "2.md", ""]);
  const zip = rawZip(files);
  deepEqual(Object.keys(contents(zip.subarray(0, zip.length - 250), "a.zip")), [
    "0.md",
    "1.md",
    "2.md",
    "",
  ]);
  const gz = gzipSync(
    tarOf([...files, { name: "r", content: crypto.getRandomValues(new Uint8Array(20_000)) }]),
  );
  deepEqual(Object.keys(contents(gz.subarray(0, 12_000), "a.tgz")), [
    "0.md",
    "1.md",
    "2.md",
    "3.md",
    "r",
    "",
  ]);
  for (const bytes of [new Uint8Array(), Uint8Array.of(1, 2, 3), sample("a.7z").subarray(0, 60)]) {
    throws(() => listArchive(bytes, { path: "a.7z" }), { name: "DocumentError", problem: "damaged" });
  }
});

Deno.test("a 7z archive that is broken inside gives the files before that place, and is unpacked once", () => {
  const files = [["1.md", 3], ["2.md", 60_000], ["3.md", 9], ["4.md", 9]] as const;
  const good = joined(storedLzma2("one"), storedLzma2("2".repeat(60_000)), storedLzma2("x".repeat(6000)));
  const archive = sevenZipOf(joined(good, Uint8Array.of(3)), [...files, ["5.md", 40_000], ["6.md", 9]]);
  deepEqual(contents(archive, "a.7z", { bytes: 110_000 }), {
    "1.md": "one",
    "2.md": "2".repeat(60_000),
    "3.md": "x".repeat(9),
    "4.md": "x".repeat(9),
    "5.md": "damaged",
    "6.md": "damaged",
  });
});

Deno.test("a piece of LZMA2 that asks for larger tables than the format allows is broken", () => {
  // One byte, packed; the properties of the piece; a code of zeros, which means a zero.
  const piece = (properties: number) => Uint8Array.of(0xe0, 0, 0, 0, 5, properties, 0, 0, 0, 0, 0, 0, 0);
  for (const [lc, lp] of [[3, 0], [4, 0], [0, 4]] as const) {
    deepEqual(contents(xzOf(piece(lc + 9 * lp)), "a.xz"), { "a": "\0" });
  }
  for (const [lc, lp] of [[5, 0], [1, 4], [8, 4]] as const) {
    throws(() => contents(xzOf(piece(lc + 9 * lp)), "a.xz"), { problem: "damaged" });
    deepEqual(contents(sevenZipOf(piece(lc + 9 * lp), [["a", 1]]), "a.7z"), { "a": "damaged" });
  }
});

Deno.test("an entry in LZMA that asks for tables that no program uses is broken", () => {
  // A version, the length of the properties, and they; a code of zeros, which means zeros.
  const read = (lc: number, lp: number) =>
    inZip({
      name: "a",
      content: joined(Uint8Array.of(16, 2, 5, 0, lc + 9 * lp), new Uint8Array(1000)),
      method: 14,
    });
  for (const [lc, lp] of [[3, 0], [8, 0], [4, 4]] as const) {
    deepEqual(read(lc, lp), { "a": "\0".repeat(1005) });
  }
  for (const [lc, lp] of [[8, 1], [8, 4]] as const) deepEqual(read(lc, lp), { "a": "damaged" });
});

Deno.test("a 7z archive cannot have more streams than entries, or lists that take no bytes", () => {
  const nothing = new Uint8Array();
  const streams = (count: number) => [1, 4, 6, 0, count, 9, ...Array.from({ length: count }, () => 0), 0];
  throws(() => contents(rawSevenZip(nothing, ...streams(11)), "a.7z", { entries: 10 }), {
    problem: "too_complex",
    message: /11 entries, more than 10/,
  });
  // Two lists of the files in the blocks; a coder without an output.
  for (const fields of [[8, 0, 8, 0, 0], [7, 11, 1, 0, 1, 0x11, 0x21, 1, 0]]) {
    throws(() => contents(rawSevenZip(nothing, ...streams(0), ...fields), "a.7z"), { problem: "damaged" });
  }
});

Deno.test("archives in archives are folders, down to the limit", () => {
  const nest = (depth: number): Uint8Array =>
    depth === 0
      ? rawZip([{ name: "tea.md", content: TEA }])
      : rawZip([{ name: "z.zip", content: nest(depth - 1) }]);
  deepEqual(contents(nest(1), "a.zip"), { "z.zip/tea.md": TEA });
  deepEqual(contents(nest(3), "a.zip"), { "z.zip/z.zip/z.zip/tea.md": TEA });
  deepEqual(contents(nest(4), "a.zip"), { "z.zip/z.zip/z.zip/z.zip": "too_complex" });
});

Deno.test("an archive that contains itself is not opened again", () => {
  const itself = gzipOfItself();
  const read = (name: string) => {
    const { entries } = listArchive(itself, { path: name });
    return entries.map(({ path, problem }) => [path, problem?.message]);
  };
  deepEqual(contents(itself, "a.gz"), { "a": new TextDecoder().decode(itself) });
  deepEqual(read("a.gz.gz"), [["a.gz", "the archive contains itself"]]);
  deepEqual(contents(rawZip([{ name: "a.gz.gz", content: itself }]), "a.zip"), {
    "a.gz.gz/a.gz": "unsupported",
  });
});

Deno.test("copies of archives in archives are counted together", () => {
  const copies = (content: Uint8Array) =>
    rawZip(Array.from({ length: 6 }, (_, i) => ({ name: `${i}.zip`, content })));
  const archive = copies(copies(copies(rawZip([{ name: "tea.md", content: TEA }]))));
  const { entries } = listArchive(archive, { path: "a.zip", limits: { ...ARCHIVE_LIMITS, entries: 100 } });
  equal(entries.filter(({ problem }) => problem === undefined).length < 100, true);
  equal(entries.at(-1)!.path, "5.zip");
  equal(entries.at(-1)!.problem?.message, "the archive has more than 100 entries");
});

Deno.test("an Office document with the name of an archive stays a document", () => {
  const docx = zipOf({ "[Content_Types].xml": "<Types/>", "word/document.xml": "<w/>" });
  deepEqual(Object.keys(contents(rawZip([{ name: "report.zip", content: docx }]), "a.zip")), ["report.zip"]);
});

Deno.test("beyond the limits of entries and bytes an archive is refused by a message that names the limit", () => {
  const many = rawZip(Array.from({ length: 11 }, (_, i) => ({ name: `${i}` })));
  throws(() => contents(many, "a.zip", { entries: 10 }), {
    problem: "too_complex",
    message: /11 entries, more than 10/,
  });
  const tar = tarOf(Array.from({ length: 11 }, (_, i) => ({ name: `${i}`, content: "x" })));
  throws(() => contents(tar, "a.tar", { entries: 10 }), {
    problem: "too_complex",
    message: /more than 10 entries/,
  });
  const zeros = new Uint8Array(40_000_000);
  throws(() => contents(gzipSync(zeros), "a.gz"), { problem: "too_complex", message: /more than 300 times/ });
  throws(() => contents(gzipSync(zeros), "a.gz", { stream: 1_000_000 }), {
    problem: "too_complex",
    message: /1 MB/,
  });
  deepEqual(inZip({ name: "bomb.txt", content: zeros }, { name: "a.md", content: "x" }), {
    "bomb.txt": "too_complex",
    "a.md": "x",
  });
  const found = readArchive(rawZip([{ name: "a.md", content: "12345" }]), {
    path: "a.zip",
    wanted: ["a.md"],
    maxBytes: 4,
  });
  equal(text(found.get("a.md")), "too_complex");
});

Deno.test("entries that share their bytes are refused but for the first", () => {
  const archive = rawZip([{ name: "a.md", content: "x" }, { name: "b.md", content: "x", header: 0 }]);
  deepEqual(contents(archive, "a.zip"), { "a.md": "x", "b.md": "damaged" });
});

Deno.test("the list of an archive's files is a document", async () => {
  const loader = (await loaderOf("archive"))!;
  const archive = rawZip([{ name: "open.md", content: "x" }, { name: "locked.md", content: "yy", flags: 1 }]);
  const { text } = await loader.load(archive, { path: "a.zip" });
  equal(text, "- open.md (1)\n- locked.md (2, encrypted)\n");
});
