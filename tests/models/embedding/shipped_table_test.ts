import assert from "node:assert/strict";
import { loadTable, SifEmbedder } from "#models/embedding/mod.ts";

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
