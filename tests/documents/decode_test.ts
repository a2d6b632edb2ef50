import assert from "node:assert/strict";
import fc from "fast-check";
import { decode } from "#documents/mod.ts";
import { assertFuzzed } from "../_fuzz.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const join = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** Bytes in hexadecimal, encoded by another program. */
const SAMPLES: [encoding: string, text: string, hex: string][] = [
  ["gb18030", "中文测试", "d6d0cec4b2e2cad4"],
  ["gb18030", "错误：无法打开文件", "b4edcef3a3bacedeb7a8b4f2bfaacec4bcfe"],
  ["gb18030", "2024年1月销售报表", "32303234c4ea31d4c2cffacadbb1a8b1ed"],
  ["gb18030", "饕餮盛宴", "f7d2f7d1caa2d1e7"],
  ["gb18030", "中文𠀀测试", "d6d0cec495328236b2e2cad4"],
  ["gb18030", "這是繁體中文的測試", "df40cac7b7b1f377d6d0cec4b5c49c79d487"],
  ["big5", "這是繁體中文的測試文件", "b36fac4fc163c5e9a4a4a4e5aabab4fab8d5a4e5a5f3"],
  [
    "shift_jis",
    "設定ファイルを開くことができません。",
    "90dd92e8837483408343838b82f08a4a82ad82b182c682aa82c582ab82dc82b982f18142",
  ],
  [
    "euc-jp",
    "設定ファイルを開くことができません。",
    "c0dfc4eaa5d5a5a1a5a4a5eba4f2b3aba4afa4b3a4c8a4aca4c7a4ada4dea4bba4f3a1a3",
  ],
  ["euc-kr", "파일을 찾을 수 없습니다.", "c6c4c0cfc0bb20c3a3c0bb20bcf620bef8bdc0b4cfb4d92e"],
  [
    "windows-1252",
    "Le café est très populaire, même à Noël",
    "4c6520636166e920657374207472e87320706f70756c616972652c206dea6d6520e0204e6feb6c",
  ],
  ["windows-1252", "naïve façade", "6e61ef7665206661e7616465"],
  [
    "koi8-r",
    "Привет, мир! Это проверка кодировки.",
    "f0d2c9d7c5d42c20cdc9d22120fcd4cf20d0d2cfd7c5d2cbc120cbcfc4c9d2cfd7cbc92e",
  ],
  [
    "windows-1251",
    "Привет, мир! Это проверка кодировки.",
    "cff0e8e2e5f22c20ece8f02120ddf2ee20eff0eee2e5f0eae020eaeee4e8f0eee2eae82e",
  ],
  ["utf-16le", "hello\n世界\n", "680065006c006c006f000a00164e4c750a00"],
  ["utf-16be", "hello\n世界\n", "00680065006c006c006f000a4e16754c000a"],
];

for (const [encoding, text, hex] of SAMPLES) {
  Deno.test(`decode() recognises ${encoding}: ${text.trim().replace("\n", " ")}`, async () => {
    assert.deepEqual(await decode(Uint8Array.fromHex(hex)), { text, encoding, replaced: 0 });
  });
}

Deno.test("decode() reads GBK that happens to be valid UTF-8", async () => {
  assert.deepEqual(await decode(Uint8Array.fromHex("cfb5cdb3")), {
    text: "系统",
    encoding: "gb18030",
    replaced: 0,
  });
});

Deno.test("decode() returns every text that was encoded in UTF-8", async () => {
  const usual = fc.string({
    unit: fc.constantFrom(..."abc \r\n\t，。中文测试éñßПриветЖ한글かな🎉𠀀".match(/./gsu)!),
  });
  await assertFuzzed(
    fc.asyncProperty(usual, async (text) => {
      assert.deepEqual(await decode(utf8(text)), { text, encoding: "utf-8", replaced: 0 });
    }),
    100,
  );
});

Deno.test("decode() returns utf-8 for ASCII and for an empty file, and keeps CRLF", async () => {
  assert.deepEqual(await decode(utf8("a\r\nb\rc\n")), {
    text: "a\r\nb\rc\n",
    encoding: "utf-8",
    replaced: 0,
  });
  assert.deepEqual(await decode(new Uint8Array()), { text: "", encoding: "utf-8", replaced: 0 });
});

