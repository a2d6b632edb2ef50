import { deepEqual, equal, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { displayWidth } from "#program/terminal_text.ts";
import { cellsOf, widthOf, wrap } from "#program/commands/search/best_part.ts";
import { fuzz } from "../_fuzz.ts";

/** The rows of a text. */
function rows(text: string, columns: number): string[] {
  const cells = cellsOf(text, { start: 0, end: text.length, isMarked: () => false });
  return wrap(cells, columns).map((row) => row.map(({ text }) => text).join(""));
}

Deno.test("wrap() breaks at spaces, and within a word only if it is longer than a row", () => {
  deepEqual(rows("the quick brown fox", 10), ["the quick", "brown fox"]);
  deepEqual(rows("a incomprehensibilities b", 8), ["a", "incompre", "hensibil", "ities b"]);
  deepEqual(rows("  indented by two", 10), ["  indented", "by two"]);
  deepEqual(rows("", 10), [""]);
});

Deno.test("wrap() breaks beside wide characters, but not before closing or after opening punctuation", () => {
  deepEqual(rows("备份恢复数据", 8), ["备份恢复", "数据"]);
  deepEqual(rows("备份恢复，数据", 8), ["备份恢", "复，数据"]);
  deepEqual(rows("备份恢（复）", 8), ["备份恢", "（复）"]);
  deepEqual(rows("用npm安装", 6), ["用npm", "安装"]);
});

Deno.test("wrap() keeps a letter with its marks and an emoji of several code points together", () => {
  deepEqual(rows("e\u0301e\u0301e\u0301", 2), ["e\u0301e\u0301", "e\u0301"]);
  deepEqual(rows("👨‍👩‍👧👍🏽🇨🇳", 3), ["👨‍👩‍👧", "👍🏽", "🇨🇳"]);
});

Deno.test("cellsOf() joins the lines of a paragraph, with a space unless both sides are wide", () => {
  deepEqual(rows("one\ntwo\r\n  three", 40), ["one two three"]);
  deepEqual(rows("备份\n恢复", 40), ["备份恢复"]);
  deepEqual(rows("\tif (x)\u001b[2J", 40), ["    if (x)␛[2J"]);
});

Deno.test("cellsOf() leaves out most marks of a letter that has hundreds of them", () => {
  deepEqual(rows(`a${"\u0301".repeat(500)}b`, 40), [`a${"\u0301".repeat(15)}b`]);
});

Deno.test("property: rows fit, lose nothing but spaces, and hold no control characters", () => {
  const texts = fc.array(
    fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        ...["备份，", "（恢复）", " ", "  ", "word", "\t", "\n", "👨‍👩‍👧", "e\u0301", "\u202e", "\u001b[2J"],
      ),
    ),
    { maxLength: 30 },
  ).map((parts) => parts.join(""));
  fc.assert(
    fc.property(texts, fc.integer({ min: 20, max: 140 }), (text, columns) => {
      const cells = cellsOf(text, { start: 0, end: text.length, isMarked: () => false });
      const wrapped = wrap(cells, columns);
      for (const row of wrapped) ok(widthOf(row) <= columns);
      for (const row of wrapped) ok(displayWidth(row.map(({ text }) => text).join("")) <= columns);
      const letters = (of: readonly { readonly text: string }[]) =>
        of.map(({ text }) => text).join("").replace(/\s/g, "");
      equal(letters(wrapped.flat()), letters(cells));
      equal(/[\p{Cc}\u202e]/u.test(letters(cells)), false);
    }),
    fuzz(200),
  );
});
