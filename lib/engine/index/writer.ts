/**
 * Writes an index: new chunks and those kept from the index before, merged in one pass.
 */
import { type BlobTarget, BlobWriter } from "./blob/writer.ts";
import type { IndexKey } from "./blob/format.ts";
import {
  CHUNK_COLUMNS,
  ChunkTableBuilder,
  HASH_BYTES,
  pageList,
  SectionPathsBuilder,
} from "./chunk_table.ts";
import { buildDictionary } from "./dictionary.ts";
import { writeFieldTable } from "./field_table.ts";
import { type Generated, GeneratedSections, generatedTerms, isGeneratedTerm } from "./generated.ts";
import { IndexTooLargeError, MAX_POSTINGS_BYTES, type Postings } from "./postings/format.ts";
import { PostingList } from "./postings/list.ts";
import { PostingsCollector } from "./postings/collector.ts";
import { PostingsEncoder } from "./postings/encoder.ts";
import { contentHash, type IndexReader } from "./reader.ts";
import { languageOf, Tokenizer, TOKENIZER_VERSION } from "./text/tokenizer.ts";
import { Vocabulary } from "./text/vocabulary.ts";
import type { FileRecord, IndexMeta, NewChunk, StoredFile } from "./types.ts";
import { VectorSections } from "./vectors/sections.ts";
import type { VectorMeta } from "./vectors/vector_index.ts";
import { u32 } from "./bytes.ts";

