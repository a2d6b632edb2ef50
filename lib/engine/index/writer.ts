/**
 * Writes an index: new chunks and those kept from the index before, merged in one pass.
 */
import { type BlobTarget, BlobWriter } from "./blob/writer.ts";
import type { IndexKey } from "./blob/format.ts";
import { CHUNK_COLUMNS, ChunkTableBuilder, pageList, SectionPathsBuilder } from "./chunk_table.ts";
import { writeFieldTable } from "./field_table.ts";
import { type Generated, GeneratedSections, generatedTerms } from "./generated.ts";
import { ChunkTerms } from "./postings/chunk_terms.ts";
import type { TermThread } from "./postings/term_thread.ts";
import type { IndexReader } from "./reader.ts";
import { TOKENIZER_VERSION } from "./text/tokenizer.ts";
import type { FileRecord, IndexMeta, NewChunk, StoredFile } from "./types.ts";
import { VectorSections } from "./vectors/sections.ts";
import type { VectorMeta } from "./vectors/vector_index.ts";

/** Texts of kept files are copied in pieces of at most this many bytes. */
const COPY_BYTES = 1 << 20;

/** Bytes of UTF-8 that a UTF-16 unit takes at most. */
const UNIT_BYTES = 3;

/** A segment of the previous index. */
interface PreviousSegment {
  readonly reader: IndexReader;
  /** New number of each of its chunks, ascending where it is not -1 (gone). */
  readonly kept: Int32Array;
  /** New number of each of its section paths. */
  readonly sections: number[];
  /** Like `kept`, without the chunks that get other generated texts. Absent if there are none. */
  keptGenerated?: Int32Array;
}

/** Returns the generated texts of a chunk, counted from 0 in its file: others, `null` for none, `undefined` for those that it has. */
export type GeneratedOf = (chunk: number) => Generated | null | undefined;

/**
 * Writes an index, file after file: new ones chunk by chunk, unchanged ones taken over from the previous index. Search
 * results do not depend on how much was taken over.
 */
export class IndexWriter {
  readonly #blob: BlobWriter;
  readonly #previous: readonly PreviousSegment[];
  readonly #thread: TermThread | undefined;
  /** Finds the terms in this thread, unless there is another. */
  readonly #terms: ChunkTerms | undefined;
  readonly #chunks = new ChunkTableBuilder();
  readonly #sections = new SectionPathsBuilder();
  readonly #pageLists = new SectionPathsBuilder();
  readonly #files: StoredFile[] = [];
  readonly #encoder = new TextEncoder();
  readonly #vectors: VectorSections | undefined;
  readonly #generated = new GeneratedSections();
  #scratch = new Uint8Array(1 << 14);
  #open: { firstChunk: number; lastEnd: number } | undefined;

