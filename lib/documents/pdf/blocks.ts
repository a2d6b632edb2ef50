/**
 * Divides a column into paragraphs, list items, code and tables, and joins paragraphs that continue in the next one.
 * Below it: heads of tables that go over several pages, and headings with their levels.
 */
import type { Column } from "./layout.ts";
import {
  count,
  type Face,
  type Interval,
  isCaption,
  isRightToLeft,
  joinLines,
  LEADERS,
  least,
  lengthOf,
  type Line,
  listMarker,
  most,
  type OutlineEntry,
  piecesOf,
  type Run,
  startsWithCjk,
  type TableBox,
  textOf,
  toText,
} from "./lines.ts";
import { kept } from "../types.ts";

/** Lines of one paragraph, list item, heading or piece of code. */
export interface TextBlock {
  readonly kind: "text" | "code";
  readonly lines: readonly Line[];
  /** Size and face of most of its characters. */
  readonly size: number;
  readonly face: Face;
  /** Distance from the baseline above, in font sizes. Infinite at the top of a column. */
  readonly gap: number;
  /** Edges of the column. */
  readonly column: Interval;
}

export type Block = TextBlock | { readonly kind: "table"; readonly table: TableBox };

/** The blocks of a page in reading order. */
export interface PageBlocks {
  /** Counted from 1. */
  readonly page: number;
  readonly blocks: readonly Block[];
}

