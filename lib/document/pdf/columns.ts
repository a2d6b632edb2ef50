import { least } from "./least.ts";
import { textOf } from "./line_text.ts";
import { boundsOf, rowsOf } from "./lines.ts";
import { BARE_BULLET, listMarker } from "./list_marker.ts";
import type { Box, Line, TableBox } from "./types.ts";

/** A unit of the reading order: a line or a whole table. */
export type Item = Line | TableBox;

/** Items in reading order from top to bottom. */
export interface Column extends Box {
  readonly items: readonly Item[];
}

/** Deepest recursion. Columns side by side take one cut each. */
const DEEPEST = 12;
/** Positions of a cut that are tried, the most frequent first. */
const CANDIDATES = 24;

/**
 * Returns the items of a page in reading order, as columns. The page is cut at the vertical gap that divides most lines.
 * Items that cross the gap, such as headings and wide figures, divide it from top to bottom. Both halves are cut in the same
 * way: a recursive X-Y cut (Nagy and Seth, 1984) whose cuts may end at a box, as in Breuel's layout by whitespace (2002).
 *
 * ```text
 * +---------------------+
 * |  heading            |   crosses the gap: a separate band
 * +----------+----------+
 * | column 1 | column 2 |   divided by the gap: left, then right
 * +----------+----------+
 * |  wide figure        |
 * +---------------------+
 * ```
 */
export function columnsOf(items: readonly Item[], rightToLeft = false): Column[] {
  const groups = split(items, rightToLeft, 0);
  return groups.filter((group) => group.length > 0).map((group) => ({ ...boundsOf(group), items: group }));
}

function split(items: readonly Item[], rightToLeft: boolean, depth: number): Item[][] {
  if (items.length < 4 || depth > DEEPEST) return [byTop(items)];
  const gutter = bestGutter(items);
  if (gutter === undefined) return [byTop(items)];
  const groups: Item[][] = [];
  let single: Item[] = [];
  const endSingle = () => {
    if (single.length > 0) groups.push(byTop(single));
    single = [];
  };
  for (const band of bandsOf(items, gutter)) {
    if (!band.divided) {
      single.push(...band.items);
      continue;
    }
    const left: Item[] = [], right: Item[] = [];
    for (const item of band.items) (item.left >= gutter.right - 1 ? right : left).push(item);
    // The short last line of a paragraph above stands above both columns.
    const top = least((left.length < right.length ? left : right).map((item) => item.top));
    for (const side of [left, right]) {
      for (const item of byTop(side)) {
        if (item.bottom > top + 1 || !goesOn(single.at(-1), item)) break;
        single.push(item);
        side.splice(side.indexOf(item), 1);
      }
    }
    endSingle();
    if (left.length === 0 || right.length === 0) {
      single.push(...left, ...right);
      continue;
    }
    const sides = rightToLeft ? [right, left] : [left, right];
    for (const side of sides) groups.push(...split(side, rightToLeft, depth + 1));
  }
  endSingle();
  return groups;
}

/** Returns whether a line continues the paragraph that ends in `last`. */
function goesOn(last: Item | undefined, item: Item): boolean {
  if (last === undefined || "rows" in last || "rows" in item) return false;
  return Math.abs(last.size - item.size) < 0.5 && item.baseline - last.baseline < 1.6 * item.size &&
    item.baseline > last.baseline;
}

interface Gutter {
  readonly left: number;
  readonly right: number;
}

interface Band {
  readonly items: Item[];
  /** Whether the band has columns on both sides of the gutter. */
  readonly divided: boolean;
}

/** Returns the parts of a page from top to bottom, divided by the gutter or not. */
function bandsOf(items: readonly Item[], gutter: Gutter): Band[] {
  const bands: Band[] = [];
  let open: Item[] = [];
  const close = () => {
    if (open.length > 0) bands.push({ items: open, divided: isDivided(open, gutter) });
    open = [];
  };
  for (const item of byTop(items)) {
    if (crosses(item, gutter)) {
      close();
      bands.push({ items: [item], divided: false });
    } else open.push(item);
  }
  close();
  return bands;
}

