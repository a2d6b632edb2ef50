import { deepEqual, equal, ok } from "node:assert/strict";
import { BlobIndex, LANGUAGE_CODES, Tokenizer } from "#engine/index/mod.ts";
import { Segments } from "#engine/segments.ts";
import { buildIndex, file, type TestFile } from "./index/_build.ts";

const tokenizer = new Tokenizer();

const indexOf = async (files: readonly TestFile[]) => new BlobIndex(await buildIndex(files));

Deno.test("chunks that are scored one by one get the same scores as in the search", async () => {
  using one = await indexOf([file("a.txt", ["the river bridge", "a bridge bridge", "nothing here"])]);
  using other = await indexOf([file("b.txt", ["river", "bridge over a long long river"])]);
  const segments = new Segments([one, other]);
  const terms = await segments.lookUp(tokenizer.queryTerms("river bridge unheard"));
  const found = await segments.byTerms(terms, { limit: 10 });
  deepEqual(found.map(({ id }) => id).sort(), [0, 1, 3, 4]);
  for (const { id, score, coverage } of found) {
    const alone = await segments.scoreTerms(terms, Int32Array.of(id));
    deepEqual([alone.scores[0], alone.coverage[0]], [score, coverage]);
  }
  deepEqual([...(await segments.scoreTerms(terms, Int32Array.of(2))).scores], [0]);
});

Deno.test("chunks of several indexes are fetched together, by their number over all indexes", async () => {
  using one = await indexOf([file("a.txt", ["a", "b"])]);
  using empty = await indexOf([]);
  using other = await indexOf([file("b.txt", ["c", "d"])]);
  const segments = new Segments([one, empty, other]);
  deepEqual(await segments.texts(Int32Array.of(1, 2, 3), 10), ["b", "c", "d"]);
  deepEqual((await segments.chunks(Int32Array.of(0, 3))).map(({ start }) => start), [0, 2]);
  deepEqual(await segments.texts(new Int32Array(0), 10), []);
});

Deno.test("a group counts as one term, over all indexes, in one language only", async () => {
  using one = await indexOf([
    file("a.txt", ["这是桥梁", "这是一座大桥，也是桥梁", "the 桥梁 is a bridge in English text"]),
  ]);
  using other = await indexOf([file("b.txt", ["天气", "大桥"])]);
  const segments = new Segments([one, other]);
  const group = {
    members: [{ terms: ["桥梁"], score: 1 }, { terms: ["大桥"], score: 0.5 }, { terms: ["水桥"], score: 1 }],
  };
  const { zh } = LANGUAGE_CODES;
  const [documentFrequency] = await segments.groupFrequencies([group], zh);
  equal(documentFrequency, 3);
  const weighed = segments.weigh([{ group, documentFrequency: 3 }], zh, 0);
  const all = Int32Array.of(0, 1, 2, 3, 4);
  const { scores, coverage } = await segments.scoreGroups(weighed, all);
  deepEqual([...coverage], [1, 1, 0, 0, 1]);
  deepEqual([...scores].map((score) => score > 0), [true, true, false, false, true]);
  deepEqual((await segments.byGroups(weighed, { limit: 10 })).map(({ id }) => id).sort(), [0, 1, 4]);
  // The rest of the question is not covered.
  const partly = segments.weigh([{ group, documentFrequency: 3 }], zh, 1000);
  ok((await segments.scoreGroups(partly, all)).coverage[0]! < 0.01);
});

Deno.test("segments know their languages and the mean words of a chunk", async () => {
  using index = await indexOf([file("a.txt", ["one two three four", "学习机器语言模型"])]);
  const segments = new Segments([index]);
  const holds = (code: number) => segments.holdsLanguage(code);
  deepEqual(Object.values(LANGUAGE_CODES).map(holds), [false, true, true, false, false]);
  // 4 words, and 15 unigrams and bigrams at 3.3 a word
  ok(Math.abs(segments.averageWords - (4 + 15 / 3.3) / 2) < 1e-9);
  equal(new Segments([]).averageWords, 0);
  deepEqual([...await segments.documentFrequencies(["学习", "unheard"])], [1, 0]);
});
