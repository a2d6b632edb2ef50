import { UserError } from "../errors.ts";
import { DamagedBlobError, type IndexReader } from "../index/mod.ts";
import { chunkId } from "./chunk_id.ts";
import { degreeOf } from "./degree.ts";
import type { FoundChunk } from "./select.ts";
import type { Hit } from "./types.ts";

/**
 * Reads the texts of the chunks until `maxChars` UTF-16 units are used up. `capped`: something was shortened or left out.
 * Throws `UserError` `index_not_ready` where a text is damaged.
 */
export function showHits(
  selected: readonly FoundChunk[],
  maxChars: number,
): { hits: Hit[]; capped: boolean } {
  const hits: Hit[] = [];
  let left = maxChars;
  let capped = false;
  for (const { hit: { reader, chunk, score, coverage }, filePath } of selected) {
    const text = left > 0 ? textOf(reader, chunk) : "";
    const content = cut(text, left);
    capped ||= left <= 0 || content.length < text.length;
    if (content === "") break;
    left -= content.length;
    const { startLine, endLine, section, page } = reader.chunk(chunk);
    hits.push({
      filePath,
      chunkId: chunkId(reader, chunk),
      score,
      degree: degreeOf(coverage),
      content,
      startLine,
      endLine,
      section,
      ...(page === undefined ? {} : { page }),
    });
  }
  return { hits, capped };
}

/** At most `length` units of a text, no surrogate pair parted. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const parted = length > 0 && /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, Math.max(0, parted ? length - 1 : length));
}

function textOf(reader: IndexReader, chunk: number): string {
  try {
    return reader.text(chunk);
  } catch (error) {
    if (!(error instanceof DamagedBlobError)) throw error;
    throw new UserError("index_not_ready", {}, { cause: error });
  }
}
