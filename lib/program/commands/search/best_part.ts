/**
 * The part of a passage that is shown: the rows with most of the question's words,
 * made of lines and paragraphs that are wrapped to the width of the terminal.
 */
import type { Hit, Mark } from "#library/search/mod.ts";
import { printableText } from "#foundation/messages/mod.ts";
import { characterAt } from "#foundation/text_offsets.ts";
import { characters, displayWidth } from "../../terminal_text.ts";

type Shown = Pick<Hit, "content" | "filePath" | "marks" | "section">;

/** Marks that are tried as the first one shown. */
const MOST_MARKS = 100;
/** The end of a sentence, with the spaces after it. */
const SENTENCE_END = /[.!?]["”’)]*\s+|[。！？；]["”’）」』]*/g;

/** A place where the rows may begin. */
interface Start {
  readonly block: number;
  readonly at: number;
  /** A part that begins with a line is easier to read than one that begins with a sentence, or within one. */
  readonly kind: "line" | "sentence" | "word";
}

/** Rows of a passage, the offset of their end, and whether a line goes on there. */
interface Part {
  readonly rows: Cell[][];
  readonly end: number;
  readonly isCut: boolean;
}

/** A passage to be shown in at most `count` rows of `columns`. */
interface Passage {
  readonly content: string;
  readonly blocks: readonly Block[];
  readonly cells: readonly (() => Cell[])[];
  readonly isMarked: (at: number) => boolean;
  readonly columns: number;
  readonly count: number;
}

/** The at most `count` rows of a passage with the most of the question's words, the rarest first. */
export function bestRows(hit: Shown, columns: number, count: number): Cell[][] {
  const { content, marks = [] } = hit;
  const blocks = withoutHeading(blocksOf(hit), hit);
  if (blocks.length === 0) return [];
  const isMarked = markedIn(content, marks);
  // Many starts share a block.
  const cells = blocks.map(({ start, end }) => once(() => cellsOf(content, { start, end, isMarked })));
  let best: Weighed & { readonly part: Part } | undefined;
  const passage = { content, blocks, cells, isMarked, columns, count };
  for (const start of startsIn(passage, marks)) {
    const part = partFrom(start, passage);
    const weight = weightOf(marks, start.at, part.end);
    if (best === undefined || isBetter({ start, weight }, best)) best = { start, part, weight };
  }
  const { start, part: { rows, isCut } } = best!;
  // The last match may stand at the end of a passage: then the lines before it are shown too.
  for (let block = start.block - 1; start.kind === "line" && block >= 0; block--) {
    const before = wrap(cells[block]!(), columns, count - rows.length + 1);
    if (before.length > count - rows.length) break;
    rows.unshift(...before);
  }
  if (isCut) rows[rows.length - 1] = withEllipsis(rows.at(-1)!, columns);
  return rows;
}

/** All rows of a passage, or of its lines around the best match. */
export function allRows(hit: Shown, columns: number, around?: number): Cell[][] {
  const { content, marks = [] } = hit;
  const isMarked = markedIn(content, marks);
  return linesAround(hit, around).flatMap(({ start, end }) =>
    wrap(cellsOf(content, { start, end, isMarked }), columns)
  );
}

/** The lines of a passage; with `around`, its best line and so many around it, without blank lines at the ends. */
export function linesAround(
  { content, marks = [] }: Pick<Hit, "content" | "marks">,
  around?: number,
): Block[] {
  const text = content.trimEnd();
  const lines = linesOf(text);
  if (around === undefined) return lines;
  let best = 0, most = 0;
  for (const [at, { start, end }] of lines.entries()) {
    const weight = weightOf(marks, start, end);
    if (weight > most) [best, most] = [at, weight];
  }
  const near = lines.slice(Math.max(0, best - around), best + around + 1);
  const isBlank = ({ start, end }: Block) => text.slice(start, end).trim() === "";
  return near.slice(
    near.findIndex((line) => !isBlank(line)),
    near.findLastIndex((line) => !isBlank(line)) + 1,
  );
}

/** Σ weight of the different terms that are marked between two offsets. */
function weightOf(marks: readonly Mark[], start: number, end: number): number {
  const terms = new Set<string>();
  let weight = 0;
  for (const mark of marks) {
    if (mark.start < start || mark.end > end || terms.has(mark.term)) continue;
    terms.add(mark.term);
    weight += mark.weight;
  }
  return weight;
}

/** Returns whether a place in a text is marked. */
export function markedIn(content: string, marks: readonly Mark[]): (at: number) => boolean {
  const marked = new Uint8Array(content.length);
  for (const { start, end } of marks) marked.fill(1, start, end);
  return (at) => marked[at] === 1;
}

