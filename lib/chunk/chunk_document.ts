import type { Document, Section } from "../document/mod.ts";
import { balance } from "./_balance.ts";
import { cutFixed } from "./_fixed.ts";
import { countLineEnds } from "./_overlap.ts";
import { cutSemantic } from "./_semantic.ts";
import { Packer, type SectionRule } from "./_pack.ts";
import type { Chunk, ChunkOptions, ChunkStrategy } from "./types.ts";

const SECTION_RULES: Readonly<Record<Exclude<ChunkStrategy, "fixed">, SectionRule>> = {
  auto: "shared",
  semantic: "shared",
  structure: "own",
  recursive: "none",
};

/**
 * Cuts a document into chunks. Together they contain every character behind the front matter that is not white space.
 *
 * With `chunksPerFile: "auto"`, a chunk is filled up to `maxChars` and ends at the boundary of the highest rank after its
 * first quarter, the last one among equals. The ranks are, from high to low: heading; paragraph or edge of a code block;
 * list item, table row or line that is not indented; line; sentence; clause; word; code point. In addition:
 * - a chunk that is a quarter full ends at the next heading, and any chunk at a heading that leaves its section or stands
 * apart;
 * - a heading stays with the text below it; code blocks and tables that fit in one chunk are not cut;
 * - within a section, the next chunk repeats up to `overlap` units, from the start of a line or sentence on;
 * - blank lines before a chunk and white space after it are not part of it;
 * - a chunk that begins with later rows of a table has the head of the table as its `lead`.
 *
 * Chunks may extend over the end of a page. See {@linkcode ChunkOptions.strategy} for the other strategies.
 *
 * With `chunksPerFile: n`, there are n pieces of about equal content, cut at the best boundaries near the ideal cuts. There
 * are fewer only if the text has fewer code points that are not white space.
 *
 * Takes linear time. Throws `RangeError` for `maxChars` under 2, a negative `overlap` or `chunksPerFile` under 1.
 *
 * ```ts
 * import { chunkDocument } from "./chunk_document.ts";
 * import { deepEqual } from "node:assert/strict";
 *
 * const text = "A pump moves water. It needs power.";
 * const options = { maxChars: 20, overlap: 0, chunksPerFile: "auto" } as const;
 * const chunks = chunkDocument({ text, sections: [] }, options);
 * deepEqual(chunks.map(({ start, end }) => text.slice(start, end)), ["A pump moves water.", "It needs power."]);
 * ```
 */
export function chunkDocument(document: Document, options: ChunkOptions): Chunk[] {
  const { text, sections, bodyStart = 0 } = document;
  if (bodyStart === 0) return cut(document, options);
  // Front matter belongs to texts without pages.
  const body = { text: text.slice(bodyStart), sections: sections.map((one) => movedBy(one, -bodyStart)) };
  const lines = countLineEnds(text, 0, bodyStart);
  return cut(body, options).map((chunk) => ({
    ...movedBy(chunk, bodyStart),
    startLine: chunk.startLine + lines,
    endLine: chunk.endLine + lines,
  }));
}

function movedBy<T extends Chunk | Section>(part: T, by: number): T {
  const moved = { ...part, start: part.start + by, end: part.end + by };
  return "headingEnd" in part ? { ...moved, headingEnd: part.headingEnd + by } : moved;
}

function cut(document: Document, options: ChunkOptions): Chunk[] {
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
    return cutSemantic(document, maxChars, similarity);
  }
  return new Packer(document, maxChars, overlap, SECTION_RULES[strategy]).pack();
}

function check(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${name} must be a whole number of at least ${least}, got ${value}`);
  }
}
