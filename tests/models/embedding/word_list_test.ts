import assert from "node:assert/strict";
import fc from "fast-check";
import { WordList } from "#models/embedding/builtin/table.ts";
import { buildWordList } from "../../../scripts/embedding/build_word_list.ts";

Deno.test("find() returns the index of each word, and -1 for other words", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ maxLength: 6 }), { maxLength: 60 }),
      fc.string(),
      (words, other) => {
        const list = new WordList(buildWordList(words));
        assert.equal(list.size, words.length);
        assert.deepEqual(words.map((word) => list.find(word)), words.map((_, i) => i));
        assert.deepEqual(words.map((_, i) => list.word(i)), words);
        assert.equal(list.find(other), words.indexOf(other));
      },
    ),
  );
});

Deno.test("findUnits() finds a word inside a longer text", () => {
  const list = new WordList(buildWordList(["长江", "大桥"]));
  const units = Uint16Array.from("长江大桥", (unit) => unit.charCodeAt(0));
  const hash = (from: number, to: number) =>
    units.subarray(from, to).reduce((hash, unit) => Math.imul(hash ^ unit, 0x01000193), 0x811c9dc5 | 0);
  assert.equal(list.findUnits(units, 0, 2, hash(0, 2)), 0);
  assert.equal(list.findUnits(units, 2, 4, hash(2, 4)), 1);
  assert.equal(list.findUnits(units, 1, 3, hash(1, 3)), -1);
});
