/**
 * Reads the indexes of a Mobipocket book (records `INDX`): entries with a name and numbers by tag.
 * Described by the MobileRead wiki (MOBI, Index meta record). Below it: the strings that entries refer to (CNCX).
 */
import { beginsWith, charactersOf, NumberReader } from "../bytes.ts";
import { kept, viewOf } from "../types.ts";
import type { PalmDatabase } from "./palm_database.ts";

/** An entry of an index. */
export interface IndexEntry {
  readonly name: string;
  /** Numbers by tag. */
  readonly tags: ReadonlyMap<number, readonly number[]>;
}

export interface IndexTable {
  readonly entries: readonly IndexEntry[];
  /** Returns the string at an offset of CNCX; an empty text if there is none. */
  string(offset: number | undefined): string;
}

/** Most entries of one index, and most numbers and lists of numbers. A dictionary has more, but its index is not read. */
const MOST_ENTRIES = 200_000;
const MOST_NUMBERS = 2_000_000;

/** The highest bit of the last byte of a number. */
const LAST = 0x80;

/** How a tag is written: in which bits of the control bytes, and how many numbers make a value. */
interface Tag {
  readonly tag: number;
  readonly numbers: number;
  readonly mask: number;
  readonly isEnd: boolean;
}

/** Reads the index that begins at a record. A broken index gives the entries before the error. */
export function readIndex(database: PalmDatabase, first: number | undefined): IndexTable {
  const entries: IndexEntry[] = [];
  const meta = first === undefined ? undefined : database.record(first);
  if (first === undefined || meta === undefined || !isIndex(meta)) {
    return {
      entries,
      string: () => "",
    };
  }
  const view = viewOf(meta);
  const records = view.getUint32(24);
  const tags = readTags(meta, view.getUint32(4));
  const budget = { numbers: MOST_NUMBERS };
  let at = first + 1;
  for (; at <= first + records && entries.length < MOST_ENTRIES; at++) {
    const record = database.record(at);
    if (record === undefined || !isIndex(record)) break;
    try {
      readEntries(record, tags, entries, budget);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      break;
    }
  }
  const decoder = new TextDecoder(view.getUint32(28) === 65001 ? "utf-8" : "windows-1252");
  const strings = first + 1 + records;
  return {
    entries,
    string(offset) {
      const record = offset === undefined ? undefined : database.record(strings + Math.floor(offset / 65536));
      if (record === undefined) return "";
      const reader = new NumberReader(record, offset! % 65536);
      const length = reader.highFirst(LAST);
      return decoder.decode(record.subarray(reader.at, reader.at + length));
    },
  };
}

function isIndex(record: Uint8Array): boolean {
  return record.length >= 56 && beginsWith(record, "INDX");
}

function readTags(meta: Uint8Array, start: number): { readonly controls: number; readonly tags: Tag[] } {
  if (!beginsWith(meta, "TAGX", start) || start + 12 > meta.length) return { controls: 0, tags: [] };
  const view = viewOf(meta);
  const end = Math.min(meta.length, start + Math.min(view.getUint32(start + 4), 4096));
  const tags: Tag[] = [];
  for (let at = start + 12; at + 4 <= end; at += 4) {
    tags.push({
      tag: meta[at]!,
      numbers: meta[at + 1]!,
      mask: meta[at + 2]!,
      isEnd: meta[at + 3] === 1,
    });
  }
  return { controls: view.getUint32(start + 8), tags };
}

function readEntries(
  record: Uint8Array,
  { controls, tags }: ReturnType<typeof readTags>,
  entries: IndexEntry[],
  budget: { numbers: number },
): void {
  const view = viewOf(record);
  const [offsets, count] = [view.getUint32(20), view.getUint32(24)];
  for (
    let i = 0;
    i < count && entries.length < MOST_ENTRIES && budget.numbers > 0;
    i++
  ) {
    const start = view.getUint16(offsets + 4 + 2 * i);
    const length = record[start] ?? 0;
    const name = charactersOf(record.subarray(start + 1, start + 1 + length));
    entries.push({
      name,
      tags: readNumbers(record, start + 1 + length, controls, tags, budget),
    });
  }
}

/** Reads the numbers of an entry: the bits of the control bytes say how many values each tag has. */
function readNumbers(
  record: Uint8Array,
  start: number,
  controls: number,
  tags: readonly Tag[],
  budget: { numbers: number },
): Map<number, number[]> {
  const reader = new NumberReader(record, start + controls);
  const present: { tag: number; count: number; bytes: number }[] = [];
  let control = start;
  for (const { tag, numbers, mask, isEnd } of tags) {
    if (isEnd) {
      control++;
      continue;
    }
    const bits = (record[control] ?? 0) & mask;
    if (bits === 0) continue;
    // All of several bits set: the length of the values in bytes follows.
    if (bits === mask && (mask & (mask - 1)) !== 0) {
      present.push({ tag, count: 0, bytes: reader.highFirst(LAST) });
    } else {present.push({
        tag,
        count: bits / (mask & -mask) * numbers,
        bytes: 0,
      });}
  }
  const values = new Map<number, number[]>();
  for (const { tag, count, bytes } of present) {
    // Entries may share their bytes, and lists may be empty.
    if (budget.numbers-- <= 0) break;
    const list = kept(values, tag, () => []);
    const end = Math.min(record.length, reader.at + bytes);
    for (
      let i = 0;
      reader.at < record.length && budget.numbers > 0 && (i < count || reader.at < end);
      i++
    ) {
      list.push(reader.highFirst(LAST));
      budget.numbers--;
    }
  }
  return values;
}
