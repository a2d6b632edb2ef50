import type { PageBlocks, TextBlock } from "./blocks.ts";
import { type Interval, isCaption, least, type TableBox, textOf } from "./lines.ts";

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