/** Without a first line that repeats the section, which stands in the line above the passage. */
function withoutHeading(blocks: Block[], { content, section }: Shown): Block[] {
  const [first, ...others] = blocks;
  if (first === undefined || others.length === 0) return blocks;
  const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(content.slice(first.start, first.end)) ?? [];
  return heading !== undefined && heading === section.at(-1) ? others : blocks;
}

/** For every mark: the start of its line, of its sentence, and a place shortly before it. */
function startsIn({ content, blocks, columns }: Passage, marks: readonly Mark[]): Start[] {
  const starts = new Map<number, Start>();
  const add = (start: Start) => {
    if (!starts.has(start.at)) starts.set(start.at, start);
  };
  for (const mark of marks.slice(0, MOST_MARKS)) {
    const block = blocks.findLastIndex(({ start }) => start <= mark.start);
    if (block < 0) continue;
    const { start, end } = blocks[block]!;
    add({ block, at: start, kind: "line" });
    const sentences = [...content.slice(start, end).matchAll(SENTENCE_END)]
      .map(({ 0: mark, index }) => start + index + mark.length);
    const sentence = sentences.findLast((at) => at <= mark.start) ?? start;
    add({ block, at: sentence, kind: sentence === start ? "line" : "sentence" });
    const near = Math.max(start, mark.start - Math.floor(columns / 3));
    if (near > sentence) {
      const word = content.slice(near, mark.start).search(/(?<=\s)\S/);
      const at = word < 0 ? near : near + word;
      add({ block, at: characterAt(content, at), kind: "word" });
    }
  }
  if (starts.size === 0) add({ block: 0, at: blocks[0]!.start, kind: "line" });
  return [...starts.values()];
}

interface Weighed {
  readonly start: Start;
  readonly weight: number;
}

function isBetter(one: Weighed, other: Weighed): boolean {
  const kinds = ["line", "sentence", "word"];
  const rank = kinds.indexOf(one.start.kind) - kinds.indexOf(other.start.kind);
  if (Math.abs(one.weight - other.weight) > 1e-9) return one.weight > other.weight;
  return rank !== 0 ? rank < 0 : one.start.at < other.start.at;
}

function partFrom(
  { block, at, kind }: Start,
  { content, blocks, cells, isMarked, columns, count }: Passage,
): Part {
  const rows: Cell[][] = [];
  let end = at;
  for (let next = block; next < blocks.length && rows.length < count; next++) {
    const start = next === block ? at : blocks[next]!.start;
    // A heading alone at the end says nothing about what follows.
    if (next > block && rows.length === count - 1 && isPlainHeading(blocks[next]!, content, isMarked)) break;
    const lead: Cell[] = next === block && kind === "word"
      ? cellsOf("… ", { start: 0, end: 2, isMarked: () => false })
      : [];
    const all = cells[next]!();
    const wanted = next === block ? all.slice(all.findIndex(({ end }) => end > start)) : all;
    const room = count - rows.length;
    const wrapped = wrap([...lead, ...wanted], columns, room + 1);
    const shown = wrapped.slice(0, room);
    rows.push(...shown);
    end = shown.at(-1)?.at(-1)?.end ?? start;
    if (shown.length < wrapped.length) return { rows, end, isCut: true };
  }
  return { rows, end, isCut: false };
}

function isPlainHeading({ start, end }: Block, content: string, isMarked: (at: number) => boolean): boolean {
  if (!/^#{1,6}\s/.test(content.slice(start, end))) return false;
  for (let at = start; at < end; at++) if (isMarked(at)) return false;
  return true;
}

function withEllipsis(row: readonly Cell[], columns: number): Cell[] {
  const kept = widthOf(row) + 2 > columns ? wrap(row, columns - 2)[0]! : [...row];
  const end = kept.at(-1)?.end ?? 0;
  return [...kept, { text: " …", width: 2, isMarked: false, end }];
}

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => value ??= make();
}

/** A line or a paragraph of a passage, as offsets in UTF-16 units. */
interface Block {
  readonly start: number;
  readonly end: number;
}

/** Files whose texts are prose, where a line break within a paragraph means nothing. Documents are read as Markdown. */
const PROSE =
  /\.(?:md|markdown|mdx|txt|text|rst|adoc|org|tex|pdf|docx?|odt|rtf|html?|xhtml|mhtml|epub|eml|msg|mbox|pptx?)$/i;

