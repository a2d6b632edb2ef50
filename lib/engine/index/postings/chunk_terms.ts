/**
 * The terms of new chunks: found, collected, and written as posting lists and a dictionary, together with those kept from the index
 * before.
 */
import { ByteBuffer, u32 } from "../bytes.ts";
import { buildDictionary } from "../dictionary.ts";
import { contentHash } from "../chunk_table.ts";
import { isGeneratedTerm } from "../generated.ts";
import type { IndexReader } from "../reader.ts";
import { Tokenizer } from "../text/tokenizer.ts";
import { Vocabulary } from "../text/vocabulary.ts";
import { PostingsCollector } from "./collector.ts";
import { PostingsEncoder } from "./encoder.ts";
import { IndexTooLargeError, MAX_POSTINGS_BYTES, type Postings } from "./format.ts";
import { PostingList } from "./list.ts";

/** Facts computed from the texts of chunks, a row for each. */
interface TextFacts {
  /** Tokens of text and context. */
  readonly tokens: Uint32Array<ArrayBuffer>;
  /** One of `LANGUAGE_CODES`. */
  readonly languages: Uint8Array<ArrayBuffer>;
  /** `HASH_BYTES` bytes each. */
  readonly hashes: Uint8Array<ArrayBuffer>;
}

/** The data of an index that {@linkcode ChunkTerms.write} returns beside the lists. */
export interface WrittenTerms {
  /** The sections that describe the lists, in the order in which they are written. */
  readonly sections: readonly (readonly [name: string, content: ArrayBufferView<ArrayBuffer>])[];
  /** Number of terms. */
  readonly count: number;
  readonly facts: TextFacts;
}

/** Finds the terms of chunks, and writes their lists. */
export class ChunkTerms {
  readonly tokenizer = new Tokenizer();
  readonly #vocabulary = new Vocabulary();
  readonly #collector = new PostingsCollector(this.#vocabulary);
  readonly #tokens = u32();
  readonly #languages = new ByteBuffer();
  readonly #hashes = new ByteBuffer();

  /** Adds the terms of the next chunk. Text and context are in UTF-8. */
  add(text: Uint8Array, context: Uint8Array): void {
    const language = this.tokenizer.scanUtf8(text, this.#collector);
    // The context counts once. Without it nDCG@10 falls by .007 on Cranfield and by .02 to .03 on the questions of
    // `examples/`. Counted two or three times, it is better by keywords alone (.02 on the manuals) and worse in hybrid mode
    // (.01 to .02).
    this.tokenizer.scanUtf8(context, this.#collector);
    this.addKept(this.#collector.endChunk(this.#tokens.length), language, contentHash(text));
  }

  /** Adds the next chunk without its terms, which are in the index before. */
  addKept(tokens: number, language: number, hash: Uint8Array): void {
    this.#tokens.push(tokens);
    this.#languages.push(language);
    this.#hashes.append(hash);
  }

  /** Adds terms to the chunk that was added last. */
  addTerms(terms: readonly string[]): void {
    for (const term of terms) this.#collector.value(term);
    this.#collector.endChunk(this.#tokens.length - 1);
  }

  /**
   * Writes the lists of all terms, those of the chunks that are kept from `previous` included. `pause` is awaited between pieces of the
   * work. Nothing may be called afterwards, because the memory of the terms is freed. Throws `IndexTooLargeError`.
   */
  async write(
    previous: readonly PreviousPostings[],
    write: (bytes: Uint8Array<ArrayBuffer>) => void,
    pause: () => Promise<void>,
  ): Promise<WrittenTerms> {
    const lengths = this.#tokens.view();
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const vocabulary = this.#vocabulary;
    const average = lengths.length === 0 ? 0 : total / lengths.length;
    const encoder = new PostingsEncoder(lengths, average, vocabulary.size);
    const terms = await mergePostings({
      collector: this.#collector,
      vocabulary,
      previous,
      encoder,
      write,
      pause,
    });
    // A dictionary of millions of Chinese pairs takes as much memory as they do.
    this.#collector.release();
    const { bytes, offsets, slots } = buildDictionary(
      terms.length,
      (list) => vocabulary.termOf(terms[list]!),
    );
    return {
      sections: [
        ["list.offsets", encoder.offsets.view()],
        ["list.df", encoder.documentFrequency.view()],
        ["list.max", encoder.maxFrequencyPart.view()],
        ["list.skip", encoder.skipStart.view()],
        ["skips", encoder.skips.view()],
        ["term.bytes", bytes],
        ["term.offsets", offsets],
        ["term.slots", slots],
      ],
      count: terms.length,
      facts: { tokens: lengths, languages: this.#languages.view(), hashes: this.#hashes.view() },
    };
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
  readonly write: (bytes: Uint8Array<ArrayBuffer>) => void;
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
  vocabulary.releaseLookups();
  const size = encoder.lengths.length;
  const fresh = room(size);
  // a list is merged from one array into the other
  let list = fresh, spare = previous.length > 0 ? room(size) : fresh;
  const terms = u32(vocabulary.size);
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