Deno.test("decode() keeps NULs, and U+FFFD that is in the file", async () => {
  assert.deepEqual(await decode(utf8("line\0 one\n")), {
    text: "line\0 one\n",
    encoding: "utf-8",
    replaced: 0,
  });
  assert.deepEqual(await decode(utf8("坏 \ufffd 字")), {
    text: "坏 \ufffd 字",
    encoding: "utf-8",
    replaced: 0,
  });
});

Deno.test("decode() obeys byte order marks and removes them", async () => {
  const table: [hex: string, encoding: string][] = [
    ["efbbbf61e4b8ad", "utf-8"],
    ["fffe61002d4e", "utf-16le"],
    ["feff00614e2d", "utf-16be"],
    ["8431953361d6d0", "gb18030"],
  ];
  for (const [hex, encoding] of table) {
    assert.deepEqual(await decode(Uint8Array.fromHex(hex)), { text: "a中", encoding, replaced: 0 });
    assert.deepEqual(await decode(Uint8Array.fromHex(hex), "big5"), { text: "a中", encoding, replaced: 0 });
  }
});

Deno.test("decode() refuses UTF-32", async () => {
  await assert.rejects(decode(Uint8Array.fromHex("fffe000061000000")), { problem: "unsupported_encoding" });
  await assert.rejects(decode(Uint8Array.fromHex("0000feff00000061")), { problem: "unsupported_encoding" });
});

Deno.test("decode() reads UTF-8 with a few invalid bytes, and counts them", async () => {
  const line = utf8("二〇二四年 INFO 一切正常\n");
  const broken = join(line, line, Uint8Array.of(0xff, 0xe4, 0xb8), utf8("x"), line);
  assert.deepEqual(await decode(broken), {
    text: "二〇二四年 INFO 一切正常\n二〇二四年 INFO 一切正常\n\ufffd\ufffdx二〇二四年 INFO 一切正常\n",
    encoding: "utf-8",
    replaced: 2,
  });
});

Deno.test("decode() reads texts that end within a character", async () => {
  assert.deepEqual(await decode(utf8("中文").subarray(0, 5)), {
    text: "中\ufffd",
    encoding: "utf-8",
    replaced: 1,
  });
  assert.deepEqual(await decode(Uint8Array.fromHex("d6d0cec4b2e2ca")), {
    text: "中文测\ufffd",
    encoding: "gb18030",
    replaced: 1,
  });
  assert.deepEqual(await decode(Uint8Array.fromHex("680065006c006c006f000a0016")), {
    text: "hello\n\ufffd",
    encoding: "utf-16le",
    replaced: 1,
  });
});

Deno.test("decode() reads a long GBK log with an invalid byte", async () => {
  const line = Uint8Array.fromHex("b4edcef3a3bacedeb7a8b4f2bfaacec4bcfe0a");
  const lines = new Array<Uint8Array>(100).fill(line);
  const { text, encoding, replaced } = await decode(join(...lines, Uint8Array.of(0xff, 0x0a), ...lines));
  const expected = "错误：无法打开文件\n".repeat(100);
  assert.deepEqual({ text, encoding, replaced }, {
    text: `${expected}\ufffd\n${expected}`,
    encoding: "gb18030",
    replaced: 1,
  });
});

Deno.test("decode() reads ASCII with a few other bytes", async () => {
  const { text } = await decode(join(utf8("plain text\n".repeat(500)), Uint8Array.of(0x81)));
  assert.ok(text.startsWith("plain text\nplain text\n"));
});

Deno.test("decode() uses a forced encoding, by any of its labels", async () => {
  const gbk = Uint8Array.fromHex("d6d0cec4b2e2cad4");
  assert.deepEqual(await decode(gbk, "GB2312"), { text: "中文测试", encoding: "gbk", replaced: 0 });
  assert.deepEqual(await decode(gbk, "latin1"), { text: "ÖÐÎÄ²âÊÔ", encoding: "windows-1252", replaced: 0 });
});

Deno.test("decode() refuses a forced encoding that is unknown or does not fit", async () => {
  const gbk = Uint8Array.fromHex("d6d0cec4b2e2cad4");
  await assert.rejects(decode(gbk, "klingon"), {
    problem: "unsupported_encoding",
    message: "it is not text in klingon",
  });
  await assert.rejects(decode(gbk, "utf-8"), { problem: "unsupported_encoding" });
});

Deno.test("decode() refuses bytes that are not text", async () => {
  let state = 1;
  const noise = Uint8Array.from({ length: 4000 }, () => (state = (state * 48271) % 0x7fffffff) & 0xff);
  await assert.rejects(decode(noise), { problem: "unsupported_encoding" });
});
