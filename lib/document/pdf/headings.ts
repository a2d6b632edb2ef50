import type { Block, TextBlock } from "./blocks.ts";
import { joinLines, toText } from "./join_lines.ts";
import { piecesOf, textOf } from "./line_text.ts";
import { isCaption } from "./captions.ts";
import { LEADERS } from "./leaders.ts";
import { listMarker } from "./list_marker.ts";
import type { OutlineEntry, Run } from "./types.ts";

/** A page's blocks, in reading order. */
export interface PageBlocks {
  /** Counted from 1. */
  readonly page: number;
  readonly blocks: readonly Block[];
}

const LONGEST = 200;
/** An outline with fewer headings on the pages says little. */
const SKETCH = 5;
const NUMBERED =
  /^(?:(?:chapter|appendix|part|section|annex)\s+[\dA-Z]+\b|\d{1,2}(?:\.\d{1,3}){0,5}\.?\s+\S|[A-Z](?:\.\d{1,3})+\.?\s|[IVX]{1,5}\.\s|第\s*[\d一二三四五六七八九十百零]+\s*[章节節篇部条編编]|[一二三四五六七八九十]{1,3}[、.．]|附录)/i;

/** The label of a chapter by itself; its title is the heading. */
const LABEL =
  /^(?:(?:chapter|part|appendix|section|kapitel|chapitre)(?:\s+(?:\d+|[ivxlc]+|[a-z]))?|\d+|[ivxlc]+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|第\s*[\d一二三四五六七八九十百]+\s*[章部编編篇])$/i;

/** The features that tell one kind of heading from another. */
interface Style {
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
}

/**
 * The headings of a document with their levels, 1 the outermost. Lines that the outline names are headings, at its
 * levels, and so are lines that look like these. Otherwise headings are short blocks of their own that are larger than
 * the body, or bold, italic or in capitals while the body is not; larger ones are further out.
 */
