/**
 * Which ranked chunks are shown, and as which passages: limits for a file, texts said twice, neighbours joined.
 * Below: the rows and pictures of a passage.
 */
import type { PagePart } from "#engine/chunk/mod.ts";
import { rowAt, type SheetRows } from "#documents/mod.ts";
import { DamagedIndexError, type StoredFile } from "#engine/index/mod.ts";
import type { StoredChunk } from "#library/store/mod.ts";
import type { RankedChunk } from "#engine/rank/mod.ts";

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

/**
 * Returns the text of a passage, joined from the texts of its chunks, and the pages that it has parts of, in their order, with their offsets
 * in the text; none where the format has no pages. A part that two chunks share occurs once, and the line breaks between chunks are
 * restored. Throws `DamagedIndexError` if the lines of chunks contradict their offsets.
 */
export function passageText(
  { chunks }: { readonly chunks: readonly Pick<ReadChunk, "chunk" | "stored">[] },
  texts: readonly string[],
): { readonly text: string; readonly pages: readonly PagePart[] } {
  let text = texts[0]!;
  const pages: PagePart[] = [];
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

/** Returns the first and the last row that lines show; undefined if they show none, or parts of several sheets. */
export function rowsBetween(
  rows: readonly SheetRows[],
  from: number,
  to: number,
): readonly [number, number] | undefined {
  const within = rows.filter(({ line, row }) => row > 0 && line > from && line <= to);
  const first = rowAt(rows, from) ?? within[0]?.row;
  const lastRun = rows.findLast(({ line, row }) => line <= to && row > 0);
  if (first === undefined || lastRun === undefined) return undefined;
  const ends = rows.find(({ line }) => line > lastRun.line)?.line ?? Infinity;
  const last = lastRun.row + Math.min(to, ends - 1) - lastRun.line;
  return last < first ? undefined : [first, last];
}

/** Most pictures that a part of a document names. A page of icons has hundreds. */
const MOST_PICTURES = 20;

/** A part of a text, in UTF-16 units. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * The numbers of the pictures that stand in parts of a text, or whose recognised text does, counted from 1; `undefined` if there are
 * none. `offsets`: where all stand.
 */
export function picturesIn(
  parts: readonly Part[],
  offsets: readonly number[] = [],
  recognised: StoredFile["recognisedImages"] = [],
): number[] | undefined {
  const numbers: number[] = [];
  const read = new Set(recognised.filter((image) => isTextIn(image, parts)).map(([number]) => number));
  for (const [i, at] of offsets.entries()) {
    if (numbers.length === MOST_PICTURES) break;
    const isIn = parts.some(({ start, end }) => start <= at && at < end);
    if (isIn || read.has(i + 1)) numbers.push(i + 1);
  }
  return numbers.length > 0 ? numbers : undefined;
}

/** Whether parts of a text have text that was recognised in a picture. */
export function isTextIn(
  [, from, to]: NonNullable<StoredFile["recognisedImages"]>[number],
  parts: readonly Part[],
): boolean {
  return parts.some(({ start, end }) => from < end && start < to);
}

/** A ranked chunk that was read. */
export interface ReadChunk extends RankedChunk {
  readonly stored: StoredChunk;
  /** Fingerprint of its text. */
  readonly print: Fingerprint;
}

/** A chunk of an answer. */
export interface SelectedChunk extends ReadChunk {
  /** Chunks of other files with the same text, best first. They are not hits themselves. */
  readonly also: readonly ReadChunk[];
}

/** The result of {@linkcode selectChunks}. */
export interface Selected {
  readonly chunks: readonly SelectedChunk[];
  /** Number of chunks that would have been selected without `perFile`, by path. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/**
 * Returns the first `limit` of the given chunks (best first), at most `perFile` of one file. If a served folder is inside
 * another, a chunk occurs twice and is selected once. A chunk with the same text as a better one of another file is added
 * to that one; the `limit` chunks after the last selected one are also checked for this.
 */
export async function selectChunks(
  ranked: readonly RankedChunk[],
  limit: number,
  perFile: number,
  read: (chunks: readonly RankedChunk[]) => Promise<readonly ReadChunk[]>,
): Promise<Selected> {
  const leftOut = new Map<string, number>();
  const places = new Set<string>();
  const ofFile = new Map<string, number>();
  const selected = new Map<ReadChunk, ReadChunk[]>();
  const said = new SaidTexts<ReadChunk>();
  let further = limit;
  for (let from = 0, to = 0; from < ranked.length; from = to) {
    // All of these are looked at, even if each of them is selected.
    to = from + limit - selected.size + further;
    if (to === from) break;
    for (const chunk of await read(ranked.slice(from, to))) {
      const isFull = selected.size === limit;
      if (isFull) further--;
      const { filePath, stored } = chunk;
      const place = `${filePath}\u0000${stored.start}`;
      if (places.has(place)) continue;
      const same = said.same(chunk);
      const taken = ofFile.get(filePath) ?? 0;
      if (same === undefined && isFull) continue;
      places.add(place);
      if (same === undefined && taken === perFile) {
        leftOut.set(filePath, (leftOut.get(filePath) ?? 0) + 1);
        continue;
      }
      if (same !== undefined) selected.get(same)!.push(chunk);
      else {
        ofFile.set(filePath, taken + 1);
        said.add(chunk);
        selected.set(chunk, []);
      }
    }
  }
  return { chunks: Array.from(selected, ([chunk, also]) => ({ ...chunk, also })), leftOut };
}

/** Letters of a shingle, for Chinese and English alike. With 6 or 10 letters the measurement below gives similar figures. */
const SHINGLE = 8;
/** One shingle in four is compared, chosen by its hash: accurate enough at a quarter of the cost. */
const SAMPLING = 4;
/**
 * Share of a passage's shingles that another passage must have to count as the same text. Measured on 5,000 passages of
 * manuals that exist in several formats (git, Debian Reference, Debian Policy). 97 of 100 passages of an EPUB share .9 or
 * more with a passage of the HTML, and 70 of 100 passages of an HTML share .8 with a passage of the PDF (the others are cut
 * differently). 2 of 1000 passages share .8 with another manual: tables of the same packages in a translation.
 */
const SAME = 0.8;
/** A passage with fewer letters is a heading or a label and is never taken for the same text. */
const MIN_LETTERS = 24;
/** A passage with fewer sampled shingles must be equal letter by letter, because a share of so few says little. */
const MIN_SAMPLES = 12;

/** The compared part of a text: its letters and digits, without markup, line breaks and case. */
interface Fingerprint {
  readonly letters: number;
  /** Hash of all letters. */
  readonly whole: number;
  /** Hashes of the sampled shingles, each once, in ascending order. */
  readonly shingles: Int32Array;
}

/** The passages chosen for an answer, by their fingerprints. Passages of one file are never compared with each other. */
export class SaidTexts<Found extends Pick<ReadChunk, "filePath" | "print">> {
  readonly #said: Found[] = [];
  readonly #ofFiles = new Map<string, Found[]>();

  /** Adds a passage that was chosen. */
  add(found: Found): void {
    this.#said.push(found);
    const ofFile = this.#ofFiles.get(found.filePath);
    if (ofFile === undefined) this.#ofFiles.set(found.filePath, [found]);
    else ofFile.push(found);
  }

  /**
   * The chosen passage of another file with the same text. If several passages of that file share the text, the one with the
   * most of it. Returns nothing if there is none.
   */
  same({ filePath, print }: Found): Found | undefined {
    if (print.letters < MIN_LETTERS) return undefined;
    const equal = this.#said.find((said) =>
      said.filePath !== filePath && said.print.letters === print.letters && said.print.whole === print.whole
    );
    if (equal !== undefined) return equal;
    if (print.shingles.length < MIN_SAMPLES) return undefined;
    let most = 0, found: readonly Found[] = [];
    for (const ofFile of this.#ofFiles.values()) {
      const shared = ofFile[0]!.filePath === filePath ? 0 : sharedShingles(print, ofFile);
      if (shared > most) [most, found] = [shared, ofFile];
    }
    let best: Found | undefined, bestShared = -1;
    for (const one of found) {
      const shared = print.shingles.filter((shingle) => holds(one.print, shingle)).length;
      if (shared > bestShared) [best, bestShared] = [one, shared];
    }
    return best;
  }
}

/**
 * Returns how many shingles of a passage any of the others has; 0 if they are too few for the same text. It is a loop without functions and
 * iterators, since an answer has thousands of these comparisons.
 */
function sharedShingles(
  { shingles }: Fingerprint,
  others: readonly { readonly print: Fingerprint }[],
): number {
  const most = (1 - SAME) * shingles.length;
  let missing = 0;
  for (let i = 0; i < shingles.length; i++) {
    const shingle = shingles[i]!;
    let at = 0;
    while (at < others.length && !holds(others[at]!.print, shingle)) at++;
    // Most passages differ, which shows after a part of their shingles.
    if (at === others.length && ++missing > most) return 0;
  }
  return shingles.length - missing;
}

/** Whether a passage has a shingle. */
function holds({ shingles }: Fingerprint, shingle: number): boolean {
  let low = 0, high = shingles.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (shingles[middle]! < shingle) low = middle + 1;
    else high = middle;
  }
  return shingles[low] === shingle;
}

