import { CJK, type IndexReader, phrasePattern, type Tokenizer } from "../../index/mod.ts";
import { chunkTexts } from "./chunk_texts.ts";
import { chunksWith } from "./chunks_with.ts";

/** Texts read for one phrase; of more chunks that hold all of its words, the rest is taken to hold the phrase. */
const MAX_TEXTS = 20_000;
/** What the index itself answers: a bigram stands for what stands side by side. */
const ONE_OR_TWO_CHARACTERS = new RegExp(`^[${CJK}]{1,2}$`, "u");
const ONE_SPACED_WORD = new RegExp(`^(?:(?![${CJK}])[\\p{L}\\p{N}\\p{M}_'’])+[+#]*$`, "u");
// deno-lint-ignore no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Takes from `mask` the chunks that don't hold `phrase` word for word (see {@linkcode phrasePattern}), in their text, a
 * heading above it or the file's name.
 */
export function keepPhrase(
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
 * Takes from `mask` the chunks that hold `words`: word for word or, with `exact` false and one word, in any form of the
 * same stem.
 */
export function dropWords(
  mask: Uint8Array,
  reader: IndexReader,
  tokenizer: Tokenizer,
  words: string,
  exact: boolean,
): void {
  for (const chunk of chunksHolding(mask, reader, tokenizer, words, exact) ?? []) mask[chunk] = 0;
}

/** The chunks of `mask` that hold `words`; nothing where there is no word in them. */
function chunksHolding(
  mask: Uint8Array,
  reader: IndexReader,
  tokenizer: Tokenizer,
  words: string,
  exact: boolean,
): Iterable<number> | undefined {
  const folded = tokenizer.fold(words).trim();
  const terms = tokenizer.queryTerms(folded).map(({ term }) => term);
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

/** Whether a heading above the chunk or its file's name, both indexed with it, passes the test. */
function inContext(reader: IndexReader, chunk: number, holds: (text: string) => boolean): boolean {
  const { file, section } = reader.chunk(chunk);
  const { path } = reader.files[file]!;
  return section.some(holds) || holds(path.slice(path.lastIndexOf("/") + 1));
}
