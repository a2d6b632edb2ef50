/**
 * Masks of the chunks that pass a filter or hold a phrase.
 */
import { UserError } from "#foundation/errors.ts";
import { aheadPaged, eachPaged } from "./blob/missing.ts";
import { conditionsOf } from "./expression.ts";
import { expressionMask } from "./expression_mask.ts";
import { chunksHolding, searchWords, type TermTest, type WordForm } from "./held_words.ts";
import type { ChunkFilter } from "./open_index.ts";
import type { IndexReader } from "./reader.ts";
import type { Tokenizer } from "./text/tokenizer.ts";

/** The chunks of an index that are in effect, where some are not. */
interface EffectiveChunks {
  /** A 0 for each chunk that is not in effect, a 1 for all others. */
  readonly alive: Uint8Array;
  /** Whether a chunk that is in effect has a term. */
  readonly isHeld: TermTest;
}

/**
 * Returns a 1 for each chunk of the index that passes a filter. `effective`: the chunks that are in effect. Default: all. Throws the
 * errors of {@linkcode expressionMask}. `tokenizer`: called only for words, because the first one takes 10 ms.
 */
export function chunkMask(
  reader: IndexReader,
  tokenizer: () => Tokenizer,
  filter: ChunkFilter,
  effective?: EffectiveChunks,
): Uint8Array {
  const { files, languages, phrases, excluded, excludedPhrases, expression } = filter;
  const { alive, isHeld } = effective ?? {};
  if (reader.isRemote) readWords(reader, tokenizer, filter, isHeld);
  const mask = files === undefined
    ? alive?.slice() ?? new Uint8Array(reader.chunks.length).fill(1)
    : chunksOf(reader, files);
  if (files !== undefined && alive !== undefined) {
    for (let chunk = 0; chunk < mask.length; chunk++) mask[chunk]! &= alive[chunk]!;
  }
  if (languages !== undefined) keepLanguages(mask, reader.chunks.languages, languages);
  // Phrases come last, when few chunks are left, because they are searched in the texts.
  for (const words of excluded) dropWords(mask, reader, tokenizer(), words, false);
  for (const phrase of phrases) keepPhrase(mask, reader, tokenizer(), phrase);
  for (const phrase of excludedPhrases) dropWords(mask, reader, tokenizer(), phrase, true);
  return expression === undefined ? mask : expressionMask(reader, tokenizer(), expression, mask, isHeld);
}

/** Reads what all words of a filter need before their chunks are looked for one word after the other. */
function readWords(
  reader: IndexReader,
  tokenizer: () => Tokenizer,
  { phrases, excluded, excludedPhrases, expression }: ChunkFilter,
  isHeld: TermTest | undefined,
): void {
  const conditions = expression === undefined ? [] : [...conditionsOf(expression)];
  const words: (readonly [words: string, form: WordForm])[] = [
    ...excluded.map((word) => [word, "stem"] as const),
    ...[...phrases, ...excludedPhrases].map((phrase) => [phrase, "exact"] as const),
    ...conditions.flatMap((part) => part.kind === "words" ? [part] : part.kind === "near" ? part.parts : [])
      .map(({ words, form }) => [words, form] as const),
  ];
  aheadPaged(() =>
    eachPaged(words, ([words, form]) => {
      try {
        searchWords(reader, tokenizer(), words, form, isHeld);
      } catch (error) {
        // A prefix of too many terms is refused when it is its turn.
        if (!(error instanceof UserError)) throw error;
      }
    })
  );
}

/** Groups of files that follow one another of which the chunks are marked group by group. */
const MOST_GROUPS = 1000;

/**
 * Returns a 1 for each chunk of the files with a mark. Most filters leave few files over. Then it costs .1 ms, while a loop over 100,000
 * chunks costs 1.5 ms the first time, before it is compiled.
 */
function chunksOf({ chunks, files }: IndexReader, marks: Uint8Array): Uint8Array {
  const mask = new Uint8Array(chunks.length);
  let end = 0;
  for (let group = 0; group < MOST_GROUPS; group++) {
    const first = marks.indexOf(1, end);
    if (first < 0) return mask;
    const next = marks.indexOf(0, first);
    end = next < 0 ? marks.length : next;
    const { firstChunk, chunkCount } = files[end - 1]!;
    mask.fill(1, files[first]!.firstChunk, firstChunk + chunkCount);
  }
  markChunks(mask, files[end]?.firstChunk ?? mask.length, marks, chunks.files);
  return mask;
}

/** Gives the chunks from one on the marks of their files. Alone it is compiled after fewer rounds. */
function markChunks(mask: Uint8Array, from: number, marks: Uint8Array, fileOf: Uint32Array): void {
  for (let chunk = from; chunk < mask.length; chunk++) mask[chunk] = marks[fileOf[chunk]!]!;
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