/** Columns of a line that may have been broken because the next word did not fit. */
const BROKEN_FROM = 50;
/** Starts of lines that begin something new: lists, tables, headings, quotations, code. */
const NEW = /^(?:\s|[-*+•|#>=~]|\d+[.)、]|```)/;

/** The line before a block of code in Markdown. */
const FENCE = /^\s*(?:`{3,}|~{3,})\w*\s*$/;

/** The lines of a text, without their line ends. */
function linesOf(text: string): Block[] {
  const lines: Block[] = [];
  let start = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) {
    lines.push({ start, end: index });
    start = index + end.length;
  }
  lines.push({ start, end: text.length });
  return lines;
}

/** The lines of a passage that hold a letter or a digit. In prose, the lines of a paragraph are joined. */
function blocksOf({ content, filePath }: Pick<Hit, "content" | "filePath">): Block[] {
  const isProse = PROSE.test(filePath);
  const blocks: Block[] = [];
  let before = "";
  for (const { start, end } of linesOf(content)) {
    const line = content.slice(start, end);
    if (/[\p{L}\p{N}]/u.test(line) && !FENCE.test(line)) {
      const last = blocks.at(-1);
      if (isProse && last !== undefined && continues(before, line)) {
        blocks[blocks.length - 1] = { start: last.start, end };
      } else blocks.push({ start, end });
    }
    before = line;
  }
  return blocks;
}

function continues(before: string, line: string): boolean {
  return before.length >= BROKEN_FROM / (/^[^\p{ASCII}]/u.test(before.trim()) ? 2 : 1) && !NEW.test(line) &&
    !/^[|#]|\|$/.test(before.trim());
}

/** One character as a reader counts them, in the form that a terminal gets. */
export interface Cell {
  readonly text: string;
  /** Columns. */
  readonly width: number;
  readonly isMarked: boolean;
  /** Offset of its end in the text, in UTF-16 units. */
  readonly end: number;
}

/** Code points of a character at most: the longest emoji have ten, and hundreds of marks cover the rows around. */
const MOST_PARTS = 16;
/** Columns of a tab. It becomes spaces, since a tab stop would be counted from the edge of the terminal. */
const TAB = 4;
/** Characters that must not begin a row, and characters that must not end one. */
const CLOSING = /^[\p{Pe}\p{Pf}，。、；：？！…·,.;:!?%‰％~ー]/u;
const OPENING = /[\p{Ps}\p{Pi}]$/u;

/**
 * The cells of the text from `start` to `end`. Control characters become visible ones. A line break becomes a space, or
 * nothing between two wide characters.
 */
export function cellsOf(text: string, { start, end, isMarked }: Block & Pick<Passage, "isMarked">): Cell[] {
  const cells: Cell[] = [];
  let at = start;
  let isBroken = false;
  for (const character of characters(text.slice(start, end))) {
    const marked = isMarked(at);
    at += character.length;
    if (/^[\r\n]/.test(character)) {
      isBroken = true;
      continue;
    }
    if (isBroken && /^[ \t]$/.test(character)) continue;
    const shown = character === "\t" ? " ".repeat(TAB) : printableText(withFewMarks(character));
    const width = displayWidth(shown);
    const before = cells.at(-1);
    if (isBroken && before !== undefined && !(width === 2 && before.width === 2)) {
      cells.push({ text: " ", width: 1, isMarked: marked && before.isMarked, end: at - character.length });
    }
    isBroken = false;
    cells.push({ text: shown, width, isMarked: marked, end: at });
  }
  return cells;
}

/**
 * Breaks cells into rows of at most `columns`: at spaces, beside wide characters, and inside a word only if it is longer
 * than a row. There is always a row. Only the first `most` rows are made.
 */
export function wrap(cells: readonly Cell[], columns: number, most = Infinity): Cell[][] {
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let used = 0, breakAt = 0;
  for (const cell of cells) {
    if (row.length > 0 && mayBreak(row.at(-1)!, cell)) breakAt = row.length;
    while (used + cell.width > columns && row.length > 0) {
      const cut = breakAt > 0 ? breakAt : row.length;
      rows.push(withoutEndSpaces(row.slice(0, cut)));
      row = row.slice(cut);
      breakAt = 0;
      used = widthOf(row);
      if (rows.length === most) return rows;
    }
    // A space between two rows is not shown. Spaces at the start of the text are its indentation.
    if (row.length === 0 && rows.length > 0 && cell.text === " ") continue;
    row.push(cell);
    used += cell.width;
  }
  if (row.length > 0 || rows.length === 0) rows.push(withoutEndSpaces(row));
  return rows;
}

function withFewMarks(character: string): string {
  return character.length <= MOST_PARTS ? character : [...character].slice(0, MOST_PARTS).join("");
}

/** Columns of a row. */
export function widthOf(row: readonly Cell[]): number {
  return row.reduce((sum, { width }) => sum + width, 0);
}

function mayBreak(before: Cell, after: Cell): boolean {
  if (after.text === " " || before.text === " ") return true;
  return (before.width === 2 || after.width === 2) && !CLOSING.test(after.text) && !OPENING.test(before.text);
}

function withoutEndSpaces(row: Cell[]): Cell[] {
  return row.slice(0, row.findLastIndex(({ text }) => text.trim() !== "") + 1);
}