function crosses(item: Item, { left, right }: Gutter): boolean {
  return item.left < right - 1 && item.right > left + 1;
}

/** Returns the gutter that divides most lines, if there is one. */
function bestGutter(items: readonly Item[]): Gutter | undefined {
  const size = median(items.map((item) => "rows" in item ? 10 : item.size));
  const lefts = new Map<number, number>();
  for (const { left } of items) lefts.set(Math.round(left), (lefts.get(Math.round(left)) ?? 0) + 1);
  const candidates = [...lefts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1]).slice(
    0,
    CANDIDATES,
  );
  const start = least(items.map(({ left }) => left));
  let best: Gutter | undefined, most = 0;
  for (const [edge] of candidates) {
    if (edge < start + 6 * size) continue;
    const gutter = { left: edge - 1 - Math.max(5, 0.7 * size), right: edge - 0.5 };
    const divided = bandsOf(items, gutter).filter((band) => band.divided);
    const count = divided.reduce((sum, band) => sum + band.items.length, 0);
    if (count > most) [best, most] = [gutter, count];
  }
  return best;
}

/**
 * Returns whether the items on both sides of a gutter are columns of text, rather than columns of a table or list markers.
 */
function isDivided(items: readonly Item[], gutter: Gutter): boolean {
  const left: Item[] = [], right: Item[] = [];
  for (const item of items) (item.left >= gutter.right - 1 ? right : left).push(item);
  if (left.length < 1 || right.length < 1 || left.length + right.length < 4) return false;
  const [a, b] = [boundsOf(left), boundsOf(right)];
  const size = median(items.map((item) => "rows" in item ? 10 : item.size));
  const areLists = isList(left) && isList(right);
  if (Math.min(a.right - a.left, b.right - b.left) < 7 * size && !areLists) return false;
  // They are side by side, not one below the other.
  const beside = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (beside < 1.5 * size) return false;
  if (areLists) return true;
  const fewer = Math.min(left.length, right.length);
  const switches = switchesBetween(left, right);
  const filled = Math.min(fill(left, a), fill(right, b));
  if (fewer >= 3 && switches <= Math.max(2, 0.25 * fewer)) {
    return filled > 0.35 || switches <= 2 && filled > 0.2;
  }
  // The file draws all of one side, then all of the other.
  if (fewer > 1 && switches === 1) return true;
  if (fewer < 3) return switches <= 2 && Math.max(left.length, right.length) >= 4 && filled > 0.4;
  // The file draws line by line across both sides.
  return filled > 0.72 && Math.min(a.right - a.left, b.right - b.left) > 14 * size;
}

/** Returns whether most of the items are list items or their bullets. */
function isList(items: readonly Item[]): boolean {
  const rows = rowsOf(items.filter((item): item is Line => !("rows" in item)));
  if (rows.length < 3) return false;
  const marked = rows.filter((row) => {
    const text = textOf(row.reduce((a, b) => b.left < a.left ? b : a));
    return BARE_BULLET.test(text) || listMarker(text) !== undefined;
  });
  return marked.length >= 0.6 * rows.length;
}

/** Returns how often the order of the file changes from one side to the other: once for columns, at every row for tables. */
function switchesBetween(left: readonly Item[], right: readonly Item[]): number {
  const sides = [
    ...left.map(({ order }) => ({ order, side: 0 })),
    ...right.map(({ order }) => ({ order, side: 1 })),
  ];
  sides.sort((x, y) => x.order - y.order);
  let switches = 0;
  for (let i = 1; i < sides.length; i++) if (sides[i]!.side !== sides[i - 1]!.side) switches++;
  return switches;
}

/** Returns the share of the column's width that its lines fill on average. */
function fill(items: readonly Item[], { left, right }: Box): number {
  const width = right - left;
  return items.reduce((sum, item) => sum + (item.right - item.left) / width, 0) / items.length;
}

function byTop(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => a.top - b.top || a.left - b.left);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
