import type { Document } from "../document/mod.ts";
import { balance } from "./_balance.ts";
import { cutFixed } from "./_fixed.ts";
import { cutByMeaning } from "./_meaning.ts";
import { Packer, type SectionRule } from "./_pack.ts";
import type { Chunk, ChunkOptions, ChunkStrategy } from "./types.ts";

const SECTION_RULES: Readonly<Record<Exclude<ChunkStrategy, "fixed">, SectionRule>> = {
  auto: "shared",
  semantic: "shared",
  structure: "own",
  recursive: "none",
};

/**
 * Cuts a document into chunks that together hold every character that is not white space.
 *
 * With `chunksPerFile: "auto"` chunks are filled up to `maxChars` and end at the strongest boundary after their
 * first quarter, the last one among equals: heading, paragraph or edge of a code block, list item or table row or
 * line that is not indented, line, sentence, clause, word, code point. Besides:
 * - a chunk ends at a heading once it is a quarter full, and at any heading that leaves its section or stands apart;
 * - a heading stays with what follows it; code blocks and tables that fit in one chunk are not cut;
 * - within a section the next chunk repeats up to `overlap` units, from the start of a line or sentence on;
 * - blank lines before and white space after a chunk do not belong to it;
 * - a chunk that begins with rows of a table whose head is in a chunk before has that head as its `lead`.
 *
 * Chunks go on over the ends of pages. Other strategies: see {@linkcode ChunkOptions.strategy}.
 *
 * With `chunksPerFile: n` there are n pieces of about equal content, cut at the best boundaries near the ideal
 * places, or as many as the text has code points that are not white space; `maxChars`, `overlap` and `strategy` do not apply.
 *
 * Takes linear time. Throws `RangeError` for `maxChars` under 2, a negative `overlap` or `chunksPerFile` under 1.
 */
export function chunkDocument(document: Document, options: ChunkOptions): Chunk[] {
  const { maxChars, overlap, chunksPerFile } = options;
  if (chunksPerFile !== "auto") {
    check("chunksPerFile", chunksPerFile, 1);
    return balance(document, chunksPerFile);
  }
  check("maxChars", maxChars, 2);
  check("overlap", overlap, 0);
  const { strategy = "auto", similarity } = options;
  if (strategy === "fixed") return cutFixed(document, maxChars, overlap);
  if (strategy === "semantic" && similarity !== undefined) {
    return cutByMeaning(document, maxChars, similarity);
  }
  return new Packer(document, maxChars, overlap, SECTION_RULES[strategy]).pack();
}

function check(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${name} must be a whole number of at least ${least}, got ${value}`);
  }
}
