import { DamagedIndexError } from "../index/mod.ts";
import type { ReadChunk, SelectedChunk } from "./select.ts";

/** A passage shown as one: a selected chunk with the selected ones that it touches. */
export interface Passage {
  /** The best of its chunks. */
  readonly best: ReadChunk;
  /** Its chunks in the order of the file; each follows the one before. */
  readonly chunks: readonly ReadChunk[];
  /** Chunks of other files that say the same as one of its chunks. */
  readonly also: readonly ReadChunk[];
}

/**
 * Joins selected chunks (best first) that follow one another in the same section of a file, in the place of the best of
 * them: overlapping halves of one explanation are easier to read as a whole.
 */
export function toPassages(selected: readonly SelectedChunk[]): Passage[] {
  const passages: { best: ReadChunk; chunks: ReadChunk[]; also: ReadChunk[] }[] = [];
  for (const chunk of selected) {
    const near = passages.filter(({ chunks }) =>
      follows(chunk, chunks[0]!) || follows(chunks.at(-1)!, chunk)
    );
    // a chunk can close the gap between two passages
    const [first, second] = near;
    if (first === undefined) passages.push({ best: chunk, chunks: [chunk], also: [...chunk.also] });
    else {
      first.chunks.push(chunk, ...second?.chunks ?? []);
      first.chunks.sort((a, b) => a.chunk - b.chunk);
      first.also.push(...chunk.also, ...second?.also ?? []);
      if (second !== undefined) passages.splice(passages.indexOf(second), 1);
    }
  }
  return passages;
}

/** Whether `next` comes right after `chunk` in the same section of the same file. */
function follows(chunk: ReadChunk, next: ReadChunk): boolean {
  if (next.index !== chunk.index || next.chunk !== chunk.chunk + 1 || next.file !== chunk.file) return false;
  const [a, b] = [chunk.stored.section, next.stored.section];
  return a.length === b.length && a.every((heading, i) => heading === b[i]);
}

/**
 * The text of a passage from the texts of its chunks: a part that two chunks share comes once, and line breaks that were
 * left out between them come back. Throws `DamagedIndexError` where the lines of chunks do not go with their offsets.
 */
export function passageText({ chunks }: Passage, texts: readonly string[]): string {
  let text = texts[0]!;
  for (let i = 1; i < chunks.length; i++) {
    const [before, { chunk, stored }] = [chunks[i - 1]!.stored, chunks[i]!];
    const own = withoutLead(texts[i]!, stored);
    const shared = before.end - stored.start;
    if (shared >= 0) text += own.slice(shared);
    else {
      const lines = stored.startLine - before.endLine;
      if (lines < 0 || lines > -shared) throw new DamagedIndexError(`lines of chunk ${chunk}`);
      text += ("\n".repeat(lines) || " ") + own;
    }
  }
  return text;
}

/** The text of a chunk from its `start` on, without the head of a table that the index repeats before it. */
export function withoutLead(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  return text.slice(Math.max(0, text.length - (end - start)));
}
