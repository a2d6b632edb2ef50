/**
 * Masks of the chunks that pass a filter or hold a phrase.
 */
import type { ChunkFilter } from "./open_index.ts";
import { phrasePattern } from "./phrase_pattern.ts";
import { PostingList } from "./postings/list.ts";
import type { IndexReader } from "./reader.ts";
import { CJK, type Tokenizer } from "./text/tokenizer.ts";

/** Returns a 1 for each chunk of the index that passes a filter. `among`: a 1 for each chunk that may pass. Default: all. */
export function chunkMask(
  reader: IndexReader,
  tokenizer: Tokenizer,
  filter: ChunkFilter,
  among?: Uint8Array,
): Uint8Array {
  const { files, languages, phrases, excluded, excludedPhrases } = filter;
  const mask = among?.slice() ?? new Uint8Array(reader.chunks.length).fill(1);
  if (files !== undefined) {
    const fileOf = reader.chunks.files;
    for (let chunk = 0; chunk < mask.length; chunk++) mask[chunk]! &= files[fileOf[chunk]!]!;
  }
  if (languages !== undefined) keepLanguages(mask, reader.chunks.languages, languages);
  // Phrases come last, when few chunks are left, because they are searched in the texts.
  for (const words of excluded) dropWords(mask, reader, tokenizer, words, false);
  for (const phrase of phrases) keepPhrase(mask, reader, tokenizer, phrase);
  for (const phrase of excludedPhrases) dropWords(mask, reader, tokenizer, phrase, true);
  return mask;
}

/** Returns a copy of `mask` (default: all chunks) without the chunks of some files. */
export function withoutFiles(
  reader: IndexReader,
  mask: Uint8Array | undefined,
  files: ReadonlySet<number>,
): Uint8Array {
  const left = mask?.slice() ?? new Uint8Array(reader.chunks.length).fill(1);
  for (const file of files) {
    const { firstChunk, chunkCount } = reader.files[file]!;
    left.fill(0, firstChunk, firstChunk + chunkCount);
  }
  return left;
}

function keepLanguages(mask: Uint8Array, languages: Uint8Array, wanted: ReadonlySet<number>): void {
  const kept = Uint8Array.from({ length: 256 }, (_, code) => wanted.has(code) ? 1 : 0);
  for (let chunk = 0; chunk < mask.length; chunk++) mask[chunk]! &= kept[languages[chunk]!]!;
}

/** Texts read for one phrase. Further chunks that contain all of its words count as containing the phrase. */
const MAX_TEXTS = 20_000;
/** Words that need no reading of texts: a bigram means that two characters are neighbours. */
const ONE_OR_TWO_CHARACTERS = new RegExp(`^[${CJK}]{1,2}$`, "u");
const ONE_SPACED_WORD = new RegExp(`^(?:(?![${CJK}])[\\p{L}\\p{N}\\p{M}_'’])+[+#]*$`, "u");
// deno-lint-ignore no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Removes from `mask` the chunks that do not hold `phrase` word for word (see {@linkcode phrasePattern}), in their text, a
 * heading above it or the file's name.
 */
function keepPhrase(
  mask: Uint8Array,
  reader: IndexReader,
  tokenizer: Tokenizer,
  phrase: string,
): void {
  const holding = chunksHolding(mask, reader, tokenizer, phrase, true);
  if (holding === undefined) return;
  mask.fill(0);
  for (const chunk of holding) mask[chunk] = 1;
}

/**
 * Removes from `mask` the chunks that hold `words`: word for word or, with `exact` false and one word, in any form of the
 * same stem.
 */
function dropWords(
  mask: Uint8Array,
  reader: IndexReader,
  tokenizer: Tokenizer,
  words: string,
  exact: boolean,
): void {
  for (const chunk of chunksHolding(mask, reader, tokenizer, words, exact) ?? []) mask[chunk] = 0;
}

/** Returns the chunks of `mask` that contain `words`, or `undefined` if `words` has no word. */
function chunksHolding(
  mask: Uint8Array,
  reader: IndexReader,
  tokenizer: Tokenizer,
  words: string,
  exact: boolean,
): Iterable<number> | undefined {
  const folded = tokenizer.fold(words).trim();
  const terms = [...new Set(tokenizer.tokenize(folded))];
  const pattern = phrasePattern(folded);
  if (terms.length === 0 || pattern === undefined) return undefined;
  const candidates = chunksWith(reader, terms).filter((chunk) => mask[chunk] === 1);
  if (ONE_OR_TWO_CHARACTERS.test(folded) || !exact && ONE_SPACED_WORD.test(folded)) return candidates;

  const holds = (text: string) => pattern.test(ASCII.test(text) ? text : tokenizer.fold(text));
  const holding = [...candidates.subarray(MAX_TEXTS)];
  for (const [chunk, text] of chunkTexts(reader, candidates.subarray(0, MAX_TEXTS))) {
    if (holds(text) || inContext(reader, chunk, holds)) holding.push(chunk);
  }
  return holding;
}

/** Returns whether a heading above the chunk or the name of its file passes the test. Both are indexed with the chunk. */
function inContext(reader: IndexReader, chunk: number, holds: (text: string) => boolean): boolean {
  const { file, section } = reader.chunk(chunk);
  const { path } = reader.files[file]!;
  return section.some(holds) || holds(path.slice(path.lastIndexOf("/") + 1));
}

/** Returns the chunks that contain all of the `terms`, in ascending order. Empty if there are no terms. */
function chunksWith(reader: IndexReader, terms: readonly string[]): Uint32Array {
  const ids = terms.map((term) => reader.dictionary.find(term));
  if (ids.length === 0 || ids.includes(-1)) return new Uint32Array();
  const lists = ids.map((id) => new PostingList(reader.postings, id))
    .sort((a, b) => a.documentFrequency - b.documentFrequency);
  const rarest = lists[0]!;
  const chunks = new Uint32Array(rarest.documentFrequency);
  rarest.decode(chunks, new Uint16Array(rarest.documentFrequency));
  // Each list is searched only for the chunks that the rarer terms left.
  return lists.slice(1).reduce((left, list) => left.filter((chunk) => list.frequencyIn(chunk) > 0), chunks);
}

/** Texts of chunks closer than this are read at once. */
const MAX_GAP_BYTES = 1 << 14;
const MAX_READ_BYTES = 1 << 20;
/** Of a chunk made larger than this (by `chunks_per_file`) only the beginning is read. */
const MAX_TEXT_BYTES = 8_000_000;

/** Reads the texts of chunks in ascending order. Texts that lie close together in the file are read at once. */
function* chunkTexts(
  reader: IndexReader,
  chunks: Uint32Array,
): Generator<[chunk: number, text: string]> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const rows = Array.from(chunks, (chunk) => {
    const { textAt, textBytes } = reader.chunks.row(chunk);
    return { chunk, from: textAt, to: textAt + Math.min(textBytes, MAX_TEXT_BYTES) };
  });
  for (let first = 0, next = 0; first < rows.length; first = next) {
    const { from } = rows[first]!;
    let to = rows[first]!.to;
    for (next = first + 1; next < rows.length; next++) {
      const row = rows[next]!;
      if (row.from < from || row.from - to > MAX_GAP_BYTES || row.to - from > MAX_READ_BYTES) break;
      to = Math.max(to, row.to);
    }
    const bytes = reader.textRange(from, to);
    for (const row of rows.slice(first, next)) {
      yield [row.chunk, decoder.decode(bytes.subarray(row.from - from, row.to - from))];
    }
  }
}