/** Texts of kept files are copied in pieces of at most this many bytes. */
const COPY_BYTES = 1 << 20;

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
  readonly #tokenizer = new Tokenizer();
  readonly #vocabulary = new Vocabulary();
  readonly #collector = new PostingsCollector(this.#vocabulary);
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
   * model.
   */
  constructor(
    file: BlobTarget,
    key: IndexKey,
    previous: readonly IndexReader[] = [],
    vectors?: VectorMeta,
  ) {
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
          previous.chunks.hash(chunk),
          previous.chunks.languages[chunk]!,
        );
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
    for (const term of generatedTerms(generated, this.#tokenizer)) this.#collector.value(term);
    this.#collector.endChunk(chunk);
  }

  /** Begins a new file. */
  beginFile(): void {
    this.#open = { firstChunk: this.#chunks.length, lastEnd: 0 };
  }

  /** Adds the next chunk of the file that was begun. Returns its number of tokens. */
  addChunk(chunk: NewChunk): number {
    const open = this.#open!;
    const { text } = chunk;
    if (this.#scratch.length < text.length * 3) this.#scratch = new Uint8Array(text.length * 3);
    const bytes = this.#scratch.subarray(0, this.#encoder.encodeInto(text, this.#scratch).written);
    // The text that this chunk shares with the previous one is already in the blob.
    const shared = chunk.hasLead ? 0 : Math.max(0, open.lastEnd - chunk.start);
    const sharedBytes = shared === 0 ? 0 : this.#encoder.encode(text.slice(0, shared)).length;
    const textAt = this.#blob.length - sharedBytes;
    this.#blob.write(bytes.subarray(sharedBytes));
    open.lastEnd = chunk.end;

    this.#tokenizer.scan(text, this.#collector);
    // The context counts once. Without it nDCG@10 falls by .007 on Cranfield and by .02 to .03 on the questions of
    // `examples/`. Counted two or three times, it is better by keywords alone (.02 on the manuals) and worse in hybrid mode
    // (.01 to .02).
    this.#tokenizer.scan(chunk.context, this.#collector);
    const tokens = this.#collector.endChunk(this.#chunks.length);
    this.#chunks.add(
      {
        file: this.#files.length,
        textAt,
        textBytes: bytes.length,
        start: chunk.start,
        end: chunk.end,
        startLine: chunk.startLine,
        endLine: chunk.endLine,
        section: this.#sections.add(chunk.section),
        page: chunk.page ?? 0,
        pages: this.#pageLists.add(pageList(chunk.pages ?? [])),
        tokens,
      },
      contentHash(bytes),
      languageOf(text),
    );
    return tokens;
  }

  /** The content hash of a chunk that was added or kept. */
  contentHash(chunk: number): Uint8Array {
    return this.#chunks.hashes.view().subarray(chunk * HASH_BYTES, (chunk + 1) * HASH_BYTES);
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
   * Writes everything but the texts and forces the file to the disk. `pause` is awaited between pieces of the work and may
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
    const { columns } = this.#chunks;
    const lengths = columns.tokens.view() as Uint32Array;
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const encoder = new PostingsEncoder(lengths, lengths.length === 0 ? 0 : total / lengths.length);
    blob.begin("postings");
    const terms = await mergePostings({
      collector: this.#collector,
      vocabulary: this.#vocabulary,
      previous: this.#previous,
      encoder,
      write: (bytes) => blob.write(bytes),
      pause,
    });
    const dictionary = buildDictionary(terms.length, (list) => this.#vocabulary.termOf(terms[list]!));
    await pause();
    blob.section("list.offsets", encoder.offsets.view());
    blob.section("list.df", encoder.documentFrequency.view());
    blob.section("list.max", encoder.maxFrequencyPart.view());
    blob.section("list.skip", encoder.skipStart.view());
    blob.section("skips", encoder.skips.view());
    blob.section("term.bytes", dictionary.bytes);
    blob.section("term.offsets", dictionary.offsets);
    blob.section("term.slots", dictionary.slots);
    for (const name of CHUNK_COLUMNS) blob.section(`chunk.${name}`, columns[name].view());
    blob.section("chunk.language", this.#chunks.languages.view());
    blob.section("chunk.hash", this.#chunks.hashes.view());
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
    return { size: blob.finish(), terms: terms.length };
  }
}

/** Terms between two pauses. */
const PAUSE_TERMS = 4096;

/** Input of {@linkcode mergePostings}. */
interface MergeInput {
  readonly collector: PostingsCollector;
  readonly vocabulary: Vocabulary;
  readonly previous: readonly PreviousPostings[];
  readonly encoder: PostingsEncoder;
  readonly write: (bytes: Uint8Array) => void;
  readonly pause: () => Promise<void>;
}

/** The terms and lists of a previous segment. */
interface PreviousPostings {
  readonly reader: Pick<IndexReader, "dictionary" | "allPostings">;
  /** New number of each old chunk, ascending where it is not -1 (gone). */
  readonly kept: Int32Array;
  readonly keptGenerated?: Int32Array;
}

/** The lists of a previous segment by the term ids of the vocabulary. */
interface OldLists {
  readonly kept: Int32Array;
  /** For the terms of generated texts. */
  readonly keptGenerated: Int32Array;
  readonly postings: Postings;
  /** The number of each term's list plus 1, or 0. */
  readonly lists: Uint32Array;
  readonly room: List;
}

/** One list in two arrays of the same length. */
interface List {
  readonly chunks: Uint32Array;
  readonly frequencies: Uint16Array;
}

/**
 * Encodes the list of every term that is still in use: the postings of kept chunks and those of new ones, merged by chunk.
 * Returns the ids of the terms in the order of their lists.
 */
async function mergePostings(input: MergeInput): Promise<Uint32Array> {
  const { collector, vocabulary, encoder } = input;
  collector.finish();
  const previous = oldLists(input);
  const size = encoder.lengths.length;
  const fresh = room(size);
  // a list is merged from one array into the other
  let list = fresh, spare = previous.length > 0 ? room(size) : fresh;
  const terms = u32();
  for (let term = 0; term < vocabulary.size; term++) {
    let count = collector.decode(term, list.chunks, list.frequencies);
    for (const { lists, postings, room, ...chunks } of previous) {
      const number = lists[term] ?? 0;
      const { kept, keptGenerated } = chunks;
      const ofTerm = kept === keptGenerated || !isGeneratedTerm(vocabulary.termOf(term))
        ? kept
        : keptGenerated;
      const oldCount = number === 0 ? 0 : keepOld(new PostingList(postings, number - 1), ofTerm, room);
      if (oldCount === 0) continue;
      mergeLists(list, count, room, oldCount, spare);
      count += oldCount;
      [list, spare] = [spare, list];
    }
    if (count > 0) {
      encoder.add(list.chunks, list.frequencies, count);
      terms.push(term);
    }
    if (term % PAUSE_TERMS === 0) {
      checkSize(encoder);
      input.write(encoder.take());
      await input.pause();
    }
  }
  checkSize(encoder);
  input.write(encoder.take());
  return terms.view();
}

/** The lists of the segments that keep a chunk. Their terms are added to the vocabulary. */
function oldLists({ previous, vocabulary }: MergeInput): OldLists[] {
  const used = previous.filter(({ kept }) => kept.some((chunk) => chunk >= 0));
  const ids = used.map(({ reader }) =>
    Uint32Array.from(reader.dictionary.terms(), (term) => vocabulary.idOf(term))
  );
  return used.map(({ reader, kept, keptGenerated = kept }, segment) => {
    const lists = new Uint32Array(vocabulary.size);
    for (const [number, id] of ids[segment]!.entries()) lists[id] = number + 1;
    return { kept, keptGenerated, postings: reader.allPostings(), lists, room: room(kept.length) };
  });
}

function checkSize({ size }: PostingsEncoder): void {
  if (size > MAX_POSTINGS_BYTES) throw new IndexTooLargeError(`${size} bytes of postings`);
}

function room(length: number): List {
  return { chunks: new Uint32Array(length), frequencies: new Uint16Array(length) };
}

/** Copies the postings of kept chunks from an old list, with their new numbers. Returns their count. */
function keepOld(list: PostingList, kept: Int32Array, into: List): number {
  const count = list.decode(into.chunks, into.frequencies);
  let left = 0;
  for (let i = 0; i < count; i++) {
    const chunk = kept[into.chunks[i]!]!;
    if (chunk < 0) continue;
    into.chunks[left] = chunk;
    into.frequencies[left++] = into.frequencies[i]!;
  }
  return left;
}

function mergeLists(a: List, aCount: number, b: List, bCount: number, into: List): number {
  let i = 0, j = 0, count = 0;
  while (i < aCount || j < bCount) {
    const fromA = j === bCount || i < aCount && a.chunks[i]! < b.chunks[j]!;
    const list = fromA ? a : b;
    const at = fromA ? i++ : j++;
    into.chunks[count] = list.chunks[at]!;
    into.frequencies[count++] = list.frequencies[at]!;
  }
  return count;
}
