import { DamagedIndexError, type IndexReader } from "../index/mod.ts";
import type { FoundChunk, SelectedChunk } from "./select.ts";

/** A passage shown as one: a chunk that was found, with the found ones that it touches. */
export interface Passage {
  /** The best of its chunks. */
  readonly best: FoundChunk;
  /** Numbers of the chunks in the reader of `best`, ascending, one following the other in the file. */
  readonly chunks: readonly number[];
  /** Chunks of other files that say the same as one of its chunks. */
  readonly also: readonly FoundChunk[];
}

/**
 * Joins found chunks (best first) that follow one another in the same section of a file, in the place of the best of
 * them: overlapping halves of one explanation are easier to read as a whole.
 */
export function toPassages(selected: readonly SelectedChunk[]): Passage[] {
  const passages: { best: FoundChunk; chunks: number[]; also: FoundChunk[] }[] = [];
  for (const found of selected) {
    const { reader, chunk } = found.hit;
    const near = passages.filter(({ best, chunks }) =>
      best.hit.reader === reader && best.filePath === found.filePath &&
      (follows(reader, chunk, chunks[0]!) || follows(reader, chunks.at(-1)!, chunk))
    );
    // a chunk can close the gap between two passages
    const [first, second] = near;
    if (first === undefined) passages.push({ best: found, chunks: [chunk], also: [...found.also] });
    else {
      first.chunks.push(chunk, ...second?.chunks ?? []);
      first.chunks.sort((a, b) => a - b);
      first.also.push(...found.also, ...second?.also ?? []);
      if (second !== undefined) passages.splice(passages.indexOf(second), 1);
    }
  }
  return passages;
}

/** Whether `next` comes right after `chunk` in the same section of the same file. */
function follows(reader: IndexReader, chunk: number, next: number): boolean {
  if (next !== chunk + 1) return false;
  const [a, b] = [reader.chunks.row(chunk), reader.chunks.row(next)];
  return a.file === b.file && a.section === b.section;
}

/**
 * The text of a passage: what two chunks share comes once, line breaks that were left out between them come back. Throws
 * `DamagedIndexError` where more line breaks than characters would lie between them.
 */
export function passageText(
  { best: { hit: { reader } }, chunks }: Passage,
  textOf: (chunk: number) => string,
): string {
  let text = textOf(chunks[0]!);
  for (const chunk of chunks.slice(1)) {
    const [before, row] = [reader.chunks.row(chunk - 1), reader.chunks.row(chunk)];
    const own = withoutLead(textOf(chunk), row);
    const shared = before.end - row.start;
    if (shared >= 0) text += own.slice(shared);
    else {
      const lines = row.startLine - before.endLine;
      if (lines < 0 || lines > -shared) throw new DamagedIndexError(`lines of chunk ${chunk}`);
      text += ("\n".repeat(lines) || " ") + own;
    }
  }
  return text;
}

/** The text of a chunk from its `start` on: what stands before it is the head of its table, which the text before has too. */
export function withoutLead(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  return text.slice(Math.max(0, text.length - (end - start)));
}
