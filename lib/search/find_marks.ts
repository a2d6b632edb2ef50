import { type Tokenizer, UNSPACED } from "../index/mod.ts";

/** A place in a text where a word of the question, or a word like it, stands. Offsets are UTF-16 units. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  /** The word or pair of characters in the form that the index has. Two marks with the same term say the same. */
  readonly term: string;
  /** How much the term says: its idf. */
  readonly weight: number;
}

/** Words and pairs of characters to find. */
export interface Wanted {
  /** Weights of index terms. */
  readonly terms: ReadonlyMap<string, number>;
  /** Weights of words in scripts without spaces, which must be found whole. They are folded. */
  readonly words: ReadonlyMap<string, number>;
}

/** A character of a script without spaces, or a word with its inner points and apostrophes (`1.13`, `C++`, `don't`). */
const TOKEN = new RegExp(
  `[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])+(?:(?:['’]|(?<=\\p{N})\\.(?=\\p{N}))(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])+)*(?:\\+\\+|#)?`,
  "gu",
);
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
/** Between two characters of one word: nothing, or the line break of wrapped prose. */
const JOINED = /^(?:[ \t]*\r?\n[ \t]*)?$/;

/** Returns the marks of a text in the order of their starts. Marks of pairs of characters overlap. */
export function findMarks(text: string, { terms, words }: Wanted, tokenizer: Tokenizer): Mark[] {
  const marks: Mark[] = [];
  const termsOf = remembered((token) => tokenizer.tokenize(token));
  const add = (start: number, end: number, found: readonly string[]) => {
    let best: Mark | undefined;
    for (const term of found) {
      const weight = terms.get(term);
      if (weight !== undefined && weight > (best?.weight ?? -1)) best = { start, end, term, weight };
    }
    if (best !== undefined) marks.push(best);
  };
  let before: { readonly text: string; readonly start: number; readonly end: number } | undefined;
  for (const { 0: token, index: start } of text.matchAll(TOKEN)) {
    const end = start + token.length;
    if (!IS_UNSPACED.test(token)) {
      add(start, end, termsOf(token));
      before = undefined;
      continue;
    }
    add(start, end, termsOf(token));
    if (before !== undefined && JOINED.test(text.slice(before.end, start))) {
      add(before.start, end, termsOf(before.text + token).slice(2));
    }
    before = { text: token, start, end };
  }
  if (words.size > 0) marks.push(...wholeWords(text, words, tokenizer));
  return marks.sort((a, b) => a.start - b.start || b.end - a.end);
}

function wholeWords(text: string, words: ReadonlyMap<string, number>, tokenizer: Tokenizer): Mark[] {
  const fold = remembered((unit) => tokenizer.fold(unit));
  // A character whose folded form has another length stays as it is, so that offsets remain right.
  const folded = Array.from(text, (unit) => fold(unit).length === unit.length ? fold(unit) : unit).join("");
  const marks: Mark[] = [];
  for (const [term, weight] of words) {
    for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length)) {
      marks.push({ start: at, end: at + term.length, term, weight });
    }
  }
  return marks;
}

function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) known.set(text, value = compute(text));
    return value;
  };
}
