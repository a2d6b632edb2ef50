import { equal, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { bytesToText, decode, DocumentError } from "#documents/mod.ts";
import { assertFuzzed } from "../_fuzz.ts";
import { mutated, mutation } from "../_mutated.ts";

const utf8 = new TextEncoder();
const utf16 = (text: string) => new Uint8Array(Uint16Array.from(text, (unit) => unit.charCodeAt(0)).buffer);
/** Texts in several encodings. */
const SAMPLES = [
  utf8.encode("Green tea at 70 °C — 绿茶 Зелёный чай 🎉\r\n".repeat(3)),
  utf8.encode("plain ASCII, nothing more\n".repeat(20)),
  Uint8Array.fromHex("cfb5cdb3d6d0b5c4cec4bcfe").slice(), // GBK
  Uint8Array.fromHex("cff0e8e2e5f22c20ece8f02120ddf2ee20eff0eee2e5f0eae020eaeee4e8f0eee2eae82e").slice(),
  utf16("hello\n世界\n".repeat(5)),
  utf16("\ufeffhello 🎉\n"),
];
const bytes = fc.oneof(
  fc.tuple(fc.constantFrom(...SAMPLES), mutation).map(([sample, how]) => mutated(sample, how)),
  fc.uint8Array({ maxLength: 400 }),
);
const encoding = fc.constantFrom(undefined, "gbk", "utf-16le", "shift_jis", "windows-1252", "no such");

Deno.test("any bytes are decoded to a well-formed text, or refused with a message", async () => {
  await assertFuzzed(
    fc.asyncProperty(bytes, encoding, async (bytes, forced) => {
      const before = bytes.slice();
      try {
        const { text, encoding, replaced } = await decode(bytes as Uint8Array, forced);
        ok(text.isWellFormed());
        ok(encoding === new TextDecoder(encoding).encoding && replaced >= 0);
        // what was decoded without loss is decoded again from UTF-8
        if (replaced === 0 && encoding === "utf-8") {
          const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
          equal(utf8.encode(text).toHex(), bytes.subarray(marked).toHex());
        }
      } catch (error) {
        ok(error instanceof DocumentError && error.problem === "unsupported_encoding", String(error));
      }
      await bytesToText(bytes as Uint8Array, { path: "a.txt", encoding: forced }).catch((error) => {
        ok(error instanceof DocumentError, String(error));
      });
      equal(bytes.toHex(), before.toHex());
    }),
    500,
  );
});
