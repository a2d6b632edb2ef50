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

/** Every character, without the halves of pairs. */
const CHARACTERS = Array.from({ length: 0x10ffff }, (_, i) => i + 1)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point));

Deno.test("normalize() gives each character its NFKC or refuses it", () => {
  for (const character of CHARACTERS) {
    const [plain, normal] = loaded(character);
    // Comparing first saves a million assertions.
    if (plain === character && (normal === undefined || normal === character.normalize("NFKC"))) continue;
    deepEqual([plain, normal], [character, character.normalize("NFKC")]);
  }
});

Deno.test("normalize() gives the NFKC of all characters that it does not refuse, beside any others", () => {
  const accepted = CHARACTERS.filter((character) => loaded(character)[1] !== undefined);
  // Nearly all are Chinese or Korean, and of those each is like any other.
  const others = accepted.filter((character) => !/^[\p{Script=Han}\p{Script=Hangul}]/u.test(character));
  const any = (of: readonly string[]) => fc.nat(of.length - 1).map((i) => of[i]!);
  const some = fc.array(fc.oneof(any(accepted), any(others)), { maxLength: 30 }).map((all) => all.join(""));
  const property = fc.property(some, (given) => deepEqual(loaded(given), [given, given.normalize("NFKC")]));
  fc.assert(property, fuzz(20_000));
});

Deno.test("load() gives the units of any well-formed text", () => {
  const property = fc.property(
    fc.string({ unit: "binary" }),
    (given) => equal(loaded(given)[0], given.toWellFormed()),
  );
  fc.assert(property, fuzz(300));
});
