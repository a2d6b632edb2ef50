/**
 * Finds the headings of a PDF and their levels, by its bookmarks or by the look of short blocks.
 * Below it: how a heading looks, the style of the body text, and titles in the bookmarks.
 */
import type { Block, PageBlocks, TextBlock } from "./blocks.ts";
import {
  isCaption,
  joinLines,
  LEADERS,
  listMarker,
  type OutlineEntry,
  piecesOf,
  type Run,
  textOf,
  toText,
} from "./lines.ts";
import { kept } from "../types.ts";

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
  let count = 0;
  for (const block of blocks) {
    if (block.kind === "text") count += block.lines.filter((line) => LEADERS.test(textOf(line))).length;
  }
  return count >= 3;
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
  let all = 0, yes = 0;
  for (const { runs } of block.lines) {
    for (const { face, text } of runs) {
      all += text.length;
      if (face[key]) yes += text.length;
    }
  }
  return yes >= 0.9 * all;
}

/** The properties by which headings of different levels differ. */
interface TextStyle {
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
}

/** Returns the style of most characters. Those in tables count if there is little other text. */
function bodyStyle(pages: readonly PageBlocks[]): TextStyle {
  const text = new StyleCount(), tables = new StyleCount();
  for (const { blocks } of pages) {
    for (const block of blocks) {
      if (block.kind === "text") block.lines.forEach(({ runs }) => runs.forEach((run) => text.add(run)));
      else if (block.kind === "table") block.table.runs.forEach((run) => tables.add(run));
    }
  }
  // The cells at the head of rows and columns are bold.
  return text.characters < 0.3 * tables.characters ? tables.top(({ bold }) => !bold) : text.top();
}

class StyleCount {
  characters = 0;
  readonly #counts = new Map<string, { style: TextStyle; characters: number }>();

  add({ size, face, text }: Run): void {
    const style = styleOf({ size, face });
    kept(this.#counts, keyOf(style), () => ({ style, characters: 0 })).characters += text.length;
    this.characters += text.length;
  }

  top(counts: (style: TextStyle) => boolean = () => true): TextStyle {
    let best = { style: { size: 10, bold: false, italic: false }, characters: 0 };
    for (const count of this.#counts.values()) {
      if (count.characters > best.characters && counts(count.style)) best = count;
    }
    return best.style;
  }
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
