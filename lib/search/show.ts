import { UserError } from "../errors.ts";
import { DamagedBlobError, type IndexReader } from "../index/mod.ts";
import { chunkId } from "./chunk_id.ts";
import { degreeOf } from "./degree.ts";
import { excerpt } from "./excerpt.ts";
import type { FoundChunk } from "./select.ts";
import type { Hit } from "./types.ts";

/** Of a chunk made larger than this (by `chunks_per_file`) only the beginning is looked at. */
const MAX_TEXT_BYTES = 8_000_000;

/**
 * Reads the texts of the chunks until `maxChars` UTF-16 units are used up. A text that is too long is cut to where the
 * `terms` of the query stand, and its lines are those of what is shown. `capped`: something was shortened or left out.
 * Throws `UserError` `index_not_ready` where a text is damaged.
 */
export function showHits(
  selected: readonly FoundChunk[],
  terms: readonly string[],
  maxChars: number,
): { hits: Hit[]; capped: boolean } {
  const hits: Hit[] = [];
  let left = maxChars;
  let capped = false;
  for (const { hit: { reader, chunk, score, coverage }, filePath } of selected) {
    const text = left > 0 ? textOf(reader, chunk) : "";
    const shown = excerpt(text, terms, left);
    capped ||= left <= 0 || shown.text.length < text.length;
    if (shown.text === "") break;
    left -= shown.text.length;
    const { startLine, section, page } = reader.chunk(chunk);
    hits.push({
      filePath,
      chunkId: chunkId(reader, chunk),
      score,
      degree: degreeOf(coverage),
      content: shown.text,
      startLine: startLine + shown.linesBefore,
      endLine: startLine + shown.linesBefore + shown.lines,
      section,
      ...(page === undefined ? {} : { page }),
    });
  }
  return { hits, capped };
}

function textOf(reader: IndexReader, chunk: number): string {
  try {
    return reader.text(chunk, MAX_TEXT_BYTES);
  } catch (error) {
    if (!(error instanceof DamagedBlobError)) throw error;
    throw new UserError("index_not_ready", {}, { cause: error });
  }
}
