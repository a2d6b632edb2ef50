import { deepEqual, equal, ok } from "node:assert/strict";
import { Collection, LANGUAGE_CODES, Tokenizer } from "../../lib/index/mod.ts";
import { buildIndex, file } from "./_build.ts";

const tokenizer = new Tokenizer();

Deno.test("chunks scored one by one get what the search gives them", async () => {
  using one = await buildIndex([file("a.txt", ["the river bridge", "a bridge bridge", "nothing here"])]);
  using other = await buildIndex([file("b.txt", ["river", "bridge over a long long river"])]);
  const collection = new Collection([one, other]);
  const lists = collection.lookUp(tokenizer.queryTerms("river bridge unheard"));
  for (const { reader, chunk, score, coverage } of collection.searchLists(lists, 10)) {
    const number = collection.readers.indexOf(reader);
    const alone = collection.score(lists, number, Int32Array.of(chunk));
    deepEqual([alone.scores[0], alone.coverage[0]], [score, coverage]);
    equal(collection.locate(collection.idOf(number, chunk)).chunk, chunk);
  }
  deepEqual([...collection.score(lists, 0, Int32Array.of(2)).scores], [0]);
});

Deno.test("a group counts as one term, over all indexes, in one language only", async () => {
  using one = await buildIndex([
    file("a.txt", ["这是桥梁", "这是一座大桥，也是桥梁", "the 桥梁 is a bridge in English text"]),
  ]);
  using other = await buildIndex([file("b.txt", ["天气", "大桥"])]);
  const collection = new Collection([one, other]);
  const group = collection.group(
    [{ terms: ["桥梁"], score: 1 }, { terms: ["大桥"], score: 0.5 }, { terms: ["水桥"], score: 1 }],
    LANGUAGE_CODES.zh,
  );
  equal(group.documentFrequency, 3);
  deepEqual(group.postings.map(({ chunks, frequencies }) => [[...chunks], [...frequencies]]), [
    [[0, 1], [1, 1.5]],
    [[1], [0.5]],
  ]);
  const [first, second] = collection.scoreGroups([group]);
  deepEqual([...first!.coverage, ...second!.coverage], [1, 1, 0, 0, 1]);
  deepEqual([...first!.scores].map((score) => score > 0), [true, true, false]);
  // what else the question asks for is not covered
  ok(collection.scoreGroups([group], 1000)[0]!.coverage[0]! < 0.01);
});

Deno.test("a collection knows its languages and the words of a chunk", async () => {
  using reader = await buildIndex([file("a.txt", ["one two three four", "学习机器语言模型"])]);
  const collection = new Collection([reader]);
  const holds = (code: number) => collection.holdsLanguage(code);
  deepEqual(Object.values(LANGUAGE_CODES).map(holds), [false, true, true, false, false]);
  // 4 words, and 15 unigrams and bigrams at 3.3 a word
  ok(Math.abs(collection.averageWords - (4 + 15 / 3.3) / 2) < 1e-9);
  equal(new Collection([]).averageWords, 0);
  equal(collection.documentFrequency("学习"), 1);
  equal(collection.documentFrequency("unheard"), 0);
});
