import { type IndexReader, PostingList } from "../../index/mod.ts";

/** A code that no language has. */
const NO_LANGUAGE = 255;

/** Terms of which the count is kept: those of about ten searches. */
const MAX_COUNTS = 1024;

/** The chunks of an index that are not in effect any more, because their files are gone or replaced. */
export class DeadChunks {
  /** A 0 for each dead chunk, a 1 for all others. */
  readonly alive: Uint8Array;
  /** The language of each chunk that is alive. */
  readonly languages: Uint8Array;
  readonly #reader: IndexReader;
  readonly #chunks: Int32Array;
  readonly #counts = new Map<number, number>();

  /** `files`: numbers of the files, in ascending order. */
  constructor(reader: IndexReader, files: readonly number[]) {
    this.#reader = reader;
    this.alive = new Uint8Array(reader.chunks.length).fill(1);
    this.languages = reader.chunks.languages.slice();
    const chunks: number[] = [];
    for (const file of files) {
      const { firstChunk, chunkCount } = reader.files[file]!;
      this.alive.fill(0, firstChunk, firstChunk + chunkCount);
      this.languages.fill(NO_LANGUAGE, firstChunk, firstChunk + chunkCount);
      for (let i = 0; i < chunkCount; i++) chunks.push(firstChunk + i);
    }
    this.#chunks = Int32Array.from(chunks);
  }

  /** Bytes of the texts of the dead chunks, where overlaps count once. */
  get textBytes(): number {
    const { chunks } = this.#reader;
    let bytes = 0, file = -1, end = 0;
    for (const chunk of this.#chunks) {
      const { file: of, textAt, textBytes } = chunks.row(chunk);
      if (of !== file) end = textAt;
      file = of;
      bytes += Math.max(0, textAt + textBytes - end);
      end = Math.max(end, textAt + textBytes);
    }
    return bytes;
  }

  /** Number of dead chunks that contain a term, by its number in the dictionary. */
  countWith(term: number): number {
    let count = this.#counts.get(term);
    if (count === undefined) {
      if (this.#counts.size === MAX_COUNTS) this.#counts.clear();
      this.#counts.set(term, count = this.#countWith(term));
    }
    return count;
  }

  #countWith(term: number): number {
    const list = new PostingList(this.#reader.postings, term);
    const length = list.documentFrequency;
    let count = 0;
    if (length > this.#chunks.length) {
      for (const chunk of this.#chunks) if (list.frequencyIn(chunk) > 0) count++;
      return count;
    }
    const chunks = new Int32Array(length);
    list.decode(chunks, new Uint16Array(length));
    for (const chunk of chunks) if (this.alive[chunk] === 0) count++;
    return count;
  }
}
