/**
 * Suggests words for those of a question that no text holds. They come from the terms of the indexes,
 * so that a suggestion is a word that some passage has.
 */
import { editDistance } from "#foundation/edit_distance.ts";
import { DamagedIndexError, type Tokenizer } from "#engine/index/mod.ts";
import type { Segments } from "#engine/segments.ts";

/** A word of a question that no text holds, and a word of the texts that is spelt like it. */
export interface Suggestion {
  readonly word: string;
  readonly suggestion: string;
}

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** Words of letters, without those of scripts that are written without spaces. */
const LETTERS = /^(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}])[\p{L}\p{M}])+$/u;
/** Letters of a word that gets a suggestion. Shorter words have too many others that are spelt like them. */
const LEAST_LETTERS = 4;
const MOST_LETTERS = 40;
/** From this length on, two letters may differ. */
const LONG_WORD = 6;
const FIRST_LETTER = 0x61;
/** Words of a question that get a suggestion, and terms of an index whose passages are read for one. */
const MOST_WORDS = 4;
const MOST_READ = 4;
/** Passages that are read to find a written form of a term, and bytes of each. */
const PASSAGES = 3;
const PASSAGE_BYTES = 1 << 16;

/**
 * Returns suggestions for the words of a question that no text holds: the word of the texts with the fewest differing
 * letters, of equal ones that in most passages. The terms of an index are stems, so a passage that holds the term gives the
 * word as it is written. `isKnown`: whether a word is spelt correctly, so that it needs no suggestion.
 */
export async function suggestWords(
  question: string,
  segments: Segments,
  tokenizer: Tokenizer,
  isKnown: (word: string) => boolean,
): Promise<Suggestion[]> {
  const words = [...new Set(question.normalize("NFKC").match(WORD) ?? [])].filter((word) =>
    word.length >= LEAST_LETTERS && word.length <= MOST_LETTERS && LETTERS.test(word) && !isKnown(word)
  );
  try {
    return await suggestionsFor(words, segments, tokenizer);
  } catch (error) {
    // The hits were read without it. A search that needs the damaged part reports it.
    if (error instanceof DamagedIndexError) return [];
    throw error;
  }
}

async function suggestionsFor(
  words: readonly string[],
  segments: Segments,
  tokenizer: Tokenizer,
): Promise<Suggestion[]> {
  const termsOf = new Map(words.map((word) => [word, tokenizer.queryTerms(word).map(({ term }) => term)]));
  const terms = [...new Set([...termsOf.values()].flat())];
  const counts = await segments.documentFrequencies(terms);
  const held = new Set(terms.filter((_, i) => counts[i]! > 0));
  const missing = words.filter((word) => termsOf.get(word)!.every((term) => !held.has(term)))
    .map((word) => new MissingWord(word, termsOf.get(word)![0] ?? word));
  const suggestions: Suggestion[] = [];
  while (missing.length > 0 && suggestions.length < MOST_WORDS) {
    const some = missing.splice(0, MOST_WORDS - suggestions.length);
    const [least, most] = [
      Math.min(...some.map(({ least }) => least)),
      Math.max(...some.map(({ most }) => most)),
    ];
    await segments.termsOfLength(least, most, (term) => {
      for (const word of some) word.compare(term);
    });
    const like = await Promise.all(some.map((word) => wordLike(word, segments, tokenizer)));
    for (const [i, suggestion] of like.entries()) {
      if (suggestion !== undefined) suggestions.push({ word: some[i]!.word, suggestion });
    }
  }
  return suggestions;
}

/** A word that no text holds, and the terms that are spelt like it. */
class MissingWord {
  readonly typed: string;
  /** Letters that may differ. */
  readonly differing: number;
  /** Letters of the terms to compare. */
  readonly least: number;
  readonly most: number;
  /** The terms, and how far they are from the word. */
  readonly found = new Map<string, number>();
  readonly #stem: string;
  readonly #others: number;

  /** `stem`: the term of the word. */
  constructor(readonly word: string, stem: string) {
    this.typed = word.toLowerCase();
    this.differing = this.typed.length < LONG_WORD ? 1 : 2;
    this.least = Math.ceil(this.typed.length / 2);
    this.most = this.typed.length + this.differing;
    this.#stem = stem;
    this.#others = ~(lettersOf(this.typed) | lettersOf(stem));
  }

  /** Compares the word with a term. */
  compare(term: string): void {
    const { typed, differing: most, found } = this;
    if (term.length < this.least || term.length > this.most) return;
    // Most terms have too many other letters. This is found out in a fraction of the time that the distance takes.
    if (bitsIn(lettersOf(term) & this.#others) > most || found.has(term) || !LETTERS.test(term)) return;
    const far = Math.min(editDistance(typed, term), editDistance(this.#stem, term));
    // A stem without an ending that is misspelt: `deploy` for `deploymnet`.
    const farAtStart = far <= most ? far : editDistance(typed.slice(0, term.length), term);
    if (far <= most) found.set(term, far);
    else if (farAtStart <= 1) found.set(term, typed.length - term.length + farAtStart);
  }
}

async function wordLike(
  { typed, differing, found }: MissingWord,
  segments: Segments,
  tokenizer: Tokenizer,
): Promise<string | undefined> {
  const terms = [...found.keys()];
  const frequencies = await segments.documentFrequencies(terms);
  const best = terms.map((term, i) => ({ term, far: found.get(term)!, frequency: frequencies[i]! }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.far - b.far || b.frequency - a.frequency || (a.term < b.term ? -1 : 1));
  for (const { term } of best.slice(0, MOST_READ)) {
    const written = await writtenForm(term, typed, segments, tokenizer);
    if (written !== undefined && editDistance(typed, written.toLowerCase()) <= differing) return written;
  }
  return undefined;
}

/** The letters of a word as a set of bits: one for each of `a` to `z`, one for all other characters. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) {
    const letter = word.charCodeAt(i) - FIRST_LETTER;
    letters |= 1 << (letter >= 0 && letter < 26 ? letter : 26);
  }
  return letters;
}

function bitsIn(set: number): number {
  let bits = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

/**
 * The word with an index term that is written most like `typed`, as a passage has it: in its text, its headings or its
 * file's name.
 */
async function writtenForm(
  term: string,
  typed: string,
  { indexes }: Segments,
  tokenizer: Tokenizer,
): Promise<string | undefined> {
  const forms = new Map<string, number>();
  for (const index of indexes) {
    const query = { terms: [{ term, weight: 1 }], averageTokens: 1 };
    const hits = await index.byTerms(query, { limit: PASSAGES });
    const chunks = Int32Array.from(hits, ({ chunk }) => chunk).sort();
    const [texts, stored] = await Promise.all([index.texts(chunks, PASSAGE_BYTES), index.chunks(chunks)]);
    for (const [i, text] of texts.entries()) {
      const { section, file } = stored[i]!;
      const all = [text, ...section, index.files[file]!.path].join("\n");
      for (const [form] of all.matchAll(WORD)) {
        if (forms.has(form) || tokenizer.tokenize(form).includes(term)) {
          forms.set(form, (forms.get(form) ?? 0) + 1);
        }
      }
    }
    if (forms.size > 0) break;
  }
  const [best] = [...forms].filter(([form]) => LETTERS.test(form)).sort(([a, timesA], [b, timesB]) =>
    editDistance(typed, a.toLowerCase()) - editDistance(typed, b.toLowerCase()) || timesB - timesA
  );
  return best?.[0];
}
