/**
 * The leg V: the sentence of a text that is most like the question.
 */
import type { TextWords } from "#models/embedding/mod.ts";
import type { Meaning } from "./meaning.ts";
import type { QueryWord } from "./query_words.ts";

/**
 * Words of a smaller weight (about 90 in each language) are left out of a sentence. On eight collections, no nDCG@10
 * changed by more than .0005.
 */
const LEAST_WEIGHT = 0.3;

/**
 * V = the greatest cosine of the question's SIF vector with the SIF vector of a sentence, at least 0. A long text is thus
 * not judged by its mean. A word that the table lacks is orthogonal to all other words.
 */
export function sentence(
  texts: readonly (TextWords | undefined)[],
  question: Float32Array,
  words: readonly QueryWord[],
  meaning: Meaning,
): Float64Array {
  const sentences = new Sentences(question, words, meaning);
  return Float64Array.from(texts, (text) => text === undefined ? 0 : sentences.best(text));
}

/** More than what the rounding of float32 numbers changes in a cosine. */
const ROUNDING = 1e-4;
/** A sum whose error is a greater part of its length says nothing of the cosine. */
const MOST_ERROR = 0.25;

/**
 * Computes cosines of the sentences of texts with one question. A text has a dozen sentences and only the best one counts, so limits of their
 * cosines come first: sums with rounded weights take a quarter of the time.
 */
class Sentences {
  /** The known words of the sentences of a text, one after the other, and their weights. */
  #ids = new Int32Array(512);
  #weights = new Float32Array(512);
  /** For each sentence, the end of its known words, the parts of the others, and the greatest cosine that it may have. */
  #ends = new Int32Array(32);
  #products = new Float64Array(32);
  #squares = new Float64Array(32);
  #limits = new Float64Array(32);
  readonly #near = new Float64Array(3);
  /** The amount that a word of the question which the table lacks adds to the dot product. */
  readonly #unknown = new Map<number, number>();

  readonly #question: Float32Array;
  readonly #meaning: Meaning;

  constructor(question: Float32Array, words: readonly QueryWord[], meaning: Meaning) {
    this.#question = question;
    this.#meaning = meaning;
    meaning.rows.ask(question);
    const { embedder } = meaning.analyzer;
    for (const { id } of words) {
      if (id >= 0) continue;
      const identity = embedder.embedWords(Int32Array.of(id), 0, 1);
      this.#unknown.set(
        id,
        embedder.unknownWeight * identity.reduce((sum, value, k) => sum + value * question[k]!, 0),
      );
    }
  }

  /** Returns the greatest cosine of a sentence of a text, at least 0. */
  best(text: TextWords): number {
    const count = text.sentenceEnds.length;
    this.#collect(text);
    const least = count === 1 ? -Infinity : this.#limit(count);
    let best = 0, from = 0;
    for (let i = 0; i < count; i++) {
      const to = this.#ends[i]!;
      if (count === 1 || this.#limits[i]! >= Math.max(best, least)) {
        best = Math.max(best, this.#cosine(i, from, to));
      }
      from = to;
    }
    return best;
  }

  /** Notes the words of the sentences of a text. */
  #collect({ ids, sentenceEnds }: TextWords): void {
    this.#grow(ids.length, sentenceEnds.length);
    const { table: { scales }, analyzer: { embedder: { unknownWeight, weights } } } = this.#meaning;
    const known = this.#ids, ofKnown = this.#weights;
    let count = 0, at = 0;
    for (let i = 0; i < sentenceEnds.length; i++) {
      let product = 0, squares = 0;
      for (const end = sentenceEnds[i]!; at < end; at++) {
        const id = ids[at]!;
        if (id < 0) {
          product += this.#unknown.get(id) ?? 0;
          squares += unknownWeight * unknownWeight;
          continue;
        }
        const weight = weights[id]!;
        if (weight < LEAST_WEIGHT * scales[id]!) continue;
        known[count] = id;
        ofKnown[count++] = weight;
      }
      this.#ends[i] = count;
      this.#products[i] = product;
      this.#squares[i] = squares;
    }
  }

  #grow(words: number, sentences: number): void {
    if (words > this.#ids.length) {
      this.#ids = new Int32Array(2 * words);
      this.#weights = new Float32Array(2 * words);
    }
    if (sentences <= this.#ends.length) return;
    this.#ends = new Int32Array(2 * sentences);
    this.#products = new Float64Array(2 * sentences);
    this.#squares = new Float64Array(2 * sentences);
    this.#limits = new Float64Array(2 * sentences);
  }

  /** Notes the greatest cosine that each of the sentences may have. Returns a cosine that the best of them has at least. */
  #limit(count: number): number {
    const { rows } = this.#meaning, near = this.#near;
    let least = 0, from = 0;
    for (let i = 0; i < count; i++) {
      const to = this.#ends[i]!, isNear = rows.near(this.#ids, this.#weights, from, to, near);
      from = to;
      this.#limits[i] = Infinity;
      if (!isNear) continue;
      const length = Math.sqrt(this.#squares[i]! + near[1]!), error = near[2]! / length;
      // There is no cosine with a vector of zeros.
      if (!(error <= MOST_ERROR)) continue;
      const cosine = (this.#products[i]! + near[0]!) / length;
      const margin = 2 * error * (1 + Math.abs(cosine)) + ROUNDING;
      this.#limits[i] = cosine + margin;
      least = Math.max(least, cosine - margin);
    }
    return least;
  }

  /** Returns the cosine of a sentence, whose known words are `from` to `to` (exclusive). */
  #cosine(sentence: number, from: number, to: number): number {
    const question = this.#question;
    const { table: { dimensions }, rows } = this.#meaning;
    const sum = rows.sum(this.#ids, this.#weights, from, to);
    let product = this.#products[sentence]!, squares = this.#squares[sentence]!;
    // The dimensions are a multiple of four.
    for (let k = 0; k < dimensions; k += 4) {
      const a = sum[k]!, b = sum[k + 1]!, c = sum[k + 2]!, d = sum[k + 3]!;
      product += a * question[k]! + b * question[k + 1]! + c * question[k + 2]! + d * question[k + 3]!;
      squares += a * a + b * b + c * c + d * d;
    }
    return squares > 0 ? product / Math.sqrt(squares) : 0;
  }
}
