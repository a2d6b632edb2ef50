import type { Block, PageBlocks, TextBlock } from "./blocks.ts";
import { looksLikeHeading } from "./heading_look.ts";
import { joinLines, toText } from "./join_lines.ts";
import { LEADERS } from "./leaders.ts";
import { piecesOf, textOf } from "./line_text.ts";
import { entriesByTitle, outlineLevel } from "./outline_titles.ts";
import { bodyStyle, keyOf, styleOf, type TextStyle } from "./text_style.ts";
import type { OutlineEntry } from "./types.ts";

const LONGEST = 200;
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
