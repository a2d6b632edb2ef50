import assert from "node:assert/strict";
import fc from "fast-check";
import { Table, WordFinder } from "#models/embedding/mod.ts";
import { smallTable } from "./_small_table.ts";

/** Returns the words found, `?` for a word that is not in the table. */
function wordsOf(table: Table, text: string): string[] {
  return [...new WordFinder(table).find(text)].map((id) => id < 0 ? "?" : table.words.word(id));
}

Deno.test("Chinese text is cut into its most probable words", () => {
  assert.deepEqual(wordsOf(smallTable(), "市长江大桥"), ["市", "长江", "大桥"]);
  assert.deepEqual(wordsOf(smallTable(), "市长，大桥"), ["市长", "大桥"]);
});

Deno.test("no other segmentation has a greater probability", () => {
  const table = smallTable();
  const logP = (word: string) => table.find(word) < 0 ? -Infinity : Math.log(table.p[table.find(word)]!);
  const best = (text: string): number =>
    text === "" ? 0 : Math.max(
      ...Array.from(text, (_, i) => logP(text.slice(0, i + 1)) + best(text.slice(i + 1))),
    );
  const character = fc.constantFrom("长", "江", "桥", "大桥", "市", "银", "银行");
  fc.assert(fc.property(fc.array(character, { minLength: 1, maxLength: 7 }), (characters) => {
    const text = characters.join("");
    const words = wordsOf(table, text);
    assert.equal(words.join(""), text);
    assert.ok(Math.abs(words.reduce((sum, word) => sum + logP(word), 0) - best(text)) < 1e-3);
  }));
});

Deno.test("traditional and simplified, full-width and half-width, accented and plain texts have the same words", () => {
  const table = smallTable();
  assert.deepEqual(wordsOf(table, "長江大橋"), ["长江", "大桥"]);
  assert.deepEqual(wordsOf(table, "Ｒｉｖｅｒ bänk cite\u0301"), ["river", "bank", "?"]);
  assert.deepEqual(wordsOf(table, "ri\u0301ver"), ["river"]);
});

Deno.test("identifiers are found by their parts if the whole is not in the table", () => {
  const table = smallTable();
  assert.deepEqual(wordsOf(table, "bankMoney RIVERBridge long_ship city2"), [
    ...["bank", "money", "river", "bridge", "long", "ship"],
    ...["city"],
  ]);
});

Deno.test("endings after an apostrophe and negated verbs are skipped", () => {
  const table = smallTable();
  assert.deepEqual(wordsOf(table, "the city's bank’s isn't they're 'ship'"), [
    ...["the", "city", "bank", "?", "ship"],
  ]);
});

Deno.test("a word that is not in the table always has the same negative id", () => {
  const finder = new WordFinder(smallTable());
  const [a, b, c, d] = finder.find("Zyx 2016 zyx 2017");
  assert.ok(a! < 0 && b! < 0 && d! < 0);
  assert.equal(a, c);
  assert.notEqual(b, d);
});

Deno.test("find() accepts any text and can be called again", () => {
  const finder = new WordFinder(smallTable());
  const text = fc.string({
    unit: fc.constantFrom("a", "'", "n't", "长", "江", "\ud840", " ", "é", "\u0301", "B", "1"),
  });
  fc.assert(fc.property(text, (text) => {
    const first = [...finder.find(text)];
    finder.find("长江".repeat(2000));
    assert.deepEqual([...finder.find(text)], first);
  }));
});