/** The fingerprint of a Markdown text: addresses of links and images are left out. Takes linear time. */
export function fingerprintOf(text: string): Fingerprint {
  const sampled: number[] = [];
  const ring = new Uint16Array(SHINGLE);
  let letters = 0, whole = 0, rolling = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === BRACKET && text.charCodeAt(at + 1) === OPENING) at = addressEnd(text, at + 2);
    const letter = letterOf(unit);
    if (letter === 0) continue;
    const slot = letters++ % SHINGLE;
    rolling = Math.imul(rolling, FACTOR) + letter - Math.imul(ring[slot]!, FACTOR_OUT) | 0;
    ring[slot] = letter;
    whole = Math.imul(whole, FACTOR) + letter | 0;
    if (letters < SHINGLE) continue;
    const hash = mixed(rolling);
    if (hash % SAMPLING === 0) sampled.push(hash);
  }
  return { letters, whole, shingles: ascending(sampled) };
}

/** Numbers in ascending order, each once. */
function ascending(numbers: readonly number[]): Int32Array {
  const sorted = new Int32Array(numbers).sort();
  let count = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (count === 0 || sorted[i] !== sorted[count - 1]) sorted[count++] = sorted[i]!;
  }
  return sorted.subarray(0, count);
}

/** Characters of an address at most: a text of nothing but opening brackets must not take longer than another. */
const MAX_ADDRESS = 1000;
const BRACKET = 0x5d, OPENING = 0x28, CLOSING = 0x29;
const FACTOR = 0x01000193;
/** The factor of the letter that leaves the ring. */
const FACTOR_OUT = Array<number>(SHINGLE).fill(FACTOR).reduce((a, b) => Math.imul(a, b));

/** 30 bits that depend on all bits of a hash. */
function mixed(hash: number): number {
  const mixed = Math.imul(hash ^ hash >>> 15, 0x2c1b3c6d);
  return (mixed ^ mixed >>> 13) >>> 2;
}

/** A letter or digit in lower case and half width; 0 for white space, punctuation and symbols. */
function letterOf(unit: number): number {
  if (unit >= 0xff01 && unit <= 0xff5e) return letterOf(unit - 0xfee0);
  if (unit < 0x80) {
    const lower = unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
    return lower >= 0x61 && lower <= 0x7a || lower >= 0x30 && lower <= 0x39 ? lower : 0;
  }
  const isSymbol = unit < 0xc0 || unit >= 0x2000 && unit <= 0x2bff || unit >= 0x3000 && unit <= 0x303f;
  return isSymbol ? 0 : unit;
}

/** Offset of the end of an address in parentheses, or of the character before it if it does not look like an address. */
function addressEnd(text: string, from: number): number {
  const last = Math.min(text.length, from + MAX_ADDRESS);
  for (let at = from; at < last; at++) {
    const unit = text.charCodeAt(at);
    if (unit === CLOSING) return at;
    if (unit <= 0x20) break;
  }
  return from - 1;
}
