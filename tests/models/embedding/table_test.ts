import assert from "node:assert/strict";
import { bytesSource, decodeTable } from "#models/embedding/builtin/decode.ts";
import { Table } from "#models/embedding/mod.ts";
import { smallTable, smallTableBytes } from "./_small_table.ts";

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
