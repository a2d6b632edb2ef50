import type { Document } from "../document/mod.ts";
import { Locator } from "./_locator.ts";
import { type Unit, unitsOf } from "./_semantic_units.ts";
import { TableHeads } from "./_table_heads.ts";
import type { Chunk, Similarity } from "./types.ts";

/** A cut is made where the similarity is below the mean by more than this many standard deviations. */
const DEVIATIONS = 1;

/**
 * Cuts a text where neighbouring sentences are least similar. Once a chunk is a quarter full, it ends at a heading, or
 * between two sentences whose similarity is far below the mean of the document. When it is full, it ends at the least
 * similar pair after its first quarter. Headings stay with the text below them; tables and code are cut only if they do not
 * fit.
 */
export function cutSemantic(document: Document, maxChars: number, similarity: Similarity): Chunk[] {
  const units = unitsOf(document, maxChars);
  const similarities = similaritiesOf(document.text, units, similarity);
  const threshold = thresholdOf(similarities);
  const locator = new Locator(document);
  const heads = new TableHeads(document.text);
  const chunks: Chunk[] = [];
  const quarter = maxChars >> 2;

  for (let from = 0; from < units.length;) {
    const first = units[from]!;
    const head = heads.of(first.lineStart);
    const lead = head !== undefined && head.end - head.start < maxChars >> 1
      ? document.text.slice(head.start, head.end)
      : undefined;
    const limit = first.start + maxChars - (lead === undefined ? 0 : lead.length + 1);
    let weakest = -1;
    let to = from + 1;
    for (; to < units.length; to++) {
      const unit = units[to]!;
      const size = units[to - 1]!.end - first.start;
      if (unit.level > 0 && (size >= quarter || unit.level < first.level)) break;
      if (size >= quarter && (weakest < 0 || similarities[to]! <= similarities[weakest]!)) weakest = to;
      if (size >= quarter && similarities[to]! < threshold) break;
      if (unit.end > limit) {
        if (weakest >= 0) to = weakest;
        break;
      }
    }
    const last = units[to - 1]!;
    // A single unit may be longer than the room beside the lead.
    const fits = last.end <= limit;
    chunks.push({
      start: first.start,
      end: last.end,
      startLine: first.startLine,
      endLine: last.endLine,
      ...locator.locate(first.start, last.end, first.start),
      ...(lead === undefined || !fits ? {} : { lead }),
    });
    from = to;
  }
  return chunks;
}

/**
 * Returns the similarity of each unit to the one before: 2 if they should stay together, 1 if the similarity is unknown. The
 * first unit has 2.
 */
function similaritiesOf(text: string, units: readonly Unit[], similarity: Similarity): Float64Array {
  const similarities = new Float64Array(units.length).fill(1);
  if (units.length < 2) return similarities;
  const found = similarity(units.map(({ start, end }) => text.slice(start, end)));
  for (const [at, unit] of units.entries()) {
    const value = at === 0 || unit.joins ? 2 : found[at - 1];
    similarities[at] = value !== undefined && Number.isFinite(value) ? value : 1;
  }
  return similarities;
}

/** Returns the similarity below which a cut is made, or -Infinity if there are too few values to tell. */
function thresholdOf(similarities: Float64Array): number {
  const values = similarities.subarray(1).filter((value) => value < 2);
  if (values.length < 4) return -Infinity;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return mean - DEVIATIONS * Math.sqrt(variance);
}
