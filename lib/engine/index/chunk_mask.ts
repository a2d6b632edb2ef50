/**
 * Masks of the chunks that pass a filter or hold a phrase.
 */
import { expressionMask } from "./expression_mask.ts";
import { chunksHolding } from "./held_words.ts";
import type { ChunkFilter } from "./open_index.ts";
import type { IndexReader } from "./reader.ts";
import type { Tokenizer } from "./text/tokenizer.ts";

/**
 * Returns a 1 for each chunk of the index that passes a filter. `among`: a 1 for each chunk that may pass. Default: all. Throws the
 * errors of {@linkcode expressionMask}.
 */
export function chunkMask(
  reader: IndexReader,
  tokenizer: Tokenizer,
  filter: ChunkFilter,
  among?: Uint8Array,
): Uint8Array {
  const { files, languages, phrases, excluded, excludedPhrases, expression } = filter;
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
  return expression === undefined ? mask : expressionMask(reader, tokenizer, expression, mask);
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

/**
 * Removes from `mask` the chunks that do not hold `phrase` word for word, in their text or what is indexed with it: a
 * heading above it, the title, the name of the file.
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