/** Matches the end of a sentence, including closing quotation marks and brackets. */
const TERMINAL = /[.!?:;。！？：；…]["'”’»)\]）」』]*$/;

/** Divides a column into blocks. */
export function blocksOf(column: Column): Block[] {
  const lines = column.items.filter((item): item is Line => !("rows" in item));
  if (lines.length === 0) return column.items.map((table) => ({ kind: "table", table: table as TableBox }));
  const edges = edgesOf(lines);
  const leading = usualLeading(lines);
  const blocks: Block[] = [];
  let open: Line[] = [];
  let gap = Infinity;
  const close = () => {
    if (open.length > 0) blocks.push(textBlock(open, gap, edges));
    open = [];
  };
  let above: Line | undefined;
  for (const item of column.items) {
    if ("rows" in item) {
      close();
      blocks.push({ kind: "table", table: item });
      above = undefined;
      continue;
    }
    if (open.length === 0 || startsNew(open, item, leading, edges)) {
      close();
      gap = above === undefined ? Infinity : (item.baseline - above.baseline) / item.size;
    }
    open.push(item);
    above = item;
  }
  close();
  return blocks;
}

function textBlock(lines: readonly Line[], gap: number, column: Interval): TextBlock {
  const runs = runsOf(lines);
  const faces = new Map<Face, number>(), sizes = new Map<number, number>();
  for (const { face, size, text } of runs) {
    count(faces, face, text.length);
    count(sizes, size, text.length);
  }
  const kind = lengthOf(runs.filter(({ face }) => face.mono)) > 0.9 * lengthOf(runs) ? "code" : "text";
  return { kind, lines, size: most(sizes), face: most(faces), gap, column };
}

function runsOf(lines: readonly Line[]): Run[] {
  return lines.flatMap(({ runs }) => runs);
}

/** Returns the left and right edge of most of the text in a column. */
function edgesOf(lines: readonly Line[]): Interval {
  const lefts = lines.map(({ left }) => left).sort((a, b) => a - b);
  const rights = lines.map(({ right }) => right).sort((a, b) => a - b);
  return {
    left: lefts[Math.floor(lefts.length * 0.05)]!,
    right: rights[Math.ceil(rights.length * 0.9) - 1]!,
  };
}

/** Returns the smallest frequent distance of baselines, in font sizes. */
function usualLeading(lines: readonly Line[]): number {
  const counts = new Map<number, number>();
  let all = 0;
  for (let i = 1; i < lines.length; i++) {
    const apart = (lines[i]!.baseline - lines[i - 1]!.baseline) / lines[i]!.size;
    if (apart < 0.95 || apart > 2.6) continue;
    count(counts, Math.round(apart * 20) / 20);
    all++;
  }
  const common = [...counts].filter(([, often]) => often >= Math.max(2, 0.15 * all)).map(([key]) => key);
  return common.length === 0 ? 1.25 : Math.min(...common);
}

function startsNew(open: readonly Line[], line: Line, leading: number, edges: Interval): boolean {
  const last = open.at(-1)!, size = line.size;
  const apart = (line.baseline - last.baseline) / Math.min(size, last.size);
  if (apart > leading * 1.25 + 0.1 || apart < 0) return true;
  if (Math.abs(size - last.size) > 0.12 * size && !isMixed(line, last)) return true;
  const mono = isMono(line);
  if (mono !== isMono(last)) return true;
  if (mono) return false;
  if (line.face.bold !== last.face.bold && isWhole(line) && isWhole(last)) return true;
  const end = textOf(last), text = textOf(line);
  if (LEADERS.test(end)) return !LEADERS.test(text);
  if (LEADERS.test(text)) return false;
  const marker = listMarker(text);
  if (marker !== undefined && (marker.bullet || line.left <= open[0]!.left + 1.5 * size)) return true;
  if (isCentred(line, edges) && isCentred(last, edges)) return false;
  const rtl = isRightToLeft(line.runs);
  const start = rtl ? edges.right - line.right : line.left - edges.left;
  const before = rtl ? edges.right - last.right : last.left - edges.left;
  const rest = rtl ? last.left - edges.left : edges.right - last.right;
  // An indented first line.
  if (start - before > 0.8 * size && !(open.length === 1 && listMarker(textOf(open[0]!)) !== undefined)) {
    if (start - before < 5 * size && (TERMINAL.test(end) || rest > 2 * size)) return true;
  }
  // A line that sticks out to the left begins an entry, unless the line above is an indented first line.
  if (before - start > 0.8 * size && open.length > 1 && TERMINAL.test(end)) return true;
  // The next word would have fit: the line was ended on purpose.
  const word = startsWithCjk(text) ? 1 : Math.min(12, /^\S+/.exec(text)?.[0].length ?? 1) * 0.5;
  return rest > (word + 1.5) * size &&
    (TERMINAL.test(end) || rest > 0.45 * (edges.right - edges.left) && !/^\p{Ll}/u.test(text));
}

/** Returns whether a line contains runs of the size of the other line: a large initial, a small remark. */
function isMixed(a: Line, b: Line): boolean {
  return a.runs.some(({ size }) => Math.abs(size - b.size) < 0.3) ||
    b.runs.some(({ size }) => Math.abs(size - a.size) < 0.3);
}

/** Returns whether a line is centred in its column, with room on both sides. */
function isCentred({ left, right, size }: Line, edges: Interval): boolean {
  const before = left - edges.left, after = edges.right - right;
  return Math.min(before, after) > 2 * size && Math.abs(before - after) < 1.5 * size;
}

function isMono(line: Line): boolean {
  return line.runs.every(({ face }) => face.mono);
}

/** Returns whether a line has a single weight. */
function isWhole(line: Line): boolean {
  return line.runs.every(({ face }) => face.bold === line.face.bold);
}

/** Blocks to look past between the two parts of a paragraph: labels of figures, captions, footnotes. */
const BLOCKS_PASSED = 8;
const ENDED = /[.!?:;。！？：；…]["'”’»)\]）」』\d]*$/;

/**
 * Joins paragraphs that continue in the next column, on the next page, or after a figure or footnote. The first part ends in
 * the middle of a sentence at the edge of its column. The second part begins in lower case, or continues in Chinese.
 */
export function joinContinuations(
  pages: readonly PageBlocks[],
  headings: ReadonlyMap<TextBlock, number>,
): PageBlocks[] {
  const all = pages.flatMap(({ page, blocks }) => blocks.map((block) => ({ page, block })));
  const joined = new Map<Block, TextBlock>();
  const gone = new Set<Block>();
  // From the end, so that a paragraph of several parts is joined as a whole.
  for (let i = all.length - 1; i >= 0; i--) {
    const { page, block } = all[i]!;
    if (block.kind !== "text" || headings.has(block) || !isOpen(block)) continue;
    for (let j = i + 1; j < Math.min(all.length, i + 1 + BLOCKS_PASSED); j++) {
      const { page: nextPage, block: next } = all[j]!;
      if (nextPage > page + 1) break;
      if (next.kind === "table" || gone.has(next)) continue;
      if (headings.has(next) || next.kind === "code") break;
      if (next.size < 0.95 * block.size || isCaption(textOf(next.lines[0]!))) continue;
      if ((j > i + 1 || next.gap === Infinity) && goesOn(block, next)) {
        joined.set(block, { ...block, lines: [...block.lines, ...(joined.get(next) ?? next).lines] });
        gone.add(next);
      }
      break;
    }
  }
  return pages.map(({ page, blocks }) => ({
    page,
    blocks: blocks.filter((block) => !gone.has(block)).map((block) => joined.get(block) ?? block),
  }));
}

/** Returns whether a block ends in the middle of a sentence, at the edge of its column. */
function isOpen({ lines, column, size }: TextBlock): boolean {
  const last = lines.at(-1)!;
  const text = textOf(last);
  if (ENDED.test(text)) return false;
  const rest = Math.min(
    column.right - last.right,
    lines.length > 1 ? Infinity : last.left - column.left + 99,
  );
  return /[-\u00AD\u2010]$/.test(text) || rest < Math.max(2 * size, 0.12 * (column.right - column.left)) ||
    last.left - column.left < 0.5 * size && rest < 4 * size;
}

function goesOn(block: TextBlock, next: TextBlock): boolean {
  if (Math.abs(block.size - next.size) > 0.5 || block.face.bold !== next.face.bold) return false;
  const text = textOf(next.lines[0]!);
  if (listMarker(text) !== undefined) return false;
  if (/^[\p{Ll}]/u.test(text)) return true;
  if (/[-\u00AD\u2010]$/.test(textOf(block.lines.at(-1)!))) return /^\p{L}/u.test(text);
  // Arabic and Hebrew have no capitals.
  if (/^[\u0590-\u08FF]/.test(text)) return next.lines.length > 1;
  return startsWithCjk(text) && next.lines[0]!.left - next.column.left < next.size && next.lines.length > 1;
}

/** Most short lines, such as footers that were not recognised, between a table and the edge of its page. */
const MOST_BETWEEN = 2;
const LONGEST_BETWEEN = 60;
/** Longest name of a column. */
const LONGEST_NAME = 40;
/** Largest distance, in points, of the edges of a column on two pages. */
const NEAR = 3;
/** Words that mark a head or a caption as that of a later part. */
const CONTINUED = /[(（[]?\s*(?:continued|cont['’]?d?\.?|fortsetzung|suite|续|續)\s*[)）\]]?\s*$/i;

/**
 * Gives each part of a table that goes over several pages the head of the first part, unless it repeats that head itself. Otherwise its
 * first row of data would be the head of its columns.
 */
export function withHeads(
  pages: readonly PageBlocks[],
  headings: ReadonlyMap<TextBlock, number>,
): PageBlocks[] {
  let above: { readonly page: number; readonly table: TableBox } | undefined;
  return pages.map(({ page, blocks }) => {
    const first = atEdge(blocks, headings);
    const known = above;
    if (first >= 0 && known?.page === page - 1) {
      blocks = blocks.map((block, i) =>
        i === first && block.kind === "table"
          ? { ...block, table: withHead(block.table, known.table) ?? block.table }
          : block
      );
    }
    const last = atEdge(blocks.toReversed(), headings);
    const block = last < 0 ? undefined : blocks[blocks.length - 1 - last]!;
    above = block?.kind === "table" ? { page, table: block.table } : undefined;
    return { page, blocks };
  });
}

/** Index of the table that begins a page, perhaps after short lines; -1 if it begins with other text. */
function atEdge(blocks: PageBlocks["blocks"], headings: ReadonlyMap<TextBlock, number>): number {
  const at = blocks.findIndex((block) => block.kind === "table");
  const isFree = at <= MOST_BETWEEN && blocks.slice(0, Math.max(0, at)).every((block) => {
    if (block.kind !== "text" || block.lines.length > 1) return false;
    const text = textOf(block.lines[0]!);
    if (CONTINUED.test(text)) return true;
    return !headings.has(block) && !isCaption(text) && text.length <= LONGEST_BETWEEN;
  });
  return isFree ? at : -1;
}

/** The table `part` with the head of the table `above` it; `undefined` if it is another table, or has that head. */
function withHead(part: TableBox, above: TableBox): TableBox | undefined {
  const places = placesOf(part.columns, above.columns);
  if (places === undefined) return undefined;
  const head = places.map((at) => above.rows[0]![at] ?? "");
  if (part.rows[0]!.every((cell, i) => isSame(cell, head[i]!))) return undefined;
  // A row of one text over all columns is a title.
  if ([head, part.rows[0]!].some((row) => row.every((cell) => isSame(cell, row[0]!)))) return undefined;
  const body = [...above.rows.slice(1).map((row) => places.map((at) => row[at] ?? "")), ...part.rows];
  const isHead = isClearHead(head, body) || isBold(above) || head.every(isName) && isDistinct(head, body);
  if (!isHead || isClearHead(part.rows[0]!, part.rows.slice(1)) || isBold(part)) return undefined;
  return { ...part, rows: [head, ...part.rows] };
}

/** For each column the one at the same place in the other table; `undefined` if there is none, or if they are out of order. */
function placesOf(columns: readonly Interval[], others: readonly Interval[]): number[] | undefined {
  const places = columns.map((column) => others.findIndex((other) => isAligned(column, other)));
  const isInOrder = places.every((at, i) => at >= 0 && (i === 0 || at > places[i - 1]!));
  return isInOrder && 2 * places.length > others.length ? places : undefined;
}

/** Whether two columns have the same left edge, right edge or centre. */
function isAligned(a: Interval, b: Interval): boolean {
  if (Math.min(a.right, b.right) <= Math.max(a.left, b.left)) return false;
  return Math.abs(a.left - b.left) <= NEAR || Math.abs(a.right - b.right) <= NEAR ||
    Math.abs(a.left + a.right - b.left - b.right) <= 2 * NEAR;
}

/** Whether a row has names above a column of numbers, or no name above the first column alone. */
function isClearHead(row: readonly string[], body: readonly (readonly string[])[]): boolean {
  if (row[0] === "" && row.slice(1).every((cell) => cell !== "") && body.some((one) => one[0] !== "")) {
    return true;
  }
  if (row.some((cell) => /\d/.test(cell))) return false;
  return row.some((name, i) => {
    const cells = body.map((one) => one[i] ?? "").filter((cell) => cell !== "");
    return name !== "" && cells.length > 0 &&
      cells.filter((cell) => /\d/.test(cell)).length > 0.6 * cells.length;
  });
}

/** Whether the first line of a table is bold, and most of the others are not. */
function isBold({ runs }: TableBox): boolean {
  const top = least(runs.map(({ baseline }) => baseline));
  const isFirst = (baseline: number) => baseline < top + 2;
  const others = runs.filter(({ baseline }) => !isFirst(baseline));
  return runs.every(({ baseline, face }) => !isFirst(baseline) || face.bold) && others.length > 0 &&
    others.filter(({ face }) => face.bold).length < 0.5 * others.length;
}

function isName(cell: string): boolean {
  return cell !== "" && cell.length <= LONGEST_NAME && !/\d/.test(cell);
}

/** Whether no cell of a row occurs again in its column. */
function isDistinct(row: readonly string[], body: readonly (readonly string[])[]): boolean {
  return row.every((cell, i) => body.every((one) => !isSame(one[i] ?? "", cell)));
}

function isSame(a: string, b: string): boolean {
  const plain = (cell: string) => cell.replace(CONTINUED, "").replace(/\s+/g, "").toLowerCase();
  return plain(a) === plain(b);
}

const LONGEST_HEADING = 200;
/** An outline with fewer headings on the pages is incomplete. */
const SKETCH = 5;
/**
 * Returns the headings of a document with their levels, counted from 1. Lines named in the outline are headings at its
 * levels, and so are lines with the same look. Without an outline, headings are short blocks that are larger than the body,
 * or bold, italic or in capitals while the body is not. Larger headings have outer levels.
 */
export function headingsOf(
  pages: readonly PageBlocks[],
  outline: readonly OutlineEntry[],
): Map<TextBlock, number> {
  const body = bodyStyle(pages);
  const named = new Map<TextBlock, number>();
  const looks = new Map<TextBlock, TextStyle>();
  const byTitle = entriesByTitle(outline);
  for (const { page, blocks } of pages) {
    const isContents = hasLeaders(blocks);
    blocks.forEach((block, i) => {
      if (block.kind === "table") return;
      const text = blockText(block);
      if (text === "" || text.length > LONGEST_HEADING || isContents && /(?:\d|[ivxl])$/.test(text)) return;
      const level = outlineLevel(text, page, byTitle);
      if (level !== undefined && block.lines.length <= 4) {
        named.set(block, level);
        return;
      }
      if (block.kind === "text" && looksLikeHeading(block, text, blocks[i - 1], blocks[i + 1], body)) {
        looks.set(block, styleOf(block));
      }
    });
  }
  return levels(named, looks);
}

/** Returns whether a page belongs to a table of contents. Entries of chapters often have no dots. */
function hasLeaders(blocks: readonly Block[]): boolean {
  const lines = blocks.flatMap((block) => block.kind === "text" ? block.lines : []);
  return lines.filter((line) => LEADERS.test(textOf(line))).length >= 3;
}

/**
 * Returns the levels of headings: those of the outline. For others the level of an outline heading with the same look, or
 * else the order of looks.
 */
function levels(
  named: ReadonlyMap<TextBlock, number>,
  looks: ReadonlyMap<TextBlock, TextStyle>,
): Map<TextBlock, number> {
  const known = new Map<string, number>();
  for (const [block, level] of named) {
    const key = keyOf(styleOf(block));
    known.set(key, Math.max(known.get(key) ?? 0, level));
  }
  const styles = new Map<string, TextStyle>();
  for (const style of looks.values()) styles.set(keyOf(style), style);
  const order = [...styles.values()].sort((a, b) =>
    b.size - a.size || Number(b.bold) - Number(a.bold) || Number(a.italic) - Number(b.italic)
  );
  const result = new Map(named);
  const deepest = Math.max(0, ...named.values());
  const largest = Math.max(0, ...[...named.keys()].map(({ size }) => size));
  const ranks = new Map(order.map((style, i) => [keyOf(style), i + 1]));
  for (const [block, style] of looks) {
    const like = known.get(keyOf(style));
    if (named.size === 0) result.set(block, Math.min(6, ranks.get(keyOf(style))!));
    else if (like !== undefined) result.set(block, like);
    // A complete outline names all headings, so a line with another look is a heading only if the outline is incomplete.
    else if (style.size > largest + 0.5) result.set(block, 1);
    else if (named.size < SKETCH) result.set(block, Math.min(6, deepest + 1));
  }
  return result;
}

/** Returns the text of a block on one line. */
export function blockText(block: TextBlock): string {
  return toText(joinLines(block.lines.map(piecesOf)));
}

/** Matches a number or letter at the start of a heading. */
const NUMBERED =
  /^(?:(?:chapter|appendix|part|section|annex)\s+[\dA-Z]+\b|\d{1,2}(?:\.\d{1,3}){0,5}\.?\s+\S|[A-Z](?:\.\d{1,3})+\.?\s|[IVX]{1,5}\.\s|第\s*[\d一二三四五六七八九十百零]+\s*[章节節篇部条編编]|[一二三四五六七八九十]{1,3}[、.．]|附录)/i;

/** Matches the label of a chapter on a line by itself. Its title is the heading. */
const CHAPTER_LABEL =
  /^(?:(?:chapter|part|appendix|section|kapitel|chapitre)(?:\s+(?:\d+|[ivxlc]+|[a-z]))?|\d+|[ivxlc]+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|第\s*[\d一二三四五六七八九十百]+\s*[章部编編篇])$/i;

/** Returns whether a block looks like a heading, compared with the body text and the blocks around it. */
function looksLikeHeading(
  block: TextBlock,
  text: string,
  before: Block | undefined,
  after: Block | undefined,
  body: TextStyle,
): boolean {
  if (block.lines.length > 3 || !/\p{L}{2}|\p{Script=Han}/u.test(text) || isCaption(text)) return false;
  if (/[。；]/.test(text.slice(0, -1)) || /[.。,，;；]$/.test(text)) return false;
  if (LEADERS.test(text)) return false;
  if (CHAPTER_LABEL.test(text)) return false;
  const style = styleOf(block);
  const numbered = NUMBERED.test(text);
  const marker = listMarker(text);
  if (marker?.bullet) return false;
  const isFollowed = after !== undefined;
  const larger = style.size / body.size;
  if (/[:：]$/.test(text) && larger < 1.15 && !numbered) return false;
  if (larger >= 1.15) return text.length <= 150;
  if (larger < 0.85 || !isFollowed) return false;
  const line = block.lines[0]!;
  const isShort = line.right - line.left < 0.85 * (block.column.right - block.column.left);
  const hasEnded = before?.kind === "text" && /[.!?:。！？：]["”’)）]?$/.test(textOf(before.lines.at(-1)!));
  const apart = block.gap > 1.35 || before === undefined || before.kind !== "text" ||
    before.size > block.size * 1.1 ||
    isShort && hasEnded;
  const strong = style.bold && !body.bold && isMostly(block, "bold");
  if (strong && block.lines.length <= 2) return apart || numbered;
  if (larger < 0.92 && !style.italic) return false;
  if (larger >= 1.08 && apart && block.lines.length <= 2) return true;
  const alone = block.lines.length === 1 && text.length <= 70 && apart && after.kind === "text";
  if (style.italic && !body.italic && isMostly(block, "italic") && alone) {
    return /^[\p{Lu}\d\p{Lo}]/u.test(text);
  }
  return alone && /^[^\p{Ll}]*$/u.test(text) && /\p{Lu}{4}/u.test(text);
}

/** Returns whether at least nine tenths of the characters are bold or italic. */
function isMostly(block: TextBlock, key: "bold" | "italic"): boolean {
  const runs = runsOf(block.lines);
  return lengthOf(runs.filter(({ face }) => face[key])) >= 0.9 * lengthOf(runs);
}

/** The properties by which headings of different levels differ. */
interface TextStyle {
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
}

/** Returns the style of most characters. Those in tables count if there is little other text. */
function bodyStyle(pages: readonly PageBlocks[]): TextStyle {
  const all = pages.flatMap(({ blocks }) => blocks);
  const text = all.flatMap((block) => block.kind === "text" ? runsOf(block.lines) : []);
  const tables = all.flatMap((block) => block.kind === "table" ? block.table.runs : []);
  // The cells at the head of rows and columns are bold.
  return lengthOf(text) < 0.3 * lengthOf(tables) ? usualStyle(tables, ({ bold }) => !bold) : usualStyle(text);
}

/** Returns the style of most characters, of those styles that count. */
function usualStyle(runs: readonly Run[], counts: (style: TextStyle) => boolean = () => true): TextStyle {
  const byKey = new Map<string, { readonly style: TextStyle; characters: number }>();
  for (const run of runs) {
    const style = styleOf(run);
    kept(byKey, keyOf(style), () => ({ style, characters: 0 })).characters += run.text.length;
  }
  let best = { style: { size: 10, bold: false, italic: false }, characters: 0 };
  for (const one of byKey.values()) if (one.characters > best.characters && counts(one.style)) best = one;
  return best.style;
}

function styleOf({ size, face }: Pick<Run, "size" | "face">): TextStyle {
  return { size: Math.round(size * 2) / 2, bold: face.bold, italic: face.italic };
}

/** Returns a key that is the same for equal styles. */
function keyOf({ size, bold, italic }: TextStyle): string {
  return `${size} ${bold} ${italic}`;
}

/** Returns a title without the parts that files write differently: blanks, punctuation, case, the number before it. */
function plainTitle(title: string): string {
  return lettersOf(
    title.normalize("NFKC").toLowerCase().replace(
      /^(?:chapter|appendix|part|section)?\s*[\divxa-z]{0,3}(?:\.\d+)*[.:]?\s+(?=\S)/,
      "",
    ),
  );
}

/** Returns a title without blanks, punctuation and case. */
function lettersOf(title: string): string {
  return title.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Returns the entries of an outline by title, with and without the number before it. */
function entriesByTitle(outline: readonly OutlineEntry[]): Map<string, OutlineEntry[]> {
  const titled = outline.flatMap((entry) =>
    Array.from(new Set([plainTitle(entry.title), lettersOf(entry.title)]), (key) => ({ key, ...entry }))
  );
  return Map.groupBy(titled.filter(({ key }) => key !== ""), ({ key }) => key);
}

/** Returns the level of the outline entry that names a text on a page, if there is one. */
function outlineLevel(
  text: string,
  page: number,
  byTitle: ReadonlyMap<string, readonly OutlineEntry[]>,
): number | undefined {
  for (const key of [lettersOf(text), plainTitle(text)]) {
    const found = byTitle.get(key)?.find((entry) =>
      entry.page === undefined || Math.abs(entry.page - page) <= 1
    );
    if (found !== undefined) return found.level;
  }
  return undefined;
}
