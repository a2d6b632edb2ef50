import { buildClassTable } from "./character_class.ts";
import { buildFoldTable } from "./fold.ts";
import { scanTokens, type TokenSink } from "./scan.ts";
import { wordTerms } from "./word_terms.ts";

/** Changes whenever the same text gives other terms: an index of another version must be rebuilt. */
export const TOKENIZER_VERSION = 2;

/** Longer texts are normalised in pieces of at most so many UTF-16 units. */
const MAX_PIECE = 1 << 20;

/** A term of a query and how much it counts. */
export interface QueryTerm {
  readonly term: string;
  /** 1 for words and bigrams, {@linkcode UNIGRAM_WEIGHT} for single characters of unspaced scripts. */
  readonly weight: number;
}

/** A single Chinese character says less than a word: RANKING.md, "token weights". */
const UNIGRAM_WEIGHT = 0.5;

/**
 * Turns text into terms, the same way for documents and queries: NFKC, then words (see
 * {@linkcode wordTerms}) and, for scripts written without spaces, unigrams and bigrams in simplified characters.
 */
export class Tokenizer {
  readonly #classes = buildClassTable();
  readonly #fold = buildFoldTable();

  /** Sends the words and grams of `text` to `sink`. */
  scan(text: string, sink: TokenSink): void {
    for (let from = 0; from < text.length;) {
      const to = pieceEnd(text, from);
      const piece = from === 0 && to === text.length ? text : text.slice(from, to);
      scanTokens(piece.normalize("NFKC"), this.#classes, this.#fold, sink);
      from = to;
    }
  }

  /** `text` in NFKC and simplified characters. */
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

  /** All terms of `text` in its order, repeated as often as they occur. */
  tokenize(text: string): string[] {
    const terms: string[] = [];
    this.scan(text, {
      word: (normal, start, end) => void terms.push(...wordTerms(normal.slice(start, end))),
      gram: (first, second) => void terms.push(gramTerm(first, second)),
    });
    return terms;
  }

  /**
   * The distinct terms of a query in the order of their first occurrence. A single character counts less
   * where the query has bigrams to speak for it.
   */
  queryTerms(text: string): QueryTerm[] {
    const terms = new Map<string, number>();
    let bigrams = 0;
    const grams: string[] = [];
    this.scan(text, {
      word: (normal, start, end) => wordTerms(normal.slice(start, end)).forEach((term) => terms.set(term, 1)),
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
 * Where a piece that is normalised by itself ends: at white space if there is any. NFKC can make a text 18 times as long,
 * past what a string can hold.
 */
function pieceEnd(text: string, from: number): number {
  if (text.length - from <= MAX_PIECE) return text.length;
  let to = from + MAX_PIECE;
  while (to > from + MAX_PIECE / 2 && text.charCodeAt(to - 1) > 0x20) to--;
  if (to > from + MAX_PIECE / 2) return to;
  to = from + MAX_PIECE;
  return /[\udc00-\udfff]/.test(text.charAt(to)) ? to - 1 : to;
}

/** The term of a gram. */
export function gramTerm(first: number, second: number): string {
  return second === 0 ? String.fromCodePoint(first) : String.fromCodePoint(first, second);
}
