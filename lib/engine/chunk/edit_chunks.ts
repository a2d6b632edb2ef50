/**
 * Chunks of a document after edits that need no new text: lines dropped at their ends, a line as their heading, two chunks as one.
 */
import type { Document } from "#documents/mod.ts";
import { Locator } from "./locator.ts";
import type { Chunk } from "./types.ts";

/** The changes to a chunk. */
export interface ChunkEdit {
  /** Lines that are left out at its beginning and its end. */
  readonly dropFirst: number;
  readonly dropLast: number;
  /** Number of the line, from 0, that is its heading, below those that it has. */
  readonly heading?: number;
  /** Whether the next chunk continues it. */
  readonly joinsNext: boolean;
}

/** Part of its content that a chunk may lose. */
const MOST_DROPPED = 1 / 3;
/** How many times the size of a chunk two of them may have together. */
const MOST_JOINED = 1.5;
/** UTF-16 units of a line that can be a heading. */
const MOST_HEADING = 120;

/**
 * Returns the chunks of a document after edits, one or `undefined` for each of them. An edit that cannot be made as it is is left out by
 * itself: lines that a chunk does not have, more than a third of it, chunks with the head of a table, chunks that are too long together.
 * Each chunk remains a part of the text from its start to its end.
 */
export function editedChunks(
  document: Document,
  chunks: readonly Chunk[],
  edits: readonly (ChunkEdit | undefined)[],
  maxChars: number,
): Chunk[] {
  const editor = new Editor(document, maxChars);
  const edited: Chunk[] = [];
  for (let i = 0; i < chunks.length; i++) {
    const edit = edits[i], next = chunks[i + 1];
    const chunk = edit === undefined ? chunks[i]! : editor.trimmed(chunks[i]!, edit);
    const isJoined = edit?.joinsNext && next !== undefined && chunk.end === chunks[i]!.end &&
      editor.canJoin(chunk, next);
    // The edits of a chunk that continues another one are about a chunk that there is no more.
    const made = isJoined ? editor.joined(chunk, next) : chunk;
    if (isJoined) i++;
    edited.push(edit === undefined ? made : editor.headed(made, edit, chunks[isJoined ? i - 1 : i]!));
  }
  return edited;
}

class Editor {
  readonly #text: string;
  readonly #locator: Locator;
  readonly #maxChars: number;

  constructor(document: Document, maxChars: number) {
    this.#text = document.text;
    this.#locator = new Locator(document);
    this.#maxChars = maxChars;
  }

  /** Leaves out lines at the ends of a chunk, unless they are too much of it. */
  trimmed(chunk: Chunk, { dropFirst, dropLast }: ChunkEdit): Chunk {
    const text = this.#text.slice(chunk.start, chunk.end);
    const lines = text.split("\n");
    if (chunk.lead !== undefined || dropFirst + dropLast === 0 || dropFirst + dropLast >= lines.length) {
      return chunk;
    }
    const contentOf = (some: readonly string[]) => some.join("").replace(/\s+/g, "").length;
    const kept = lines.slice(dropFirst, lines.length - dropLast);
    if (contentOf(kept) < (1 - MOST_DROPPED) * contentOf(lines)) return chunk;
    const start = chunk.start + lengthOf(lines.slice(0, dropFirst));
    const end = chunk.end - lengthOf(lines.slice(lines.length - dropLast));
    return this.#placed(start, end, chunk.startLine + dropFirst, chunk.endLine - dropLast);
  }

  /** Whether two chunks are parts of one text without anything between them. */
  canJoin(chunk: Chunk, next: Chunk): boolean {
    return chunk.lead === undefined && next.lead === undefined && next.end > chunk.end &&
      this.#text.slice(chunk.end, next.start).trim() === "" &&
      next.end - chunk.start <= MOST_JOINED * this.#maxChars;
  }

  joined(chunk: Chunk, next: Chunk): Chunk {
    return this.#placed(chunk.start, next.end, chunk.startLine, next.endLine);
  }

  /** Gives a chunk a line of its own as the last heading. `before`: the chunk whose lines are counted. */
  headed(chunk: Chunk, { heading }: ChunkEdit, before: Chunk): Chunk {
    if (heading === undefined) return chunk;
    const line = this.#text.slice(before.start, before.end).split("\n")[heading]?.trim() ?? "";
    const title = line.replace(/^#{1,6}\s+|\s+#*$|[*_`]+/g, "").trim();
    const isFit = title !== "" && title.length <= MOST_HEADING && !title.includes("|") &&
      this.#text.slice(chunk.start, chunk.end).includes(line);
    if (!isFit || chunk.section.includes(title)) return chunk;
    return { ...chunk, section: [...chunk.section, title] };
  }

  #placed(start: number, end: number, startLine: number, endLine: number): Chunk {
    return { start, end, startLine, endLine, ...this.#locator.locate(start, end, start) };
  }
}

/** UTF-16 units of lines with their line ends. */
function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length + 1, 0);
}
