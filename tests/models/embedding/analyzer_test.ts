import assert from "node:assert/strict";
import fc from "fast-check";
import {
  DamagedWordsError,
  decodeWords,
  EmbeddingPool,
  encodeWords,
  loadTable,
  SifEmbedder,
  TextAnalyzer,
} from "#models/embedding/mod.ts";
import { sentenceBreaks } from "#models/embedding/builtin/analyzer.ts";
import { RowSums } from "#models/embedding/builtin/row_sums.ts";
import { smallTable } from "./_small_table.ts";

const table = smallTable();

Deno.test("sentenceBreaks() joins sentences shorter than 80 letters or 30 Chinese characters", () => {
  const sentence = "The ship went down the long river to the city, and nobody saw it again for years.";
  const chinese = "这座城市的桥很长，船从桥下经过，沿着长江一直向东，最后到达大海。";
  const text = `${sentence} Short. ${sentence}\n${chinese}${chinese}short\n\n${sentence}`;
  const breaks = [0, ...sentenceBreaks(text), text.length];
  const parts = breaks.slice(1).map((end, i) => text.slice(breaks[i], end).trim());
  assert.deepEqual(parts, [sentence, `Short. ${sentence}`, chinese, chinese, "short", sentence]);
});

Deno.test("sentenceBreaks() ignores points in numbers and file names", () => {
  const text = `${"word ".repeat(16)}version 1.13.2 of main.ts`;
  assert.deepEqual(sentenceBreaks(text), []);
});

Deno.test("analyze() returns the words of the text, sentence by sentence", () => {
  const long = "bridge ".repeat(12);
  const { words, vector } = new TextAnalyzer(table).analyze(`${long}. river 长江大桥`);
  const names = Array.from(words.ids, (id) => table.words.word(id));
  assert.deepEqual(names.slice(12), ["river", "长江", "大桥"]);
  assert.deepEqual([...words.sentenceEnds], [12, 15]);
  assert.deepEqual(vector, new SifEmbedder(table).embed(`${long}. river 长江大桥`));
});

Deno.test("RowSums gives an analyzer the vectors that it has without it, to the bit", () => {
  const table = loadTable();
  const plain = new TextAnalyzer(table), quick = new TextAnalyzer(table, new RowSums(table));
  const unknown = "the qqxzy bridge over 长江 zzwqk by the river";
  const long = Array.from({ length: 5000 }, (_, i) => table.words.word(i * 7919 % table.wordCount)).join(" ");
  for (const text of ["", "qqxzy", "river", unknown, long, unknown]) {
    assert.deepEqual(quick.analyze(text).vector, plain.analyze(text).vector);
  }
});

Deno.test("decodeWords() returns the words that encodeWords() encoded", () => {
  fc.assert(fc.property(
    fc.array(fc.array(fc.oneof(
      fc.integer({ min: 0, max: 200_000 }),
      fc.integer({ min: -(2 ** 30), max: -1 }),
    ))),
    (sentences) => {
      let end = 0;
      const words = {
        ids: Int32Array.from(sentences.flat()),
        sentenceEnds: Uint32Array.from(sentences, ({ length }) => end += length),
      };
      assert.deepEqual(decodeWords(encodeWords(words, 80_000), 80_000, 200_001), words);
    },
  ));
});

Deno.test("decodeWords() throws for invalid bytes and allocates no more than their length", () => {
  const words = (sentences: number[], ...bytes: number[]) =>
    Uint8Array.from([sentences.length, ...sentences, ...bytes]);
  const cases: Record<string, Uint8Array> = {
    "268,435,455 sentences": Uint8Array.of(0xff, 0xff, 0xff, 0x7f),
    "sentences of more words than bytes": words([100], 3),
    "sentences of fewer words than there are": words([1], 3, 5),
    "sentences of more words than there are": words([2], 3),
    "a sentence missing": Uint8Array.of(2, 1),
    "a number that does not end": words([1], 0x83),
    "a number of six bytes": words([1], 0x83, 0x80, 0x80, 0x80, 0x80, 0),
    "an unknown word without its number": words([1], 0),
    "an unknown word of 31 bits": words([1], 0, 0xff, 0xff, 0xff, 0xff, 7),
    "an English word past the last": words([1], 0xff, 0x7f),
    "a Chinese word past the last": words([1], 42),
  };
  for (const [name, bytes] of Object.entries(cases)) {
    assert.throws(() => decodeWords(bytes, 10, 30), DamagedWordsError, name);
  }
  assert.deepEqual([...decodeWords(words([1], 40), 10, 30).ids], [29]);
});

Deno.test("decodeWords() returns words or throws DamagedWordsError for any bytes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
    try {
      const { ids, sentenceEnds } = decodeWords(bytes, 80_000, 200_000);
      assert.equal(sentenceEnds.at(-1) ?? 0, ids.length);
    } catch (error) {
      assert.ok(error instanceof DamagedWordsError, String(error));
    }
  }));
});

Deno.test("EmbeddingPool gives the same results with and without workers", async () => {
  using here = new EmbeddingPool(table, 0);
  using threads = new EmbeddingPool(table, 2);
  const texts = ["the river", "", "长江大桥 bank", "unknownword"];
  const [one, two, three] = await Promise.all([
    here.embed(texts),
    threads.embed(texts),
    threads.embed(texts),
  ]);
  assert.deepEqual(two, one);
  assert.deepEqual(three, one);
});
