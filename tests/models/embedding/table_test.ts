import assert from "node:assert/strict";
import fc from "fast-check";
import { bytesSource, decodeTable } from "#models/embedding/builtin/decode.ts";
import { loadTable, SifEmbedder, Table } from "#models/embedding/mod.ts";
import { smallTable, smallTableBytes } from "./_small_table.ts";
import { WordList } from "#models/embedding/builtin/table.ts";
import { buildWordList } from "../../../scripts/embedding/build_word_list.ts";

Deno.test("buildTable() makes the same bytes of the same sources", () => {
  assert.deepEqual(smallTableBytes(), smallTableBytes());
});

Deno.test("a table has English words, then simplified Chinese words, common ones first", () => {
  const table = smallTable();
  const words = Array.from({ length: table.wordCount }, (_, id) => table.words.word(id));
  assert.deepEqual(words, [
    ...["the", "river", "bridge", "ship", "bank", "money", "long", "city"],
    ...["银行", "长江", "大桥", "市长", "市", "长", "江", "桥", "银", "干", "乾", "干舟"],
  ]);
  assert.equal(table.englishCount, 8);
});

Deno.test("find() maps traditional words to simplified ones, by characters or as a whole", () => {
  const table = smallTable();
  assert.equal(table.simplify("長江大橋 river"), "长江大桥 river");
  assert.equal(table.find("銀行"), table.find("银行"));
  assert.equal(table.simplify("乾"), "乾", "a character that is its own simplified form, too, stays");
  assert.equal(table.find("乾舟"), table.find("干舟"));
  assert.equal(table.find("wasser"), -1);
});

Deno.test("each vector has length 1, and a Chinese word is close to its English gloss", () => {
  const table = smallTable();
  for (let id = 0; id < table.wordCount; id++) {
    const row = table.vectors.subarray(id * 4, id * 4 + 4);
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0)) * table.scales[id]!;
    assert.ok(Math.abs(length - 1) < 1e-6, table.words.word(id));
  }
  const cosine = (a: string, b: string) => table.cosine(table.find(a), table.find(b));
  assert.equal(cosine("江", "江"), 1);
  assert.ok(cosine("大桥", "bridge") > cosine("大桥", "money"));
  assert.ok(cosine("银行", "bank") > cosine("银行", "ship"));
});

Deno.test("translations are sorted best first, and the best has score 1", () => {
  const table = smallTable();
  const chinese = (term: string) => table.toChinese(term).map(({ word }) => word);
  assert.deepEqual(chinese("bridge"), ["大桥", "桥"]);
  assert.deepEqual(chinese("yangtze river"), ["长江"]);
  assert.deepEqual(chinese("river"), ["江"]);
  assert.deepEqual(chinese("nothing"), []);
  assert.deepEqual(table.toChinese("bank"), [{ word: "银行", score: 1 }]);
  assert.deepEqual(table.toEnglish(table.find("银行")).map(({ word }) => word), ["bank", "house", "money"]);
  assert.deepEqual(table.toEnglish(table.find("river")), []);
});

Deno.test("a table that is posted to a worker shares its memory", async () => {
  const { data } = smallTable();
  const { port1, port2 } = new MessageChannel();
  const received = new Promise<typeof data>((resolve) => port2.onmessage = (event) => resolve(event.data));
  port1.postMessage(data);
  const copy = await received;
  port1.close();
  port2.close();
  copy.vectors[0] = 5;
  assert.equal(data.vectors[0], 5);
  assert.equal(new Table(copy).find("bank"), 4);
});

Deno.test("decodeTable() throws for invalid bytes", () => {
  assert.throws(() => decodeTable(bytesSource(new Uint8Array(0))), /not a table of word vectors/);
  assert.throws(() => decodeTable(bytesSource(new Uint8Array(1000))), /not a table of word vectors/);
  const bytes = smallTableBytes();
  assert.throws(() => decodeTable(bytesSource(bytes.slice(0, bytes.length - 1000))), /cut off/);
  bytes[8] = 99;
  assert.throws(() => decodeTable(bytesSource(bytes)), /table format 99, wanted 1/);
});

const table = loadTable();

Deno.test("the shipped table has English and Chinese words in one vector space", () => {
  assert.equal(table.dimensions, 96);
  const cosine = (a: string, b: string) => table.cosine(table.find(a), table.find(b));
  assert.ok(cosine("银行", "bank") > 0.8);
  assert.ok(cosine("足球", "football") > 0.8);
  assert.ok(cosine("足球", "bank") < 0.2);
});

Deno.test("the shipped table translates index terms in both directions", () => {
  assert.equal(table.toChinese("univers")[0]?.word, "大学");
  assert.equal(table.toEnglish(table.find("防守"))[0]?.word, "defend");
});

Deno.test("the shipped table finds a sentence by its meaning", () => {
  const embedder = new SifEmbedder(table);
  const query = embedder.embed("Which animal lives in the ocean?");
  const score = (text: string) => embedder.embed(text).reduce((sum, value, i) => sum + value * query[i]!, 0);
  const texts = [
    "Whales swim in the sea.",
    "The government raised taxes.",
    "鲸鱼在海里游泳。",
    "政府提高了税收。",
  ];
  const order = texts.toSorted((a, b) => score(b) - score(a));
  assert.deepEqual(order.slice(0, 2).sort(), [texts[0], texts[2]].sort());
});

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
