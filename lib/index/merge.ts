import { u32 } from "./bytes.ts";
import {
  IndexTooLargeError,
  MAX_POSTINGS_BYTES,
  PostingList,
  type Postings,
  type PostingsCollector,
  type PostingsEncoder,
} from "./postings/mod.ts";
import type { IndexReader } from "./reader.ts";
import type { Vocabulary } from "./text/mod.ts";

/** Terms between two pauses. */
const PAUSE_TERMS = 4096;

/** Input of {@linkcode mergePostings}. */
export interface MergeInput {
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
}

/** The lists of a previous segment by the term ids of the vocabulary. */
interface OldLists {
  readonly kept: Int32Array;
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
export async function mergePostings(input: MergeInput): Promise<Uint32Array> {
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
    for (const { lists, kept, postings, room } of previous) {
      const number = lists[term] ?? 0;
      const oldCount = number === 0 ? 0 : keepOld(new PostingList(postings, number - 1), kept, room);
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
  return used.map(({ reader, kept }, segment) => {
    const lists = new Uint32Array(vocabulary.size);
    for (const [number, id] of ids[segment]!.entries()) lists[id] = number + 1;
    return { kept, postings: reader.allPostings(), lists, room: room(kept.length) };
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
