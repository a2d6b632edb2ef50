/**
 * The chunks that hold words: by the postings, and where these do not tell, by the texts.
 */
import { UserError } from "#foundation/errors.ts";
import { eachPaged } from "./blob/missing.ts";
import { phrasePattern } from "./phrase_pattern.ts";
import { PostingList } from "./postings/list.ts";
import { foldedPrefix, prefixTerms } from "./prefix_terms.ts";
import type { IndexReader } from "./reader.ts";
import type { FileRecord } from "./types.ts";
import { CJK, type Tokenizer, UNSPACED, wordForms } from "./text/tokenizer.ts";

/** How words are compared: in any form of the same stem if it is one word, word for word, or as the beginning of a word. */
export type WordForm = "stem" | "exact" | "prefix";

/** Whether a term, by its number, is meant. */
export type TermTest = (term: number) => boolean;

/** Words that an index is searched for. */
export interface WordSearch {
  /** The chunks that may hold the words, in ascending order. */
  readonly candidates: Uint32Array;
  /** Whether a candidate holds them for sure. If not, {@linkcode holds} tells for each of its texts. */
  isSure(chunk: number): boolean;
  /** Returns whether a text that is indexed with a chunk holds the words. */
  holds(text: string): boolean;
}

/** Words that need no reading of texts: a bigram means that two characters are neighbours. */
const ONE_OR_TWO_CHARACTERS = new RegExp(`^[${CJK}]{1,2}$`, "u");
const ONE_SPACED_WORD = new RegExp(`^(?:(?![${CJK}])[\\p{L}\\p{N}\\p{M}_'’])+[+#]*$`, "u");
// deno-lint-ignore no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/** Returns whether words are compared by their stem alone. `folded`: see {@linkcode Tokenizer.fold}. */
export function isOneWord(folded: string): boolean {
  return ONE_SPACED_WORD.test(folded);
}

/**
 * Prepares the search of an index for words, or returns `undefined` if `words` has no word. `isHeld`: whether a chunk that
 * is in effect has a term, by its number. Default: every term is. Throws `UserError` `query_prefix_many`.
 */
export function searchWords(
  reader: IndexReader,
  tokenizer: Tokenizer,
  words: string,
  form: WordForm,
  isHeld?: TermTest,
): WordSearch | undefined {
  const folded = tokenizer.fold(words).trim();
  if (form === "prefix" && !ENDS_UNSPACED.test(folded)) {
    return searchPrefix(reader, tokenizer, folded, isHeld);
  }
  const terms = [...new Set(tokenizer.tokenize(folded))];
  const pattern = phrasePattern(folded);
  if (terms.length === 0 || pattern === undefined) return undefined;
  const byStem = form === "stem" && isOneWord(folded);
  const sure = byStem || ONE_OR_TWO_CHARACTERS.test(folded);
  return {
    candidates: chunksWith(reader, terms),
    isSure: () => sure,
    holds: byStem
      ? (text) => {
        const held = new Set(tokenizer.tokenize(text));
        return terms.every((term) => held.has(term));
      }
      : (text) => pattern.test(ASCII.test(text) ? text : tokenizer.fold(text)),
  };
}

/** Scripts without spaces have no beginnings of words: these words are searched for as they are. */
const ENDS_UNSPACED = new RegExp(`[${UNSPACED}]$`, "u");

function searchPrefix(
  reader: IndexReader,
  tokenizer: Tokenizer,
  folded: string,
  isHeld: TermTest | undefined,
): WordSearch {
  const prefix = foldedPrefix(folded);
  let { sure, unsure } = prefixTerms(reader.dictionary, prefix);
  // A client must not learn of terms that only hidden documents have. The other conditions of a query do not count, so that a prefix of
  // many terms is refused without reading their postings.
  if (isHeld !== undefined && sure.length + unsure.length > MAX_PREFIX_TERMS) {
    const held = (ids: readonly number[]) => eachPaged(ids, (id) => isHeld(id) ? [id] : []).flat();
    [sure, unsure] = eachPaged([sure, unsure], held) as [number[], number[]];
  }
  if (sure.length + unsure.length > MAX_PREFIX_TERMS) {
    throw new UserError("query_prefix_many", { prefix: `${folded}*`, most: MAX_PREFIX_TERMS });
  }
  const isSure = new Uint8Array(reader.chunks.length), isCandidate = new Uint8Array(reader.chunks.length);
  eachPaged([...sure, ...unsure].entries(), ([i, id]) => {
    const marks = i < sure.length ? isSure : isCandidate;
    for (const chunk of chunksOf(new PostingList(reader.postings, id))) marks[chunk] = 1;
  });
  const candidates: number[] = [];
  for (let chunk = 0; chunk < isSure.length; chunk++) {
    if ((isSure[chunk]! | isCandidate[chunk]!) === 1) candidates.push(chunk);
  }
  const test = prefixTest(prefix);
  return {
    candidates: Uint32Array.from(candidates),
    isSure: (chunk) => isSure[chunk] === 1,
    holds: (text) => {
      let holds = false;
      tokenizer.scan(text, {
        word: (units, start, end) => {
          holds ||= test(String.fromCharCode(...units.subarray(start, Math.min(end, start + MAX_COMPARED))));
        },
        gram: () => {},
      });
      return holds;
    },
  };
}

/** Terms that a prefix may stand for. */
const MAX_PREFIX_TERMS = 2000;
/** UTF-16 units of a written word that are compared: more than a term has. */
export const MAX_COMPARED = 80;

