import { deepEqual, ok } from "node:assert/strict";
import { Tokenizer } from "#engine/index/mod.ts";
import { Segments } from "#engine/segments.ts";
import { queryWords } from "#engine/rank/query_words.ts";
import { indexOf, meaning } from "./_collection.ts";

const tokenizer = new Tokenizer();

Deno.test("words whose terms the query parser dropped, or gave a tiny weight, are left out", async () => {
  using index = await indexOf({ "a.md": "The bridges of Budapest cross the Danube." });
  const terms = [...tokenizer.queryTerms("bridge Budapest 大桥"), { term: "which", weight: 0.2 }];
  const words = await queryWords(
    "which bridges in Budapest 什么大桥",
    terms,
    new Segments([index]),
    meaning,
  );
  deepEqual(words.map(({ text }) => text).sort(), ["bridges", "budapest", "大桥"]);
});

Deno.test("all forms of a word count as one word, and a word that the table lacks keeps its spelling", async () => {
  using index = await indexOf({ "a.md": "Nothing of it." });
  const text = "bridge bridges Frobnicatorius";
  const words = await queryWords(text, tokenizer.queryTerms(text), new Segments([index]), meaning);
  deepEqual(words.map(({ text }) => text).sort(), ["Frobnicatorius", "bridge"]);
  ok(words.find(({ text }) => text === "Frobnicatorius")!.id < 0);
});

Deno.test("a word in no document gets the idf of common text", async () => {
  const texts = Array.from(
    { length: 40 },
    (_, i) => [`${i}.md`, `桥梁与河流 ${"的城市风景很好".repeat(20)}`],
  );
  using index = await indexOf(Object.fromEntries(texts));
  const text = "government bailiwick";
  const words = await queryWords(text, tokenizer.queryTerms(text), new Segments([index]), meaning);
  const idf = new Map(words.map(({ text, idf }) => [text, idf]));
  ok(idf.get("bailiwick")! > idf.get("government")! + 0.5, JSON.stringify(words));
});

Deno.test("the parts of a name or number with a digit are like no other word", async () => {
  using index = await indexOf({ "a.md": "Nothing of it." });
  const text = "hunter2 bridge";
  const words = await queryWords(text, tokenizer.queryTerms(text), new Segments([index]), meaning);
  deepEqual(words.filter(({ exact }) => exact).map(({ text }) => text), ["hunter"]);
});
