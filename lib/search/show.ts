import type { IndexReader } from "../index/mod.ts";
import { chunkId } from "./chunk_id.ts";
import { degreeOf } from "./degree.ts";
import { countLineEnds, excerpt } from "./excerpt.ts";
import { type Passage, passageText, withoutLead } from "./passages.ts";
import { placesOf } from "./places.ts";
import { MAX_TEXT_BYTES } from "./query/mod.ts";
import type { Hit } from "./types.ts";

/**
 * Reads the texts of the passages until `maxChars` UTF-16 units are used up. A text that is too long is cut to where the
 * `terms` of the query stand, and its lines are those of what is shown. `capped`: something was shortened or left out.
 * `saysNothing`: the question has no words to be like. Throws `DamagedIndexError` where a text is damaged.
 */
export function showHits(
  passages: readonly Passage[],
  terms: readonly string[],
  maxChars: number,
  saysNothing = false,
): { hits: Hit[]; capped: boolean } {
  const hits: Hit[] = [];
  let left = maxChars;
  let capped = false;
  for (const passage of passages) {
    const { hit: { reader, chunk, score, coverage }, filePath } = passage.best;
    const text = left > 0 ? passageText(passage, (chunk) => reader.text(chunk, MAX_TEXT_BYTES)) : "";
    const shown = excerpt(text, terms, left);
    capped ||= left <= 0 || shown.text.length < text.length;
    if (shown.text === "") break;
    left -= shown.text.length;
    const first = passage.chunks[0]!;
    const { startLine, section, page } = reader.chunk(first);
    // the head of a table, repeated before its rows, is on none of the chunk's lines
    const lead = leadLines(reader, first);
    const from = Math.max(startLine, startLine + shown.linesBefore - lead);
    hits.push({
      filePath,
      chunkId: chunkId(reader, chunk),
      score,
      degree: degreeOf(saysNothing ? 0 : coverage),
      content: shown.text,
      startLine: from,
      endLine: Math.max(from, startLine + shown.linesBefore + shown.lines - lead),
      section,
      ...(page === undefined ? {} : { page }),
      ...(passage.also.length === 0 ? {} : { also: placesOf(passage.also) }),
    });
  }
  return { hits, capped };
}

/** Lines of the lead of a chunk. */
function leadLines(reader: IndexReader, chunk: number): number {
  const { start, end, textBytes } = reader.chunks.row(chunk);
  if (textBytes <= end - start) return 0;
  const text = reader.text(chunk, MAX_TEXT_BYTES);
  return countLineEnds(text.slice(0, text.length - withoutLead(text, { start, end }).length));
}
