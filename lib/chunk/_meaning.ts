import type { Document } from "../document/mod.ts";
import { ChunkFacts } from "./_chunk_facts.ts";
import { type Unit, unitsOf } from "./_meaning_units.ts";
import { TableHeads } from "./_table_heads.ts";
import type { Chunk, Similarity } from "./types.ts";

/** Neighbours that are less alike than the mean by more than this many standard deviations are parted. */
const DEVIATIONS = 1;

/**
 * Cuts where neighbouring sentences are least alike. A chunk ends, once it is a quarter full, at a heading and between
 * sentences that are much less alike than is usual in the document; and where it is full, at the place after its first
 * quarter with the least likeness. Headings stay with what follows; rows and lines of code only part when there is no room.
 */
export function cutByMeaning(document: Document, maxChars: number, similarity: Similarity): Chunk[] {
  const units = unitsOf(document, maxChars);
  const alike = likeness(document.text, units, similarity);
  const threshold = thresholdOf(alike);
  const facts = new ChunkFacts(document);
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
      if (size >= quarter && (weakest < 0 || alike[to]! <= alike[weakest]!)) weakest = to;
      if (size >= quarter && alike[to]! < threshold) break;
      if (unit.end > limit) {
        if (weakest >= 0) to = weakest;
        break;
      }
    }
    const last = units[to - 1]!;
    // a single unit may be longer than what is left beside the lead
    const fits = last.end <= limit;
    chunks.push({
      start: first.start,
      end: last.end,
      startLine: first.startLine,
      endLine: last.endLine,
      ...facts.of(first.start, last.end, first.start),
      ...(lead === undefined || !fits ? {} : { lead }),
    });
    from = to;
  }
  return chunks;
}

/** For each unit how alike it is to the one before; 1 where they belong together, 2 where they hardly may part. */
function likeness(text: string, units: readonly Unit[], similarity: Similarity): Float64Array {
  const alike = new Float64Array(units.length).fill(1);
  if (units.length < 2) return alike;
  const found = similarity(units.map(({ start, end }) => text.slice(start, end)));
  for (const [at, unit] of units.entries()) {
    const value = at === 0 || unit.joins ? 2 : found[at - 1];
    alike[at] = value !== undefined && Number.isFinite(value) ? value : 1;
  }
  return alike;
}

function thresholdOf(alike: Float64Array): number {
  const values = alike.subarray(1).filter((value) => value < 2);
  if (values.length < 4) return -Infinity;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return mean - DEVIATIONS * Math.sqrt(variance);
}
