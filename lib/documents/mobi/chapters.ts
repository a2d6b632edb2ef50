/**
 * Cuts the text of a Mobipocket book into chapters and finds their titles in its table of contents.
 * Mobipocket 6 marks page breaks in one long page; KF8 cuts pages into skeletons and the fragments that belong into them.
 */
import { beginsWith, charactersOf, joinedBytes } from "../bytes.ts";
import { DocumentError, viewOf } from "../types.ts";
import { type IndexEntry, type IndexTable, readIndex } from "./index_table.ts";
import { type BookHeader, type PalmDatabase } from "./palm_database.ts";

/** A part of a book, as HTML. */
export interface Chapter {
  readonly html: Uint8Array;
  /** Title in the table of contents, and its level from 1. */
  readonly heading: { readonly title: string; readonly level: number } | undefined;
}

/** Tags of the table of contents: position, name, level, and for KF8 fragment and offset in it. */
const POSITION = 1, NAME = 3, LEVEL = 4, PLACE = 6;
const DEEPEST = 6;

/** Returns the chapters of the text of a book, in reading order. */
export function chaptersOf(
  database: PalmDatabase,
  header: BookHeader,
  text: Uint8Array<ArrayBuffer>,
): Iterable<Chapter> {
  const contents = readIndex(database, header.contents);
  return header.version === 8 ? pagesOf(database, header, text, contents) : betweenBreaks(text, contents);
}

/** A tag without an end must not be searched to the end of the book. */
const BREAK = /<\/?mbp:pagebreak[^>]{0,200}>/gi;

function* betweenBreaks(text: Uint8Array, contents: IndexTable): Generator<Chapter> {
  const titles = contents.entries.map((entry) => ({
    at: entry.tags.get(POSITION)?.[0] ?? 0,
    heading: headingOf(contents, entry),
  })).sort((a, b) => a.at - b.at);
  let next = 0;
  let start = 0;
  // The marks are ASCII, which no other character contains in the encodings of books.
  const marks = charactersOf(text);
  for (const { index, 0: mark } of [...marks.matchAll(BREAK), { index: text.length, 0: "" }]) {
    let heading: Chapter["heading"];
    // A position at the break itself belongs to the chapter behind it.
    for (; next < titles.length && titles[next]!.at < index; next++) heading ??= titles[next]!.heading;
    yield { html: text.subarray(start, index), heading };
    start = index + mark.length;
  }
}

function* pagesOf(
  database: PalmDatabase,
  header: BookHeader,
  text: Uint8Array<ArrayBuffer>,
  contents: IndexTable,
): Generator<Chapter> {
  const markup = firstFlow(database, header, text);
  const fragments = readIndex(database, header.fragments).entries;
  const skeletons = readIndex(database, header.skeletons).entries;
  if (skeletons.length === 0) return yield { html: markup, heading: undefined };
  const titles = new Map<number, Chapter["heading"]>();
  for (const entry of contents.entries) {
    const fragment = entry.tags.get(PLACE)?.[0];
    if (fragment !== undefined && !titles.has(fragment)) titles.set(fragment, headingOf(contents, entry));
  }
  let next = 0;
  let written = 0;
  for (const { tags } of skeletons) {
    const [start = 0, length = 0] = tags.get(6) ?? [];
    const end = Math.min(next + (tags.get(1)?.[0] ?? 0), fragments.length);
    let heading: Chapter["heading"];
    for (let i = next; i < end; i++) heading ??= titles.get(i);
    const html = assembled(markup, start, start + length, fragments.slice(next, end));
    written += html.length;
    if (written > 2 * markup.length) throw new DocumentError("damaged", "the pages of the book overlap");
    yield { html, heading };
    next = end;
  }
}

/** Returns the markup of a KF8 book, without the style sheets and drawings that follow it (record `FDST`). */
function firstFlow(
  database: PalmDatabase,
  { flows }: BookHeader,
  text: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const record = flows === undefined ? undefined : database.record(flows);
  const isTable = record !== undefined && record.length >= 20 && beginsWith(record, "FDST");
  return isTable ? text.subarray(viewOf(record).getUint32(12), viewOf(record).getUint32(16)) : text;
}

/**
 * Puts fragments, which follow their skeleton in the markup, into it. Their names are positions in the markup as if those
 * before them were in their places already.
 */
function assembled(
  markup: Uint8Array,
  start: number,
  end: number,
  fragments: readonly IndexEntry[],
): Uint8Array {
  const parts: Uint8Array[] = [];
  let [done, added, at] = [start, 0, end];
  for (const { name, tags } of fragments) {
    const place = Math.min(Math.max(done, (Number.parseInt(name, 10) || 0) - added), end);
    const fragment = markup.subarray(at, at + (tags.get(6)?.[1] ?? 0));
    parts.push(markup.subarray(done, place), fragment);
    done = place;
    added += fragment.length;
    at += fragment.length;
  }
  parts.push(markup.subarray(done, end));
  return joinedBytes(parts);
}

function headingOf(contents: IndexTable, { tags }: IndexEntry): Chapter["heading"] {
  const title = contents.string(tags.get(NAME)?.[0]).replace(/\s+/g, " ")
    .trim();
  const level = Math.min((tags.get(LEVEL)?.[0] ?? 0) + 1, DEEPEST);
  return title === "" ? undefined : { title, level };
}