  /**
   * `file` must be empty and open for writing, and stays open. `key` seals the index. `previous` are the segments whose
   * files may be kept. `vectors` describes the vectors, if the index gets any; those of `previous` must be of the same
   * model. `thread` finds the terms of the chunks, unless there is a `previous`.
   */
  constructor(
    file: BlobTarget,
    key: IndexKey,
    previous: readonly IndexReader[] = [],
    vectors?: VectorMeta,
    thread?: TermThread,
  ) {
    this.#thread = previous.length === 0 ? thread : undefined;
    this.#terms = this.#thread === undefined ? new ChunkTerms() : undefined;
    this.#vectors = vectors && new VectorSections(vectors, previous);
    this.#blob = new BlobWriter(file, key);
    this.#blob.begin("texts");
    this.#previous = previous.map((reader) => ({
      reader,
      kept: new Int32Array(reader.chunks.length).fill(-1),
      sections: [],
    }));
  }

  /** The number of the next chunk. */
  get chunkCount(): number {
    return this.#chunks.length;
  }

  /** Bytes of text so far. */
  get textBytes(): number {
    return this.#blob.length;
  }

  /**
   * Takes over file number `index` of a previous segment under a new record, or under the one that it has. Default of
   * `generatedOf`: its chunks keep their generated texts.
   */
  keep(record: FileRecord | undefined, index: number, generatedOf?: GeneratedOf, segment = 0): void {
    const { reader: previous, kept, sections } = this.#previous[segment]!;
    const stored = previous.files[index]!;
    const { firstChunk, chunkCount } = stored;
    const first = this.#chunks.length;
    if (chunkCount > 0) {
      const from = previous.chunks.row(firstChunk).textAt;
      let to = from;
      const shift = this.#blob.length - from;
      for (let chunk = firstChunk; chunk < firstChunk + chunkCount; chunk++) {
        const row = previous.chunks.row(chunk);
        to = Math.max(to, row.textAt + row.textBytes);
        const added = kept[chunk] = this.#chunks.length;
        this.#chunks.add(
          {
            ...row,
            file: this.#files.length,
            textAt: row.textAt + shift,
            pages: row.pages === 0 ? 0 : this.#pageLists.add(previous.pageLists.get(row.pages)),
            section: sections[row.section] ??= this.#sections.add(previous.sections.get(row.section)),
          },
        );
        this.#terms!.addKept(row.tokens, previous.chunks.languages[chunk]!, previous.chunks.hash(chunk));
        this.#vectors?.keep(added, chunk, segment);
        this.#keepGenerated(added, chunk, segment, generatedOf?.(chunk - firstChunk));
      }
      for (let at = from; at < to; at += COPY_BYTES) {
        this.#blob.write(previous.textRange(at, Math.min(at + COPY_BYTES, to)));
      }
    }
    this.#push({ ...(record ?? stored), firstChunk: first, chunkCount });
  }

  /** Gives a kept chunk its generated texts: those that it has, or others. */
  #keepGenerated(added: number, old: number, segment: number, generated: Generated | null | undefined): void {
    const previous = this.#previous[segment]!;
    if (generated === undefined) {
      if (previous.keptGenerated !== undefined) previous.keptGenerated[old] = added;
      const bytes = previous.reader.generatedBytes(old);
      if (bytes !== undefined) this.#generated.keep(added, bytes);
      return;
    }
    previous.keptGenerated ??= previous.kept.slice();
    previous.keptGenerated[old] = -1;
    if (generated !== null) this.#setGenerated(added, generated);
  }

  #setGenerated(chunk: number, generated: Generated): void {
    this.#generated.set(chunk, generated);
    const terms = this.#terms!;
    terms.addTerms(generatedTerms(generated, terms.tokenizer));
  }

  /** Begins a new file. */
  beginFile(): void {
    this.#open = { firstChunk: this.#chunks.length, lastEnd: 0 };
  }

  /** Adds the next chunk of the file that was begun. */
  addChunk(chunk: NewChunk): void {
    const open = this.#open!;
    const { text, context } = chunk;
    const room = this.#room((text.length + context.length) * UNIT_BYTES);
    const textBytes = this.#encoder.encodeInto(text, room).written;
    const bytes = room.subarray(0, textBytes);
    // The text that this chunk shares with the previous one is already in the blob.
    const shared = chunk.hasLead ? 0 : Math.max(0, open.lastEnd - chunk.start);
    const sharedBytes = shared === 0 ? 0 : this.#encoder.encode(text.slice(0, shared)).length;
    const textAt = this.#blob.length - sharedBytes;
    this.#blob.write(sharedBytes === 0 ? bytes : bytes.subarray(sharedBytes));
    open.lastEnd = chunk.end;
    const rest = room.subarray(textBytes);
    const contextBytes = this.#encoder.encodeInto(context, rest).written;
    this.#thread?.add(textBytes, contextBytes);
    this.#terms?.add(bytes, rest.subarray(0, contextBytes));
    this.#chunks.add({
      file: this.#files.length,
      textAt,
      textBytes,
      start: chunk.start,
      end: chunk.end,
      startLine: chunk.startLine,
      endLine: chunk.endLine,
      section: this.#sections.add(chunk.section),
      page: chunk.page ?? 0,
      pages: this.#pageLists.add(pageList(chunk.pages ?? [])),
    });
  }

  /** Waits while the thread that finds the terms is far behind. `pause` is awaited meanwhile and may throw. Throws the failure of the thread. */
  async caughtUp(pause: () => Promise<void>): Promise<void> {
    await this.#thread?.caughtUp(pause);
  }

  /** Returns room for the UTF-8 of the next chunk. */
  #room(bytes: number): Uint8Array<ArrayBuffer> {
    if (this.#thread !== undefined) return this.#thread.room(bytes);
    if (this.#scratch.length < bytes) this.#scratch = new Uint8Array(bytes);
    return this.#scratch;
  }

  /**
   * Sets the vector (length 1, or zeros) of a chunk that was added, and bytes to store beside it, at any time before
   * {@linkcode finish}. Default: zeros.
   */
  setVector(chunk: number, vector: Float32Array, words?: Uint8Array): void {
    this.#vectors!.set(chunk, vector, words);
  }

  /** Ends the begun file. */
  endFile(record: FileRecord): void {
    const { firstChunk } = this.#open!;
    this.#push({ ...record, firstChunk, chunkCount: this.#chunks.length - firstChunk });
    this.#open = undefined;
  }

  /** Adds a file without chunks. */
  addEmpty(record: FileRecord): void {
    this.#push({ ...record, firstChunk: this.#chunks.length, chunkCount: 0 });
  }

  /** Called after each file that is written. */
  protected fileAdded(): void {}

  #push(file: StoredFile): void {
    this.#files.push(file);
    this.fileAdded();
  }

  /**
   * Writes everything but the texts. The caller forces the file to the disk. `pause` is awaited between pieces of the work and may
   * throw to stop it; by default, it does nothing. `embedded` is awaited after the postings, before the vectors are written;
   * by then all vectors must be set. `extra`: further sections, as values of JSON. Throws `IndexTooLargeError`.
   */
  async finish(
    meta: Omit<IndexMeta, "tokenizer">,
    pause: () => Promise<void> = () => Promise.resolve(),
    embedded: () => Promise<void> = () => Promise.resolve(),
    extra: Readonly<Record<string, unknown>> = {},
  ): Promise<{ size: number; terms: number }> {
    const blob = this.#blob;
    blob.begin("postings");
    const write = (bytes: Uint8Array) => blob.write(bytes);
    const { sections: ofTerms, count, facts } = this.#thread === undefined
      ? await this.#terms!.write(this.#previous, write, pause)
      : await this.#thread.finish(write, pause);
    await pause();
    for (const [name, content] of ofTerms) blob.section(name, content);
    const { columns } = this.#chunks;
    for (const name of CHUNK_COLUMNS) {
      blob.section(`chunk.${name}`, name === "tokens" ? facts.tokens : columns[name].view());
    }
    blob.section("chunk.language", facts.languages);
    blob.section("chunk.hash", facts.hashes);
    await embedded();
    await this.#vectors?.write(blob, this.#chunks.length, pause);
    this.#generated.write(blob, this.#chunks.length);
    const sections = this.#sections.finish();
    blob.section("section.bytes", sections.bytes);
    blob.section("section.offsets", sections.offsets);
    const pageLists = this.#pageLists.finish();
    blob.section("page.bytes", pageLists.bytes);
    blob.section("page.offsets", pageLists.offsets);
    await writeFieldTable(blob, this.#files, pause);
    const json = { ...extra, files: this.#files, meta: { ...meta, tokenizer: TOKENIZER_VERSION } };
    for (const [name, value] of Object.entries(json)) {
      blob.section(name, this.#encoder.encode(JSON.stringify(value)));
    }
    await pause();
    return { size: blob.finish(), terms: count };
  }
}
