import { DamagedIndexError, type StoredPage } from "../index/mod.ts";
import type { StoredChunk } from "../store/mod.ts";
import type { ReadChunk, SelectedChunk } from "./select.ts";

/** A passage: a selected chunk, joined with the selected chunks that it touches. */
export interface Passage {
  /** The best of its chunks. */
  readonly best: ReadChunk;
  /** Its chunks in the order of the file; each follows the one before. */
  readonly chunks: readonly ReadChunk[];
  /** Chunks of other files with the same text as one of its chunks. */
  readonly also: readonly ReadChunk[];
}

/**
 * Joins selected chunks (best first) that follow each other in the same section of a file. The passage gets the rank of its
 * best chunk. Overlapping halves of one explanation are easier to read as a whole.
 */
export function toPassages(selected: readonly SelectedChunk[]): Passage[] {
  const passages: { best: ReadChunk; chunks: ReadChunk[]; also: ReadChunk[] }[] = [];
  for (const chunk of selected) {
    const near = passages.filter(({ chunks }) =>
      follows(chunk, chunks[0]!) || follows(chunks.at(-1)!, chunk)
    );
    // A chunk can close the gap between two passages.
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

/** Returns whether `next` directly follows `chunk` in the same section of the same file. */
function follows(chunk: ReadChunk, next: ReadChunk): boolean {
  if (next.index !== chunk.index || next.chunk !== chunk.chunk + 1 || next.file !== chunk.file) return false;
  const [a, b] = [chunk.stored.section, next.stored.section];
  return a.length === b.length && a.every((heading, i) => heading === b[i]);
}

/** The text of a passage. */
export interface PassageText {
  readonly text: string;
  /** The pages that it has parts of, in their order, with the offsets in `text`. Empty where the format has no pages. */
  readonly pages: readonly StoredPage[];
}

/**
 * Returns the text of a passage, joined from the texts of its chunks. A part that two chunks share occurs once, and the
 * line breaks between chunks are restored. Throws `DamagedIndexError` if the lines of chunks contradict their offsets.
 */
export function passageText(
  { chunks }: { readonly chunks: readonly Pick<ReadChunk, "chunk" | "stored">[] },
  texts: readonly string[],
): PassageText {
  let text = texts[0]!;
  const pages: StoredPage[] = [];
  /** Adds the pages of a chunk whose `start` has the offset `at`. */
  const add = ({ page, pages: parts }: StoredChunk, at: number) => {
    for (const part of parts ?? (page === undefined ? [] : [{ number: page, at: 0 }])) {
      const last = pages.at(-1);
      if (last === undefined) pages.push({ ...part, at: 0 });
      else if (part.number > last.number) pages.push({ ...part, at: at + part.at });
    }
  };
  add(chunks[0]!.stored, text.length - withoutLead(text, chunks[0]!.stored).length);
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
    add(stored, text.length - own.length);
  }
  return { text, pages };
}

/** Returns the text of a chunk from its `start`, without the head of a table that the index repeats before it. */
export function withoutLead(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  return text.slice(Math.max(0, text.length - (end - start)));
}
