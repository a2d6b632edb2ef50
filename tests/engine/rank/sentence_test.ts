import { deepEqual, ok } from "node:assert/strict";
import { sentence } from "#engine/rank/legs.ts";
import { meaning } from "./_collection.ts";

const { analyzer } = meaning;

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

Deno.test("a word that the table lacks counts only if the sentence also contains it", () => {
  const text = "qvzzx frobnicatorius";
  const { vector, words } = analyzer.analyze(text);
  const question = [...words.ids].map((id) => ({ text, id, idf: 1 }));
  const [same, other] = sentence([wordsOf(text), wordsOf("blorptastic quuxly")], vector, question, meaning);
  ok(same! > 0.9);
  deepEqual(other, 0);
});