/** Returns the test whether a written word or a part of it begins with a {@linkcode foldedPrefix}. */
export function prefixTest(prefix: string): (word: string) => boolean {
  return (word) => wordForms(word).some((form) => form.toLowerCase().startsWith(prefix));
}

/** Texts read for one phrase. Further chunks that contain all of its words count as containing the phrase. */
const MAX_TEXTS = 20_000;

/**
 * Returns the chunks of `mask` that contain `words`: word for word (see {@linkcode phrasePattern}) or, with `exact` false and one word, in
 * any form of the same stem. Returns `undefined` if `words` has no word.
 */
export function chunksHolding(
  mask: Uint8Array,
  reader: IndexReader,
  tokenizer: Tokenizer,
  words: string,
  exact: boolean,
): Iterable<number> | undefined {
  const search = searchWords(reader, tokenizer, words, exact ? "exact" : "stem");
  if (search === undefined) return undefined;
  const candidates = search.candidates.filter((chunk) => mask[chunk] === 1);
  if (search.isSure(0)) return candidates;
  const holding = [...candidates.subarray(MAX_TEXTS)];
  eachPaged(chunkTexts(reader, candidates.subarray(0, MAX_TEXTS)), ([chunk, text]) => {
    if (search.holds(text) || contextOf(reader, chunk).some(search.holds)) holding.push(chunk);
  });
  return holding;
}

/** Returns the texts that are indexed with a chunk beside its own; see {@linkcode contextTexts}. */
export function contextOf(reader: IndexReader, chunk: number): string[] {
  const document = reader.files[reader.chunks.files[chunk]!]!;
  return contextTexts(document, reader.headings(chunk), chunk === document.firstChunk);
}

/** Other titles of a document by which it is found. */
const MOST_ALIASES = 10;

/**
 * Returns the texts by which a chunk is found beside its own: the headings above it, its document's title and aliases, the name of its file
 * and, with the first chunk, the document's description and tags.
 */
export function contextTexts(
  { path, title, metadata = {} }: Pick<FileRecord, "path" | "title" | "metadata">,
  section: readonly string[],
  isFirst: boolean,
): string[] {
  const { description, tags = [], extra } = metadata;
  const texts = [...section];
  if (title !== undefined && title !== section[0]) texts.push(title);
  const aliases = extra?.["aliases"] ?? extra?.["alias"] ?? undefined;
  if (aliases !== undefined) texts.push(...[aliases].flat().slice(0, MOST_ALIASES).map(String));
  texts.push(fileStem(path));
  if (!isFirst) return texts;
  // A document is found by the words of its front matter.
  if (description !== undefined) texts.push(description);
  return [...texts, ...tags];
}

/** Returns the name of a file, without its folders. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Returns the name of a file, without its folders and its last extension. */
function fileStem(path: string): string {
  const name = nameOf(path);
  const point = name.lastIndexOf(".");
  return point > 0 ? name.slice(0, point) : name;
}

/** Returns the chunks that contain all of the `terms`, in ascending order. Empty if there are no terms. */
function chunksWith(reader: IndexReader, terms: readonly string[]): Uint32Array {
  const ids = eachPaged(terms, (term) => reader.dictionary.find(term, reader.expectList));
  if (ids.length === 0 || ids.includes(-1)) return new Uint32Array();
  const lists = eachPaged(ids, (id) => new PostingList(reader.postings, id))
    .sort((a, b) => a.documentFrequency - b.documentFrequency);
  // Each list is searched only for the chunks that the rarer terms left.
  return lists.slice(1).reduce(
    (left, list) => left.filter((chunk) => list.frequencyIn(chunk) > 0),
    chunksOf(lists[0]!),
  );
}

function chunksOf(list: PostingList): Uint32Array {
  const chunks = new Uint32Array(list.documentFrequency);
  list.decode(chunks, new Uint16Array(list.documentFrequency));
  return chunks;
}

/** Texts of chunks closer than this are read at once. */
const MAX_GAP_BYTES = 1 << 14;
const MAX_READ_BYTES = 1 << 20;
/** Of a chunk made larger than this (by `chunks_per_file`) only the beginning is read. */
const MAX_TEXT_BYTES = 8_000_000;

/** Reads the texts of chunks in ascending order. Texts that lie close together in the file are read at once. */
export function* chunkTexts(
  reader: IndexReader,
  chunks: Uint32Array,
): Generator<[chunk: number, text: string]> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const rows = eachPaged(chunks, (chunk) => {
    const { textAt, textBytes } = reader.chunks.textPlace(chunk);
    return { chunk, from: textAt, to: textAt + Math.min(textBytes, MAX_TEXT_BYTES) };
  });
  const readings = readingsOf(rows);
  eachPaged(readings, ({ from, to }) => reader.expectTexts(from, to));
  for (const { from, to, first, next } of readings) {
    const bytes = reader.textRange(from, to);
    for (const row of rows.slice(first, next)) {
      yield [row.chunk, decoder.decode(bytes.subarray(row.from - from, row.to - from))];
    }
  }
}

/** Returns the bytes to read for places of texts that ascend: each of the rows `first` to `next` (exclusive). */
function readingsOf(rows: readonly { readonly from: number; readonly to: number }[]) {
  const readings: { from: number; to: number; first: number; next: number }[] = [];
  for (let first = 0, next = 0; first < rows.length; first = next) {
    const { from } = rows[first]!;
    let to = rows[first]!.to;
    for (next = first + 1; next < rows.length; next++) {
      const row = rows[next]!;
      if (row.from < from || row.from - to > MAX_GAP_BYTES || row.to - from > MAX_READ_BYTES) break;
      to = Math.max(to, row.to);
    }
    readings.push({ from, to, first, next });
  }
  return readings;
}
