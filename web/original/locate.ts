/**
 * Finds a passage of a document, and the marks in it, on the pages of a PDF: the longest pieces that page and passage have in common, in any
 * order, because a loader puts columns and tables into another order than the file. Where that leaves a doubt, nothing is found.
 */
import { type Box, fold, type Folded, PageLetters, type PageText } from "./page_text.ts";

/** A part of a text. Offsets are UTF-16 units. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Rectangles on one page. */
export interface Place {
  /** Counted from 1. */
  readonly page: number;
  readonly boxes: readonly Box[];
}

/** The places of a passage. */
export interface Located {
  /** The places of the passage, by pages in ascending order. */
  readonly passage: readonly Place[];
  /** The marks that were found, in the order of the passage. A mark that goes over two pages has two places. */
  readonly marks: readonly (Place & { readonly mark: number })[];
}

/** Most letters of a passage and of pages that are compared. */
const MOST_PASSAGE = 30_000, MOST_PAGES = 400_000;
/** Letters in a row that begin a common piece: a Chinese letter says as much as several of an alphabet. */
const SEED = 10, CJK_SEED = 4;
/** A seed that stands in more places says nothing. It also bounds the time for hostile texts. */
const MOST_PLACES = 64;
const CJK_WEIGHT = 3;
/** The least weight of a piece that needs no other near it. */
const STRONG = 40;
/** Letters between two pieces that count as near. */
const NEAR = 400;
/**
 * A passage is found if so much of its weight is. Of 300 passages at least 93 % were found on their own pages, and at most 38 % on others, in
 * phrases that a manual repeats (`research/marked_pages.ts`).
 */
const MOST_OF = 0.6;

/** Letters that passage (from `from`) and pages (from `at`) have in common. */
interface Piece {
  readonly from: number;
  readonly at: number;
  readonly length: number;
  readonly weight: number;
}

/**
 * Returns the places of a passage on `pages`, which follow each other; `undefined` if it is not there, or if it cannot be said where. `page`: the
 * page that most likely has it, which decides between equal places.
 */
export function locate(
  pages: readonly PageText[],
  passage: string,
  marks: readonly Part[],
  page?: number,
): Located | undefined {
  const wanted = fold(withoutAddresses(passage), MOST_PASSAGE);
  const found = new PageLetters(pages, MOST_PAGES);
  const pieces = wanted.letters.length === 0 ? [] : chosenPieces(wanted, found, page);
  const all = weightOf(wanted.letters, 0, wanted.letters.length);
  const sum = pieces.reduce((sum, { weight }) => sum + weight, 0);
  if (sum === 0 || sum < MOST_OF * all) return undefined;
  pieces.sort((a, b) => a.from - b.from);
  return {
    passage: placesOf(pieces.map(({ at, length }) => [at, at + length]), found),
    marks: marks.flatMap((mark, i) =>
      placesOf(markRanges(mark, wanted, pieces, found), found).map((place) => ({ mark: i, ...place }))
    ),
  };
}

/** The passage with blanks for the addresses of links, which no page shows. Offsets stay. */
function withoutAddresses(text: string): string {
  return text.replace(/\]\([^()\s]*\)/g, (address) => " ".repeat(address.length));
}

function isCjk(letter: number): boolean {
  return letter >= 0x2E80 && letter <= 0x9FFF || letter >= 0xAC00 && letter <= 0xD7FF || letter >= 0x20000;
}

function weightOf(letters: readonly number[], from: number, to: number): number {
  let weight = 0;
  for (let i = from; i < to; i++) weight += isCjk(letters[i]!) ? CJK_WEIGHT : 1;
  return weight;
}

