import { deepEqual, equal, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { maxsim } from "#engine/rank/legs.ts";
import { sentence } from "#engine/rank/sentences.ts";
import {
  askedWords,
  cosines,
  Covers,
  MatchList,
  mergeMatches,
  queryWords,
  type WordMatches,
} from "#engine/rank/query_words.ts";
import { ChunkWords } from "#engine/rank/meaning.ts";
import { encodeWords } from "#models/embedding/mod.ts";
import { Segments } from "#engine/segments.ts";
import { indexOf, meaning } from "./_collection.ts";

const { analyzer, table, tokenizer } = meaning;

/** Returns the words of a question to an index of `files`. */
async function asked(
  text: string,
  files: Record<string, string> = { "a.md": "Nothing of it." },
  terms = tokenizer.queryTerms(text),
) {
  return await queryWords(askedWords(text, terms, meaning), new Segments([await indexOf(files)]), meaning);
}

const textsOf = (words: readonly { readonly text: string }[]) => words.map(({ text }) => text).sort();

Deno.test("words whose terms the query parser dropped, or gave a tiny weight, are left out", async () => {
  const files = { "a.md": "The bridges of Budapest cross the Danube." };
  const terms = [...tokenizer.queryTerms("bridge Budapest 大桥"), { term: "which", weight: 0.2 }];
  const words = await asked("which bridges in Budapest 什么大桥", files, terms);
  deepEqual(textsOf(words), ["bridges", "budapest", "大桥"]);
});

Deno.test("all forms of a word count as one word, and a word that the table lacks keeps its spelling", async () => {
  const words = await asked("bridge bridges Frobnicatorius");
  deepEqual(textsOf(words), ["Frobnicatorius", "bridge"]);
  deepEqual(textsOf(words.filter(({ id }) => id < 0)), ["Frobnicatorius"]);
});

Deno.test("a word in no document gets the idf of common text", async () => {
  const text = `桥梁与河流 ${"的城市风景很好".repeat(20)}`;
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}.md`, text]));
  const words = await asked("government bailiwick", files);
  const idf = new Map(words.map(({ text, idf }) => [text, idf]));
  ok(idf.get("bailiwick")! > idf.get("government")! + 0.5, JSON.stringify(words));
});

Deno.test("the parts of a name or number with a digit are like no other word", async () => {
  deepEqual(textsOf((await asked("hunter2 bridge")).filter(({ exact }) => exact)), ["hunter"]);
});

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

const QUESTION = [{ text: "river", id: 1, idf: 2 }, { text: "bridge", id: 2, idf: 3 }];

/** Makes a text from its matches: [position, word of the question, value]. */
function text(...matches: readonly (readonly [number, number, number])[]): WordMatches {
  return {
    places: Int32Array.from(matches, ([place]) => place),
    words: Int32Array.from(matches, ([, word]) => word),
    cosines: Float32Array.from(matches, ([, , value]) => value),
  };
}

Deno.test("a text covers the idf of each word times its best match", () => {
  deepEqual(new Covers(QUESTION).of(text([0, 0, 0.5], [3, 0, 1], [4, 1, 0.25])), {
    whole: 2 + 0.75,
    near: 2.75,
    sure: 1,
  });
});

Deno.test("only words within 24 positions support each other", () => {
  deepEqual(new Covers(QUESTION).of(text([0, 0, 1], [23, 1, 1])), { whole: 5, near: 5, sure: 2 });
  deepEqual(new Covers(QUESTION).of(text([0, 0, 1], [24, 1, 1])), { whole: 5, near: 3, sure: 1 });
});

Deno.test("a text without matches covers nothing", () => {
  deepEqual(new Covers(QUESTION).of(text()), { whole: 0, near: 0, sure: 0 });
});

Deno.test("equal words and translations are merged in the order of the text, without words that are only similar", () => {
  const merged = mergeMatches(text([2, 0, 1], [5, 1, 0.9]), text([1, 1, 0.5]), new MatchList());
  deepEqual([[...merged.places], [...merged.words], [...merged.cosines]], [[1, 2], [1, 0], [0.5, 1]]);
});

Deno.test("a text keeps its matches while those of later texts are collected", () => {
  const list = new MatchList();
  const counts = [3, 0, 1000, 40, 1, 5000, 7];
  const matches = counts.map((count, text) => {
    for (let place = 0; place < count; place++) list.add(place, text, place / count);
    return list.finish();
  });
  for (const [text, count] of counts.entries()) {
    deepEqual(matches[text], {
      places: Int32Array.from({ length: count }, (_, place) => place),
      words: new Int32Array(count).fill(text),
      cosines: Float32Array.from({ length: count }, (_, place) => place / count),
    });
  }
});

Deno.test("the words of a chunk stay as they are while those of other chunks are decoded", () => {
  const texts = Array.from(
    { length: 60 },
    (_, i) => `bridge over river ${i} 检索 `.repeat(20 * (i % 7 === 0 ? 40 : 1)),
  );
  const stored = texts.map((text) => encodeWords(analyzer.analyze(text).words, table.englishCount));
  const decoded = (chunks: ChunkWords, i: number) =>
    chunks.of(stored[i]!, `docs/long river ${i}.md`, ["Part", "桥"]);
  const together = new ChunkWords(meaning), all = texts.map((_, i) => decoded(together, i));
  for (const [i, words] of all.entries()) deepEqual(words, decoded(new ChunkWords(meaning), i));
});

Deno.test("a similar word is near by the square of its cosine, and only equal words are near as equal", () => {
  const covers = new Covers(QUESTION);
  const long = text(...Array.from({ length: 600 }, (_, i): [number, number, number] => [40 * i, 0, 0.5]));
  equal(covers.nearOfSquares(long), 2 * 0.25);
  equal(covers.nearOfEqual(long), 0);
  equal(covers.nearOfSquares(text([0, 0, 0.5], [3, 1, 1])), 2 * 0.25 + 3);
  equal(covers.nearOfEqual(text([0, 0, 0.5], [3, 1, 1])), 3);
});

Deno.test("MaxSim adds up the squares of the best cosines, weighted by idf", () => {
  const texts = [text([0, 0, 1], [4, 0, 0.5], [5, 1, 0.5]), text([0, 1, 0.5], [1, 1, 0.75]), text()];
  deepEqual([...maxsim(texts, QUESTION)], [2 * 1 + 3 * 0.25, 3 * 0.5625, 0]);
});

/** Returns the words of a text in arrays that the next analysis does not overwrite. */
function wordsOf(text: string) {
  const { ids, sentenceEnds } = analyzer.analyze(text).words;
  return { ids: ids.slice(), sentenceEnds };
}

Deno.test("a text has the value of its best sentence, the cosine of the vectors", () => {
  const good =
    "Ships pass below the old bridge across the river, on their long way from the hills to the sea.";
  const other =
    "The bank lends money to people who want to buy a house, at a rate that nobody else can offer.";
  const query = analyzer.analyze("a bridge over a river").vector;
  const [alone, both, bad, none] = sentence(
    [wordsOf(good), wordsOf(`${other} ${good}`), wordsOf(other), undefined],
    query,
    [],
    meaning,
  );
  deepEqual([both, none], [alone, 0]);
  ok(alone! > bad! + 0.2);
  const vector = analyzer.analyze(good).vector;
  const wanted = vector.reduce((sum, value, k) => sum + value * query[k]!, 0);
  // The most frequent words are left out of the sum.
  ok(Math.abs(alone! - wanted) < 0.05);
});

Deno.test("the best of many sentences has the value that it has alone, to the bit", () => {
  const words = Array.from(
    { length: 2000 },
    (_, i) => i % 31 === 0 ? "qvzzx" : table.words.word(i * 7919 % 60_000),
  );
  const sentences = Array.from({ length: 100 }, (_, i) => `${words.slice(i * 20, i * 20 + 20).join(" ")}.`);
  for (const text of ["river bridge", "qvzzx money", "law of the sea", "军事银行"]) {
    const { vector, words } = analyzer.analyze(text);
    const question = [...words.ids].map((id) => ({ text, id, idf: 1 }));
    const [whole, ...alone] = sentence(
      [sentences.join(" "), ...sentences].map(wordsOf),
      vector,
      question,
      meaning,
    );
    equal(whole, Math.max(...alone), text);
  }
});

Deno.test("the best of any sentences has the value that it has alone, to the bit, also without words", () => {
  const word = fc.oneof(
    { weight: 8, arbitrary: fc.nat(table.wordCount - 1) },
    // Words that the table lacks, and some of the most frequent ones.
    fc.constantFrom(-5, -6),
    fc.constantFrom(...["the", "of", "and", "的"].map((common) => table.find(common))),
  );
  const sentences = fc.array(fc.array(word, { maxLength: 12 }), { maxLength: 20 });
  fc.assert(fc.property(sentences, fc.array(word, { minLength: 1, maxLength: 4 }), (all, asked) => {
    const of = (some: readonly number[][]) => {
      let end = 0;
      return {
        ids: Int32Array.from(some.flat()),
        sentenceEnds: Uint32Array.from(some, ({ length }) => end += length),
      };
    };
    const vector = analyzer.embedder.embedWords(Int32Array.from(asked), 0, asked.length);
    const question = asked.map((id) => ({ text: "", id, idf: 1 }));
    const texts = [of(all), undefined, ...all.map((one) => of([one]))];
    const [whole, absent, ...alone] = sentence(texts, vector, question, meaning);
    deepEqual([whole, absent], [Math.max(0, ...alone), 0]);
  }));
});

Deno.test("a word that the table lacks counts only if the sentence also contains it", () => {
  const text = "qvzzx frobnicatorius";
  const { vector, words } = analyzer.analyze(text);
  const question = [...words.ids].map((id) => ({ text, id, idf: 1 }));
  const [same, other] = sentence([wordsOf(text), wordsOf("blorptastic quuxly")], vector, question, meaning);
  ok(same! > 0.9);
  deepEqual(other, 0);
});