export function headingsOf(
  pages: readonly PageBlocks[],
  outline: readonly OutlineEntry[],
): Map<TextBlock, number> {
  const body = bodyStyle(pages);
  const named = new Map<TextBlock, number>();
  const looks = new Map<TextBlock, Style>();
  const byTitle = entriesByTitle(outline);
  for (const { page, blocks } of pages) {
    const isContents = hasLeaders(blocks);
    blocks.forEach((block, i) => {
      if (block.kind === "table") return;
      const text = blockText(block);
      if (text === "" || text.length > LONGEST || isContents && /(?:\d|[ivxl])$/.test(text)) return;
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

/** Whether a page belongs to a table of contents: entries of chapters often have no dots. */
function hasLeaders(blocks: readonly Block[]): boolean {
  let count = 0;
  for (const block of blocks) {
    if (block.kind === "text") count += block.lines.filter((line) => LEADERS.test(textOf(line))).length;
  }
  return count >= 3;
}

/** Style of most of the characters; those in tables count where there is little else. */
function bodyStyle(pages: readonly PageBlocks[]): Style {
  const text = new StyleCount(), tables = new StyleCount();
  for (const { blocks } of pages) {
    for (const block of blocks) {
      if (block.kind === "text") block.lines.forEach(({ runs }) => runs.forEach((run) => text.add(run)));
      else if (block.kind === "table") block.table.runs.forEach((run) => tables.add(run));
    }
  }
  // the cells that head rows and columns are bold
  return text.characters < 0.3 * tables.characters ? tables.top(({ bold }) => !bold) : text.top();
}

class StyleCount {
  characters = 0;
  readonly #counts = new Map<string, { style: Style; characters: number }>();

  add({ size, face, text }: Run): void {
    const style = { size: round(size), bold: face.bold, italic: face.italic };
    const key = keyOf(style);
    let count = this.#counts.get(key);
    if (count === undefined) this.#counts.set(key, count = { style, characters: 0 });
    count.characters += text.length;
    this.characters += text.length;
  }

  top(counts: (style: Style) => boolean = () => true): Style {
    let best = { style: { size: 10, bold: false, italic: false }, characters: 0 };
    for (const count of this.#counts.values()) {
      if (count.characters > best.characters && counts(count.style)) best = count;
    }
    return best.style;
  }
}

function styleOf(block: TextBlock): Style {
  return { size: round(block.size), bold: block.face.bold, italic: block.face.italic };
}

function looksLikeHeading(
  block: TextBlock,
  text: string,
  before: Block | undefined,
  after: Block | undefined,
  body: Style,
): boolean {
  if (block.lines.length > 3 || !/\p{L}{2}|\p{Script=Han}/u.test(text) || isCaption(text)) return false;
  if (/[。；]/.test(text.slice(0, -1)) || /[.。,，;；]$/.test(text)) return false;
  if (LEADERS.test(text)) return false;
  if (LABEL.test(text)) return false;
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
  const strong = style.bold && !body.bold && isAll(block, (bold) => bold, "bold");
  if (strong && block.lines.length <= 2) return apart || numbered;
  if (larger < 0.92 && !style.italic) return false;
  if (larger >= 1.08 && apart && block.lines.length <= 2) return true;
  const alone = block.lines.length === 1 && text.length <= 70 && apart && after.kind === "text";
  if (style.italic && !body.italic && isAll(block, (italic) => italic, "italic") && alone) {
    return /^[\p{Lu}\d\p{Lo}]/u.test(text);
  }
  if (alone && /^[^\p{Ll}]*$/u.test(text) && /\p{Lu}{4}/u.test(text)) return true;
  return false;
}

function isAll(block: TextBlock, holds: (value: boolean) => boolean, key: "bold" | "italic"): boolean {
  let all = 0, yes = 0;
  for (const { runs } of block.lines) {
    for (const { face, text } of runs) {
      all += text.length;
      if (holds(face[key])) yes += text.length;
    }
  }
  return yes >= 0.9 * all;
}

/** Levels of headings: the outline's own, and for others that of the outline's headings of the same look, else by order of looks. */
function levels(
  named: ReadonlyMap<TextBlock, number>,
  looks: ReadonlyMap<TextBlock, Style>,
): Map<TextBlock, number> {
  const known = new Map<string, number>();
  for (const [block, level] of named) {
    const key = keyOf(styleOf(block));
    known.set(key, Math.max(known.get(key) ?? 0, level));
  }
  const styles = new Map<string, Style>();
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
    // the outline of a document names its headings: what looks unlike them is one only where the outline is a sketch
    else if (style.size > largest + 0.5) result.set(block, 1);
    else if (named.size < SKETCH) result.set(block, Math.min(6, deepest + 1));
  }
  return result;
}

function keyOf({ size, bold, italic }: Style): string {
  return `${size} ${bold} ${italic}`;
}

function round(size: number): number {
  return Math.round(size * 2) / 2;
}

export function blockText(block: TextBlock): string {
  return toText(joinLines(block.lines.map(piecesOf)));
}

interface Wanted {
  readonly level: number;
  readonly page: number | undefined;
}

/** A title without what files write differently: blanks, punctuation, case, the number before it. */
function plain(title: string): string {
  return title.normalize("NFKC").toLowerCase().replace(
    /^(?:chapter|appendix|part|section)?\s*[\divxa-z]{0,3}(?:\.\d+)*[.:]?\s+(?=\S)/,
    "",
  ).replace(/[^\p{L}\p{N}]+/gu, "");
}

function entriesByTitle(outline: readonly OutlineEntry[]): Map<string, Wanted[]> {
  const byTitle = new Map<string, Wanted[]>();
  for (const { title, level, page } of outline) {
    for (
      const key of new Set([
        plain(title),
        title.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ""),
      ])
    ) {
      if (key === "") continue;
      byTitle.set(key, [...(byTitle.get(key) ?? []), { level, page }]);
    }
  }
  return byTitle;
}

/** The level of the outline's entry that a text is the heading of. */
function outlineLevel(
  text: string,
  page: number,
  byTitle: ReadonlyMap<string, readonly Wanted[]>,
): number | undefined {
  if (byTitle.size === 0) return undefined;
  for (const key of [text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ""), plain(text)]) {
    const found = byTitle.get(key)?.find((entry) =>
      entry.page === undefined || Math.abs(entry.page - page) <= 1
    );
    if (found !== undefined) return found.level;
  }
  return undefined;
}