/** Pieces that overlap neither in the passage nor on the pages. */
function chosenPieces(wanted: Folded, found: PageLetters, page: number | undefined): Piece[] {
  const pieces = commonPieces(wanted.letters, found.letters);
  if (pieces.length === 0) return shortPassage(wanted, found, page);
  const taken = new Taken(wanted.letters.length, found.letters.length);
  const chosen: Piece[] = [];
  const choose = (piece: Piece) => {
    const rest = taken.rest(piece, wanted.letters);
    if (rest === undefined) return;
    taken.take(rest);
    chosen.push(rest);
  };
  const places = Map.groupBy(pieces, ({ from, length }) => `${from} ${length}`);
  const groups = [...places.values()].sort((a, b) => b[0]!.weight - a[0]!.weight);
  for (const [piece, other] of groups) if (other === undefined) choose(piece!);
  for (const equal of groups) {
    if (equal.length === 1) continue;
    const free = equal.filter((piece) => taken.rest(piece, wanted.letters)?.length === piece.length);
    const likely = nearestPiece(free, chosen) ?? onlyOn(free, page, found);
    if (likely !== undefined) choose(likely);
  }
  const heaviest = Math.max(...chosen.map(({ weight }) => weight));
  return chosen.filter((piece) =>
    piece.weight >= Math.min(STRONG, heaviest) ||
    chosen.some((other) => other !== piece && other.weight >= piece.weight && distance(piece, other) < NEAR)
  );
}

/** The longest pieces that two rows of letters have in common. Takes time linear in both, because frequent seeds are left out. */
function commonPieces(wanted: readonly number[], found: readonly number[]): Piece[] {
  const seeds = new Map<string, number[]>();
  const needed = new Set<string>();
  for (let i = 0; i < wanted.length; i++) needed.add(seedAt(wanted, i));
  for (let at = 0; at < found.length; at++) {
    const seed = seedAt(found, at);
    if (!needed.has(seed)) continue;
    const places = seeds.get(seed);
    if (places === undefined) seeds.set(seed, [at]);
    else if (places.length <= MOST_PLACES) places.push(at);
  }
  const pieces: Piece[] = [];
  /** By the distance of passage and page, where the last piece ends. */
  const ends = new Map<number, number>();
  for (let from = 0; from < wanted.length; from++) {
    const seed = seedAt(wanted, from);
    const places = seed === "" ? [] : seeds.get(seed) ?? [];
    if (places.length > MOST_PLACES) continue;
    for (const at of places) {
      if (from < (ends.get(at - from) ?? 0)) continue;
      let length = 0;
      while (from + length < wanted.length && wanted[from + length] === found[at + length]) length++;
      ends.set(at - from, from + length);
      pieces.push({ from, at, length, weight: weightOf(wanted, from, from + length) });
    }
  }
  return pieces;
}

/** The letters at a position that are compared; empty if too few follow. */
function seedAt(letters: readonly number[], at: number): string {
  const length = isCjk(letters[at]!) ? CJK_SEED : SEED;
  return at + length > letters.length ? "" : String.fromCodePoint(...letters.slice(at, at + length));
}

/** Letters that a piece has. */
class Taken {
  readonly #wanted: Uint8Array;
  readonly #found: Uint8Array;

  constructor(wanted: number, found: number) {
    this.#wanted = new Uint8Array(wanted);
    this.#found = new Uint8Array(found);
  }

  /** The part of a piece between letters that others have; `undefined` if it is too short to say something. */
  rest({ from, at, length }: Piece, letters: readonly number[]): Piece | undefined {
    const isTaken = (i: number) => this.#wanted[from + i] === 1 || this.#found[at + i] === 1;
    let [start, end] = [0, length];
    while (start < end && isTaken(start)) start++;
    while (end > start && isTaken(end - 1)) end--;
    for (let i = start; i < end; i++) if (isTaken(i)) return undefined;
    const weight = weightOf(letters, from + start, from + end);
    return weight < SEED ? undefined : { from: from + start, at: at + start, length: end - start, weight };
  }

  take({ from, at, length }: Piece): void {
    this.#wanted.fill(1, from, from + length);
    this.#found.fill(1, at, at + length);
  }
}

/** Letters between two pieces on the pages, less those between them in the passage. */
function distance(a: Piece, b: Piece): number {
  return Math.abs((a.at - a.from) - (b.at - b.from));
}

