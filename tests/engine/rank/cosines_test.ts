import { deepEqual, equal, ok } from "node:assert/strict";
import { cosines } from "#engine/rank/query_words.ts";
import { meaning } from "./_collection.ts";

const { table } = meaning;

Deno.test("products of rows give the cosines of the table, for any number of words", () => {
  const words = ["river", "bridge", "银行", "running", "防守", "heat", "city", "lawyer"];
  const ids = Int32Array.from(
    ["the", "shore", "大桥", "money", "attorney", "城市"],
    (word) => table.find(word),
  );
  for (let count = 1; count <= words.length; count++) {
    const question = words.slice(0, count).map((text) => ({ text, id: table.find(text), idf: 1 }));
    const found = cosines(ids, question, meaning);
    ids.forEach((id, i) =>
      question.forEach((word, q) => {
        const wanted = table.cosine(id, word.id);
        ok(Math.abs(found[i * count + q]! - wanted) < 1e-6, `${table.words.word(id)} ~ ${word.text}`);
      })
    );
  }
});

Deno.test("only words of the same stem have the cosine 1", () => {
  const ids = Int32Array.from(["runs", "running", "防护"], (word) => table.find(word));
  const question = ["run", "防守"].map((text) => ({ text, id: table.find(text), idf: 1 }));
  const found = cosines(ids, question, meaning);
  deepEqual([found[0], found[2]], [1, 1]);
  // Two words with the same vector.
  equal(table.cosine(table.find("防护"), table.find("防守")).toFixed(3), "1.000");
  ok(found[5]! > 0.9 && found[5]! < 1);
});

Deno.test("a word that the table lacks is similar to no word", () => {
  const question = [{ text: "zyzzyvax", id: -5, idf: 1 }, { text: "river", id: table.find("river"), idf: 1 }];
  const found = cosines(Int32Array.of(table.find("river")), question, meaning);
  deepEqual([...found], [0, 1]);
});

Deno.test("the stem of every English word of the table begins with the word's first letter", () => {
  const { words, englishCount } = meaning.table;
  for (let id = 0; id < englishCount; id++) {
    const word = words.word(id);
    const [stem = word] = meaning.tokenizer.tokenize(word);
    equal(stem[0], word[0], word);
  }
});
