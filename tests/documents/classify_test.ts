import assert from "node:assert/strict";
import { binaryReason, looksBinary, mediaByContent, mediaByName, typeByName } from "#documents/mod.ts";

const ascii = (text: string) => new TextEncoder().encode(text);
const hex = (digits: string) => Uint8Array.fromHex(digits);

Deno.test("typeByName() has the extensions of the requirements", () => {
  for (const extension of "txt md json yaml xml csv log ini conf sh bat cmd ps1".split(" ")) {
    assert.equal(typeByName(`docs/a.${extension}`), "text", extension);
  }
  const binary = "jpg png gif bmp tiff svg mp4 avi mov flv mkv mp3 wav flac aac rar exe dll apk";
  for (const extension of binary.split(" ")) {
    assert.equal(typeByName(`docs/a.${extension}`), "binary", extension);
  }
  for (const extension of "pdf docx xlsx pptx odt epub rtf msg".split(" ")) {
    assert.equal(typeByName(`docs/a.${extension}`), "unknown", extension);
  }
});

Deno.test("typeByName() uses the last extension of the last name and ignores case", () => {
  const table: [path: string, type: string][] = [
    ["a.TXT", "text"],
    ["a.txt.PNG", "binary"],
    ["a.tar.gz", "unknown"],
    ["a.drawio.svg", "unknown"],
    ["a.Excalidraw.PNG", "unknown"],
    ["photos.jpg/readme", "text"],
    ["C:\\docs.png\\notes.md", "text"],
    ["README", "text"],
    ["Makefile", "text"],
    ["LICENSE", "text"],
    ["main.ts", "text"],
    ["日记.txt", "text"],
    ["noextension", "unknown"],
    ["a.unheardof", "unknown"],
    ["", "unknown"],
  ];
  for (const [path, type] of table) assert.equal(typeByName(path), type, path);
});

Deno.test("looksBinary() recognizes signatures, whatever the name", () => {
  const formats: Record<string, Uint8Array> = {
    png: hex("89504e470d0a1a0a0000000d49484452"),
    jpeg: hex("ffd8ffe000104a464946"),
    gif: ascii("GIF89a\x01"),
    pdf: ascii("%PDF-1.7\n"),
    zip: hex("504b030414000000"),
    gzip: hex("1f8b0800000000"),
    sevenZip: hex("377abcaf271c0004"),
    rar: hex("526172211a0700"),
    elf: hex("7f454c46020101"),
    windowsProgram: hex("4d5a90000300000004000000"),
    machO: hex("cffaedfe07000001"),
    javaClass: hex("cafebabe00000034"),
    wasm: hex("0061736d01000000"),
    sqlite: ascii("SQLite format 3\0"),
    mp3: hex("49443303000000000000"),
    mp3Frame: hex("fffb9064"),
    mp4: hex("00000018667479706d703432"),
    ogg: hex("4f67675300020000"),
    wav: hex("52494646240000005741564566"),
    trueType: hex("0001000000110100"),
    woff2: hex("774f463200010000"),
    oldOffice: hex("d0cf11e0a1b11ae1"),
  };
  for (const [name, bytes] of Object.entries(formats)) assert.ok(looksBinary(bytes, true), name);
});

Deno.test("looksBinary() is false for texts", () => {
  const texts: Record<string, Uint8Array> = {
    empty: new Uint8Array(),
    ascii: ascii("hello\r\n\tworld\n"),
    utf8: ascii("中文测试，你好。🎉"),
    utf8Mark: hex("efbbbf6869"),
    gbk: hex("d6d0cec4b2e2cad4"),
    utf16Mark: hex("fffe680069000a00"),
    utf16Little: hex("680065006c006c006f000a00164e4c750a00"),
    utf16Big: hex("00680065006c006c006f000a4e16754c000a"),
    startsWithMz: ascii("MZ is the signature of DOS programs"),
    startsWithBm: ascii("BM25 ranks documents"),
    startsWithRiff: ascii("RIFF files hold sound"),
    startsWithPk: ascii("PK is short for primary key"),
    coloured: ascii("\x1b[31merror\x1b[0m\n"),
    dosEnd: ascii("dir\r\n\x1a"),
  };
  for (const [name, bytes] of Object.entries(texts)) {
    assert.equal(looksBinary(bytes, true), false, name);
    assert.equal(looksBinary(bytes, false), false, name);
  }
});

Deno.test("looksBinary() allows one NUL in a file with a text name, none in others", () => {
  const log = ascii("2024-01-01 started\n\0" + "2024-01-01 went on\n".repeat(20));
  assert.equal(looksBinary(log, true), false);
  assert.equal(looksBinary(log, false), true);
});

Deno.test("looksBinary() finds NULs and control bytes at the start and far after it", () => {
  const noise = Uint8Array.from({ length: 2000 }, (_, i) => (i * 7919) % 251);
  assert.ok(looksBinary(noise, true));
  const late = new Uint8Array(400_000).fill(97);
  late.fill(0, 70_000);
  assert.ok(looksBinary(late, true));
});

Deno.test("mediaByName() and mediaByContent() recognize archives, images, audio and video", () => {
  const names = "a.rar a.iso A.JPG a.svg a.psd a.mp3 a.flac a.mp4 a.mkv a.exe a.pdf a.txt zip";
  assert.deepEqual(names.split(" ").map((name) => mediaByName(name)), [
    "archive",
    "archive",
    "image",
    "image",
    "image",
    "audio",
    "audio",
    "video",
    "video",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const contents: [string, string | undefined][] = [
    ["504b030414000000", "archive"],
    ["1f8b0800000000", "archive"],
    ["89504e470d0a1a0a", "image"],
    ["52494646240000005741564566", "audio"],
    ["524946462400000041564920", "video"],
    ["524946462400000057454250", "image"],
    ["00000018667479706d703432", "video"],
    ["0000001866747970686569630000", "image"],
    ["00000018667479704d3441200000", "audio"],
    ["fffb9064", "audio"],
    ["1a45dfa3", "video"],
    ["7f454c46020101", undefined],
    ["255044462d312e37", undefined],
    ["e4bda0e5a5bd", undefined],
  ];
  for (const [digits, kind] of contents) assert.equal(mediaByContent(hex(digits)), kind, digits);
});

Deno.test("binaryReason() distinguishes media, documents without a loader, and other binary files", () => {
  const reasons = ["a.jpg", "old.rar", "论文.caj", "book.DJVU", "a.exe", "id.key"].map(binaryReason);
  assert.deepEqual(reasons, ["image", "archive", "no_loader", "no_loader", "binary_type", "binary_type"]);
});