/** Of pieces with the same letters the one that is clearly nearest to the chosen pieces around it. */
function nearestPiece(equal: readonly Piece[], chosen: readonly Piece[]): Piece | undefined {
  if (equal.length === 0 || chosen.length === 0) return undefined;
  const gap = (a: Piece, b: Piece) => a.from < b.from ? b.from - a.from : a.from - b.from;
  const near = chosen.toSorted((a, b) => gap(a, equal[0]!) - gap(b, equal[0]!)).slice(0, 2);
  const far = equal.map((piece) => ({ piece, far: Math.min(...near.map((one) => distance(one, piece))) }))
    .sort((a, b) => a.far - b.far);
  return far[0]!.far < NEAR && far[0]!.far < 0.5 * (far[1]?.far ?? Infinity) ? far[0]!.piece : undefined;
}

/** The only one of some pieces that stands on a page. */
function onlyOn(pieces: readonly Piece[], page: number | undefined, found: PageLetters): Piece | undefined {
  const there = pieces.filter(({ at }) => found.pageOf(at) === page);
  return there.length === 1 ? there[0] : undefined;
}

/** A passage shorter than a seed, as a heading may be: it must stand on the pages, or on the likely one, just once and as whole words. */
function shortPassage({ letters }: Folded, found: PageLetters, page: number | undefined): Piece[] {
  const weight = weightOf(letters, 0, letters.length);
  if (letters.length > SEED) return [];
  const places = wholeWords(letters, found, 0, found.letters.length)
    .map((at) => ({ from: 0, at, length: letters.length, weight }));
  const only = places.length === 1 ? places[0] : onlyOn(places, page, found);
  return only === undefined ? [] : [only];
}

/** Where letters stand as whole words between two positions. */
function wholeWords(letters: readonly number[], found: PageLetters, from: number, to: number): number[] {
  const places: number[] = [];
  for (let at = from; at + letters.length <= to; at++) {
    if (!letters.every((letter, i) => found.letters[at + i] === letter)) continue;
    const isEdge = (i: number) =>
      i >= found.letters.length || found.apart[i] === true || isCjk(found.letters[i]!) ||
      i > 0 && isCjk(found.letters[i - 1]!);
    if (isEdge(at) && isEdge(at + letters.length)) places.push(at);
  }
  return places;
}

/** The letters of a mark on the pages. Those between two pieces, such as short cells, must stand between them just once. */
function markRanges(mark: Part, wanted: Folded, pieces: readonly Piece[], found: PageLetters): Range[] {
  const from = firstFrom(wanted.offsets, mark.start);
  const to = firstFrom(wanted.offsets, mark.end);
  if (from === to) return [];
  const ranges = pieces.flatMap((piece): Range[] => {
    const [start, end] = [Math.max(from, piece.from), Math.min(to, piece.from + piece.length)];
    return start < end ? [[piece.at + start - piece.from, piece.at + end - piece.from]] : [];
  });
  const letters = ranges.reduce((sum, [start, end]) => sum + end - start, 0);
  if (2 * letters > to - from) return ranges;
  const before = pieces.findLast((piece) => piece.from + piece.length <= from);
  const after = pieces.find((piece) => piece.from >= to);
  if (before === undefined || after === undefined) return [];
  const [start, end] = [before.at + before.length, after.at];
  if (end < start || end - start > NEAR) return [];
  const places = wholeWords(wanted.letters.slice(from, to), found, start, end);
  return places.length === 1 ? [[places[0]!, places[0]! + to - from]] : [];
}

type Range = readonly [start: number, end: number];

/** The index of the first offset at or behind `offset`. */
function firstFrom(offsets: readonly number[], offset: number): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function placesOf(ranges: readonly Range[], found: PageLetters): Place[] {
  const places = new Map<number, Box[]>();
  for (const [from, to] of ranges) {
    for (const [page, boxes] of found.boxes(from, to)) {
      places.set(page, [...places.get(page) ?? [], ...boxes]);
    }
  }
  return [...places].map(([page, boxes]) => ({ page, boxes })).sort((a, b) => a.page - b.page);
}
