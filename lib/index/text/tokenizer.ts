import { simplifiedUnits } from "../../simplified.ts";
import { buildClassTable } from "./character_class.ts";
import { scanTokens, type TokenSink } from "./scan.ts";
import { TextUnits } from "./text_units.ts";
import { termsOfUnits } from "./word_terms.ts";

/** Raised if the terms of a text change: an index of another version must be rebuilt. */
export const TOKENIZER_VERSION = 3;

/** Longer texts are normalised in pieces of at most this many UTF-16 units. */
const MAX_PIECE = 1 << 20;

/** A term of a query with its weight. */
export interface QueryTerm {
  readonly term: string;
  /** 1 for words and bigrams, {@linkcode UNIGRAM_WEIGHT} for single characters of unspaced scripts. */
  readonly weight: number;
}

/** Weight of a single Chinese character, which means less than a word. Weight 0 was worse (RANKING.md, token weights). */
const UNIGRAM_WEIGHT = 0.5;

/**
 * Turns text into terms, in the same way for documents and queries: NFKC, then the terms of words (see
 * {@linkcode wordTerms}) and, in scripts written without spaces, unigrams and bigrams of simplified characters.
 *
 * ```ts
 * import { Tokenizer } from "./tokenizer.ts";
 * import { deepEqual } from "node:assert/strict";
 *
 * const tokenizer = new Tokenizer();
 * deepEqual(tokenizer.tokenize("Running 長江"), ["run", "长", "江", "长江"]);
 * ```
 */
export class Tokenizer {
  readonly #classes = buildClassTable();
  readonly #fold = simplifiedUnits();
  readonly #units = new TextUnits();

  /** Passes the words and grams of `text` to `sink`. */
  scan(text: string, sink: TokenSink): void {
    for (let from = 0; from < text.length;) {
      const to = pieceEnd(text, from);
      const piece = from === 0 && to === text.length ? text : text.slice(from, to);
      this.#scanPiece(piece, sink);
      from = to;
    }
  }

  #scanPiece(piece: string, sink: TokenSink): void {
    const units = this.#units;
    let length = piece.length;
    // ASCII is in NFKC.
    if (!units.load(piece)) {
      const normal = piece.normalize("NFKC");
      length = normal.length;
      if (normal !== piece) units.load(normal);
    }
    scanTokens(units.units, length, this.#classes, this.#fold, sink);
  }

  /** Returns `text` in NFKC and simplified characters. */
  fold(text: string): string {
    const normal = text.normalize("NFKC");
    let folded = "", from = 0;
    for (let i = 0; i < normal.length; i++) {
      const unit = normal.charCodeAt(i);
      if (this.#fold[unit] === unit) continue;
      folded += normal.slice(from, i) + String.fromCharCode(this.#fold[unit]!);
      from = i + 1;
    }
    return from === 0 ? normal : folded + normal.slice(from);
  }

  /** Returns all terms of `text` in their order, repetitions included. */
  tokenize(text: string): string[] {
    const terms: string[] = [];
    this.scan(text, {
      word: (units, start, end) => void terms.push(...termsOfUnits(units, start, end)),
      gram: (first, second) => void terms.push(gramTerm(first, second)),
    });
    return terms;
  }

  /**
   * Returns the distinct terms of a query in the order of their first occurrence. Single characters have a lower weight if
   * the query also has bigrams.
   */
  queryTerms(text: string): QueryTerm[] {
    const terms = new Map<string, number>();
    let bigrams = 0;
    const grams: string[] = [];
    this.scan(text, {
      word: (units, start, end) => termsOfUnits(units, start, end).forEach((term) => terms.set(term, 1)),
      gram: (first, second) => {
        const term = gramTerm(first, second);
        if (second === 0) grams.push(term);
        else bigrams++;
        terms.set(term, 1);
      },
    });
    if (bigrams > 0) grams.forEach((gram) => terms.set(gram, UNIGRAM_WEIGHT));
    return [...terms].map(([term, weight]) => ({ term, weight }));
  }
}

/**
 * Returns the end of the piece that begins at `from`: at white space, if there is any in its second half. Texts are
 * normalised in pieces because NFKC can make a text 18 times as long, which may exceed the maximum length of a string.
 */
function pieceEnd(text: string, from: number): number {
  if (text.length - from <= MAX_PIECE) return text.length;
  let to = from + MAX_PIECE;
  while (to > from + MAX_PIECE / 2 && text.charCodeAt(to - 1) > 0x20) to--;
  if (to > from + MAX_PIECE / 2) return to;
  to = from + MAX_PIECE;
  return /[\udc00-\udfff]/.test(text.charAt(to)) ? to - 1 : to;
}

/** Returns the term of a gram. */
export function gramTerm(first: number, second: number): string {
  return second === 0 ? String.fromCodePoint(first) : String.fromCodePoint(first, second);
}
