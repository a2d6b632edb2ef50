import type { IndexReader, Tokenizer } from "../../index/mod.ts";
import type { ChunkFilter } from "../open_index.ts";
import { dropWords, keepPhrase } from "./words_filter.ts";

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
    for (const [file, { firstChunk, chunkCount }] of reader.files.entries()) {
      if (files[file] === 0) mask.fill(0, firstChunk, firstChunk + chunkCount);
    }
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
