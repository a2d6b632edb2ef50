import { chunkId } from "./chunk_id.ts";
import { degreeOf } from "./degree.ts";
import { excerpt } from "./excerpt.ts";
import { type Passage, passageText } from "./passages.ts";
import { MAX_TEXT_BYTES } from "./query/mod.ts";
import type { Hit } from "./types.ts";

/**
 * Reads the texts of the passages until `maxChars` UTF-16 units are used up. A text that is too long is cut to where the
 * `terms` of the query stand, and its lines are those of what is shown. `capped`: something was shortened or left out.
 * `saysNothing`: the question has no words to be like. Throws `DamagedBlobError` where a text is damaged.
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
    const { startLine, section, page } = reader.chunk(passage.chunks[0]!);
    hits.push({
      filePath,
      chunkId: chunkId(reader, chunk),
      score,
      degree: degreeOf(saysNothing ? 0 : coverage),
      content: shown.text,
      startLine: startLine + shown.linesBefore,
      endLine: startLine + shown.linesBefore + shown.lines,
      section,
      ...(page === undefined ? {} : { page }),
    });
  }
  return { hits, capped };
}
