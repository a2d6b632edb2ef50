/**
 * The chunks that meet an expression.
 */
import { UserError } from "#foundation/errors.ts";
import { eachPaged } from "./blob/missing.ts";
import type { ChunkTest, Expression, NearCondition, WordCondition } from "./expression.ts";
import { chunkTexts, contextOf, nameOf, searchWords, type TermTest, type WordSearch } from "./held_words.ts";
import { nearTest } from "./near_words.ts";
import type { IndexReader } from "./reader.ts";
import type { Tokenizer } from "./text/tokenizer.ts";

/** Texts that are read for one condition. More would take seconds. */
const MAX_TEXTS = 30_000;

/**
 * Returns a 1 for each chunk of `among` that meets an expression. `isHeld`: see {@linkcode searchWords}. Throws `UserError`
 * `query_too_many_texts`, `query_prefix_many`.
 */
export function expressionMask(
  reader: IndexReader,
  tokenizer: Tokenizer,
  expression: Expression<ChunkTest>,
  among: Uint8Array,
  isHeld?: TermTest,
): Uint8Array {
  const maskOf = (part: Expression<ChunkTest>, among: Uint8Array) =>
    expressionMask(reader, tokenizer, part, among, isHeld);
  switch (expression.kind) {
    case "and":
      // Each part is looked for only in the chunks that the cheaper ones left.
      return expression.parts.toSorted((a, b) => costOf(a) - costOf(b)).reduce(
        (left, part) => left.includes(1) ? maskOf(part, left) : left,
        among,
      );
    case "or": {
      const found = new Uint8Array(among.length), rest = among.slice();
      for (const part of expression.parts.toSorted((a, b) => costOf(a) - costOf(b))) {
        const more = maskOf(part, rest);
        for (let chunk = 0; chunk < found.length; chunk++) {
          found[chunk]! |= more[chunk]!;
          rest[chunk]! &= more[chunk]! ^ 1;
        }
      }
      return found;
    }
    case "not": {
      const left = maskOf(expression.part, among);
      for (let chunk = 0; chunk < left.length; chunk++) left[chunk] = among[chunk]! & (left[chunk]! ^ 1);
      return left;
    }
    case "test":
      return testMask(reader, expression.test, among);
    case "words":
      return wordsMask(reader, tokenizer, expression, among, isHeld);
    case "near":
      return nearMask(reader, tokenizer, expression, among, isHeld);
  }
}

/** How much it takes to find the chunks of an expression, as a rank. */
function costOf(expression: Expression<ChunkTest>): number {
  switch (expression.kind) {
    case "test":
      return 0;
    case "words":
      return expression.form === "stem" ? 1 : expression.form === "prefix" ? 2 : 3;
    case "near":
      return 4;
    case "not":
      return costOf(expression.part);
    default:
      return Math.max(...expression.parts.map(costOf));
  }
}

function testMask(reader: IndexReader, { files, languages }: ChunkTest, among: Uint8Array): Uint8Array {
  const mask = among.slice();
  const { files: fileOf, languages: languageOf } = reader.chunks;
  for (let chunk = 0; chunk < mask.length; chunk++) {
    const passes = files?.[fileOf[chunk]!] !== 0 && languages?.has(languageOf[chunk]!) !== false;
    mask[chunk]! &= passes ? 1 : 0;
  }
  return mask;
}

function wordsMask(
  reader: IndexReader,
  tokenizer: Tokenizer,
  { words, form, within, typed }: WordCondition,
  among: Uint8Array,
  isHeld: TermTest | undefined,
): Uint8Array {
  const search = searchWords(reader, tokenizer, words, form, isHeld);
  const mask = new Uint8Array(among.length);
  if (search === undefined) return mask;
  const candidates = search.candidates.filter((chunk) => among[chunk] === 1);
  if (within !== undefined) {
    const holds = within === "title" ? titleTest(reader, search) : headingTest(reader, search);
    eachPaged(candidates, (chunk) => {
      mask[chunk] = holds(chunk) ? 1 : 0;
    });
    return mask;
  }
  for (const chunk of candidates) if (search.isSure(chunk)) mask[chunk] = 1;
  markTexts(reader, candidates.filter((chunk) => mask[chunk] === 0), mask, typed, search.holds);
  return mask;
}

/** Whether the title of a chunk's document holds words; without a title, the name of its file. */
function titleTest(reader: IndexReader, search: WordSearch): (chunk: number) => boolean {
  const known = new Map<number, boolean>();
  return (chunk) => {
    const file = reader.chunks.files[chunk]!;
    let holds = known.get(file);
    if (holds === undefined) {
      const { title, path } = reader.files[file]!;
      known.set(file, holds = search.holds(title ?? nameOf(path)));
    }
    return holds;
  };
}

/** Whether one of the headings above a chunk holds words. */
function headingTest(reader: IndexReader, search: WordSearch): (chunk: number) => boolean {
  const known = new Map<number, boolean>();
  return (chunk) => {
    const section = reader.chunks.section(chunk);
    let holds = known.get(section);
    if (holds === undefined) known.set(section, holds = reader.sections.get(section).some(search.holds));
    return holds;
  };
}

function nearMask(
  reader: IndexReader,
  tokenizer: Tokenizer,
  { parts, distance }: NearCondition,
  among: Uint8Array,
  isHeld: TermTest | undefined,
): Uint8Array {
  const mask = new Uint8Array(among.length);
  const searches = eachPaged(parts, ({ words, form }) => searchWords(reader, tokenizer, words, form, isHeld));
  const [one, other] = searches.map((search) => search?.candidates.filter((chunk) => among[chunk] === 1));
  if (one === undefined || other === undefined) return mask;
  const held = new Set(other);
  const both = one.filter((chunk) => held.has(chunk));
  const typed = `${parts[0].typed} NEAR/${distance} ${parts[1].typed}`;
  markTexts(reader, both, mask, typed, nearTest(tokenizer, parts, distance));
  return mask;
}

/** Sets a 1 for each of the chunks of which a text passes the test. */
function markTexts(
  reader: IndexReader,
  chunks: Uint32Array,
  mask: Uint8Array,
  typed: string,
  test: (text: string) => boolean,
): void {
  if (chunks.length > MAX_TEXTS) {
    throw new UserError("query_too_many_texts", { part: typed, count: chunks.length, most: MAX_TEXTS });
  }
  eachPaged(chunkTexts(reader, chunks), ([chunk, text]) => {
    if (test(text) || contextOf(reader, chunk).some(test)) mask[chunk] = 1;
  });
}
