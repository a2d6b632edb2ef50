/**
 * Suggests words for those of a question that no text holds. They come from the terms of the indexes,
 * so that a suggestion is a word that some passage has.
 */
import { editDistance } from "#foundation/edit_distance.ts";
import { DamagedIndexError, type Tokenizer } from "#engine/index/mod.ts";
import type { OpenIndex } from "#library/store/mod.ts";

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
  indexes: readonly OpenIndex[],
  tokenizer: Tokenizer,
  isKnown: (word: string) => boolean,
): Promise<Suggestion[]> {
  const words = [...new Set(question.normalize("NFKC").match(WORD) ?? [])].filter((word) =>
    word.length >= LEAST_LETTERS && word.length <= MOST_LETTERS && LETTERS.test(word) && !isKnown(word)
  );
  try {
    return await suggestionsFor(words, indexes, tokenizer);
  } catch (error) {
    // The hits were read without it. A search that needs the damaged part reports it.
    if (error instanceof DamagedIndexError) return [];
    throw error;
  }
}

async function suggestionsFor(
  words: readonly string[],
  indexes: readonly OpenIndex[],
  tokenizer: Tokenizer,
): Promise<Suggestion[]> {
  const suggestions: Suggestion[] = [];
  for (const word of words) {
    if (suggestions.length === MOST_WORDS) break;
    const terms = tokenizer.queryTerms(word).map(({ term }) => term);
    const frequencies = await frequenciesIn(indexes, terms);
    if (frequencies.some((frequency) => frequency > 0)) continue;
    const suggestion = await wordLike(word, terms[0] ?? word, indexes, tokenizer);
    if (suggestion !== undefined) suggestions.push({ word, suggestion });
  }
  return suggestions;
}

async function wordLike(
  word: string,
  stem: string,
  indexes: readonly OpenIndex[],
  tokenizer: Tokenizer,
): Promise<string | undefined> {
  const typed = word.toLowerCase();
  const most = typed.length < LONG_WORD ? 1 : 2;
  const others = ~(lettersOf(typed) | lettersOf(stem));
  const found = new Map<string, number>();
  for (const index of indexes) {
    for (const term of await index.termsOfLength(Math.ceil(typed.length / 2), typed.length + most)) {
      // Most terms have too many other letters. This is found out in a fraction of the time that the distance takes.
      if (bitsIn(lettersOf(term) & others) > most || found.has(term) || !LETTERS.test(term)) continue;
      const far = Math.min(editDistance(typed, term), editDistance(stem, term));
      // A stem without an ending that is misspelt: `deploy` for `deploymnet`.
      const farAtStart = far <= most ? far : editDistance(typed.slice(0, term.length), term);
      if (far <= most) found.set(term, far);
      else if (farAtStart <= 1) found.set(term, typed.length - term.length + farAtStart);
    }
  }
  const terms = [...found.keys()];
  const frequencies = await frequenciesIn(indexes, terms);
  const best = terms.map((term, i) => ({ term, far: found.get(term)!, frequency: frequencies[i]! }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.far - b.far || b.frequency - a.frequency || (a.term < b.term ? -1 : 1));
  for (const { term } of best.slice(0, MOST_READ)) {
    const written = await writtenForm(term, typed, indexes, tokenizer);
    if (written !== undefined && editDistance(typed, written.toLowerCase()) <= most) return written;
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
  indexes: readonly OpenIndex[],
  tokenizer: Tokenizer,
): Promise<string | undefined> {
  const forms = new Map<string, number>();
  for (const index of indexes) {
    const query = { terms: [{ term, weight: 1 }], averageTokens: 1 };
    const hits = await index.byTerms(query, { limit: PASSAGES });
    const chunks = Int32Array.from(hits, ({ chunk }) => chunk).sort();
    const texts = await index.texts(chunks, PASSAGE_BYTES);
    const stored = await index.chunks(chunks);
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

async function frequenciesIn(indexes: readonly OpenIndex[], terms: readonly string[]): Promise<number[]> {
  const sums: number[] = new Array(terms.length).fill(0);
  for (const index of indexes) {
    const frequencies = await index.documentFrequencies(terms);
    for (let t = 0; t < terms.length; t++) sums[t]! += frequencies[t]!;
  }
  return sums;
}
