import { deepEqual, equal } from "node:assert/strict";
import * as fc from "fast-check";
import { Utf8Units } from "#engine/index/text/utf8_units.ts";
import { fuzz } from "../../../_fuzz.ts";

const text = new Utf8Units();
const read = () => String.fromCharCode(...text.units.subarray(0, text.length));

/** The text as it was loaded, and in NFKC, or `undefined` if that takes more than a look at each unit. */
function loaded(given: string): [plain: string, normal: string | undefined] {
  text.load(new TextEncoder().encode(given));
  const plain = read();
  return [plain, text.normalize() ? read() : undefined];
}

Deno.test("load() gives the units of a text, and normalize() their normal form", () => {
  equal(loaded("Plain text")[1], "Plain text");
  equal(loaded("ＡＢＣ，“中文”ｶ 😀 𠮷")[1], "ABC,“中文”カ 😀 𠮷");
});

Deno.test("normalize() refuses text whose normal form depends on neighbours or has other units", () => {
  for (const given of ["e\u0301", "가\u11a8", "か\u3099", "㎏", "𝐀"]) {
    deepEqual(loaded(given), [given, undefined]);
  }
});

Deno.test("normalize() gives each character beside any other what NFKC gives", () => {
  for (let point = 1; point <= 0x10ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const character = String.fromCodePoint(point);
    const [plain, normal] = loaded(character);
    if (plain !== character || normal !== undefined && normal !== character.normalize("NFKC")) {
      equal(plain, character);
      equal(normal, character.normalize("NFKC"), point.toString(16));
    }
  }
  const property = fc.property(fc.string({ unit: "binary" }), (given) => {
    const [plain, normal] = loaded(given);
    equal(plain, given.toWellFormed());
    if (normal !== undefined) equal(normal, given.toWellFormed().normalize("NFKC"));
  });
  fc.assert(property, fuzz(300));
});
