import type { Block, PageBlocks, TextBlock } from "./blocks.ts";
import { isCaption } from "./captions.ts";
import { startsWithCjk } from "./clean_text.ts";
import { textOf } from "./line_text.ts";
import { listMarker } from "./list_marker.ts";

/** Blocks to look past between the two parts of a paragraph: labels of figures, captions, footnotes. */
const REACH = 8;
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
    for (let j = i + 1; j < Math.min(all.length, i + 1 + REACH); j++) {
      const { page: nextPage, block: next } = all[j]!;
      if (nextPage > page + 1) break;
      if (next.kind === "table" || gone.has(next)) continue;
      if (headings.has(next)) break;
      if (next.kind === "code") break;
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
