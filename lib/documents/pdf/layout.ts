/**
 * Divides a page: removes running heads and page numbers, then finds tables and columns in reading order.
 * The columns are found by cutting the page at the gaps that divide most lines.
 */
import {
  BARE_BULLET,
  boundsOf,
  type Box,
  type Interval,
  isRightToLeft,
  least,
  type Line,
  lineOf,
  linesOf,
  listMarker,
  type PageContent,
  type PageLayer,
  rowsOf,
  type Run,
  type TableBox,
  textOf,
} from "./lines.ts";
import { alignedTables, type Grid, gridsOf, tableIn } from "./tables.ts";

/** Share of the page height, at top and bottom, that may contain running heads. */
const MARGIN = 0.14;
/** Lines from the edge that are examined. */
const LINES_DEEP = 3;
/** Share of the page height, beyond the margin, in which the rows next to those lines are. */
const BEYOND = 0.1;
/** Distance of baselines, in font sizes, beyond which two rows belong to different tables. */
const FARTHEST = 3.2;
/** Documents with this many pages or fewer show no repetition. */
const FEW_PAGES = 2;
/** Largest distance, in pages, of a head from its next occurrence. */
const PAGES_APART = 3;

const NUMERAL = String.raw`(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]-\d{1,3}|\d{1,2}[-.–]\d{1,3})`;
/** Matches a page number on a line by itself, as in a margin. */
const PAGE_NUMBER = new RegExp(
  String
    .raw`^[-–—|\s·•]*(?:(?:page|seite|p\.|第)\s*)?${NUMERAL}\s*(?:(?:of|/|sur|von)\s*\d{1,4}|页|頁)?(?:\s*[,，/]?\s*共\s*\d+\s*[页頁])?[-–—|\s·•]*$`,
  "i",
);

/** Matches a page number with a word that says so. */
const SAYS_PAGE =
  /^(?:(?:page|seite|página|pagina)\s*\d+\b.{0,15}|第\s*\d+\s*[页頁].{0,12}|\d+\s*\/\s*\d+)$/i;

interface Edge {
  readonly page: number;
  readonly runs: readonly Run[];
  readonly text: string;
  readonly key: string;
  /** Distance from the top of the page, or from its bottom in the lower margin. */
  readonly at: number;
  readonly upper: boolean;
  /** Index among the lines from the edge, from 0. */
  readonly rank: number;
  /** Distance to the next line inwards, in font sizes. */
  readonly apart: number;
  /** The line and the two next ones inwards, as the pieces between wide gaps. */
  readonly rows: readonly (readonly Line[])[];
}

/**
 * Returns the runs of running heads, footers and page numbers. These are lines in a margin that repeat at the same height on
 * a nearby page, apart from numbers in them; lines that count the pages; and page numbers on a line by themselves.
 */
export function runningHeads(pages: readonly PageContent[]): Set<Run> {
  const edges = pages.flatMap(edgesOf);
  const found = new Set<Run>();
  const mark = ({ runs }: Edge) => runs.forEach((run) => found.add(run));
  const marked = new Set<Edge>();
  for (const list of Map.groupBy(edges, ({ upper, key }) => `${upper} ${key}`).values()) {
    for (let i = 1; i < list.length; i++) {
      for (let j = i - 1; j >= 0 && list[i]!.page - list[j]!.page <= PAGES_APART; j--) {
        if (list[i]!.page !== list[j]!.page && Math.abs(list[i]!.at - list[j]!.at) < 4) {
          marked.add(list[i]!).add(list[j]!);
        }
      }
    }
  }
  for (const edge of counted(edges)) marked.add(edge);
  for (const edge of edges) if (PAGE_NUMBER.test(edge.text)) marked.add(edge);
  if (pages.length <= FEW_PAGES) {
    for (const edge of edges) if (isNumbered(edge, pages[edge.page]!)) marked.add(edge);
  }
  for (const edge of besideMarked(edges, marked)) marked.add(edge);
  const placeOf = ({ page, upper }: Edge, rank: number) => `${page} ${upper} ${rank}`;
  const byPlace = new Map(edges.map((edge) => [placeOf(edge, edge.rank), edge]));
  const grids = new Map<number, Grid[]>();
  for (const edge of edges.filter((one) => marked.has(one)).sort((a, b) => b.rank - a.rank)) {
    const next = byPlace.get(placeOf(edge, edge.rank + 1));
    if (next !== undefined && marked.has(next)) continue;
    if (!grids.has(edge.page)) grids.set(edge.page, gridsOf(pages[edge.page]!.layers[0]!.rules));
    if (isRow(edge, grids.get(edge.page)!)) marked.delete(edge);
  }
  // From the edge inwards: lines behind body text are body text.
  const depth = new Map<string, number>();
  for (const edge of edges) {
    const key = `${edge.page} ${edge.upper}`;
    if (!marked.has(edge)) continue;
    if (edge.rank === (depth.get(key) ?? 0)) depth.set(key, edge.rank + 1);
    else if (!SAYS_PAGE.test(edge.text)) continue;
    mark(edge);
  }
  // If nothing else is left, the lines are body text.
  return pages.every(({ layers }) => layers.every(({ runs }) => runs.every((run) => found.has(run))))
    ? new Set()
    : found;
}

/** Returns whether a line is a row of a table that the next line inwards, which is body text, belongs to. */
function isRow({ rows: [row, next, second] }: Edge, grids: readonly Grid[]): boolean {
  if (row === undefined || next === undefined) return false;
  const y = ([line]: readonly Line[]) => line!.baseline - 0.3 * line!.size;
  const isIn = (line: readonly Line[]) => ({ top, bottom }: Grid) => top <= y(line) && y(line) <= bottom;
  if (grids.some((grid) => isIn(row)(grid) && isIn(next)(grid))) return true;
  if (Math.min(row.length, next.length) < 2) return false;
  const [few, many] = row.length < next.length ? [row, next] : [next, row];
  const places = few.map((line) =>
    many.findIndex((other) => line.left < other.right && other.left < line.right)
  );
  if (places.some((at, i) => at < 0 || places.indexOf(at) < i)) return false;
  const apart = Math.abs(next[0]!.baseline - row[0]!.baseline);
  const usual = second === undefined ? Infinity : Math.abs(second[0]!.baseline - next[0]!.baseline);
  return apart <= Math.min(FARTHEST * row[0]!.size, 1.5 * usual);
}

/** Returns whether a line at the edge of a page stands apart and begins or ends with the page number. */
function isNumbered({ at, rank, apart, text }: Edge, { height }: PageContent): boolean {
  return rank === 0 && at < 0.09 * height && apart > 3 && text.length <= 90 &&
    numbersOf(text).some((number) => number > 9 && number < 2000);
}

/**
 * Returns the outermost lines at a height where most lines are running heads, such as the head of a chapter with a single
 * page.
 */
function besideMarked(edges: readonly Edge[], marked: ReadonlySet<Edge>): Edge[] {
  const places = Map.groupBy(
    edges.filter(({ rank }) => rank === 0),
    ({ upper, at, runs }) => `${upper} ${Math.round(at)} ${Math.round(runs[0]!.size)}`,
  );
  return [...places.values()].flatMap((list) => {
    const heads = list.filter((edge) => marked.has(edge)).length;
    return heads >= 3 && heads >= 0.5 * list.length ? list : [];
  });
}

/** Returns the lines whose first or last number increases with the pages. */
function counted(edges: readonly Edge[]): Edge[] {
  const offsets = (edge: Edge) => numbersOf(edge.text).map((number) => `${edge.upper} ${number - edge.page}`);
  const votes = Map.groupBy(
    edges.flatMap((edge) => offsets(edge).map((key) => ({ key, edge }))),
    ({ key }) => key,
  );
  const isStrong = (key: string) => new Set(votes.get(key)!.map(({ edge }) => edge.page)).size >= 3;
  const strong = new Set([...votes.keys()].filter(isStrong));
  return edges.filter((edge) => offsets(edge).some((key) => strong.has(key)));
}

function numbersOf(text: string): number[] {
  const words = text.split(/\s+/);
  return [...new Set([words[0], words.at(-1)])].filter((word) => word !== undefined && /^\d{1,5}$/.test(word))
    .map(Number);
}

/** Returns the lines in the margins of a page, from the edges inwards. */
function edgesOf({ height, layers }: PageContent, page: number): Edge[] {
  const main = layers[0];
  if (main === undefined) return [];
  const within = MARGIN + BEYOND;
  const near = main.runs.filter(({ baseline, size }) =>
    baseline < within * height + size || baseline > (1 - within) * height
  );
  if (near.length === 0) return [];
  const rows = rowsOf(linesOf(near));
  const edges: Edge[] = [];
  const add = (side: typeof rows, upper: boolean, inwards: typeof rows) => {
    side.slice(0, LINES_DEEP).forEach((row, rank) => {
      const runs = row.toSorted((a, b) => a.left - b.left).flatMap((line) => line.runs);
      const text = textOf({ runs });
      const key = text.replace(/\d+/g, "#").replace(/\b[ivxlc]+\b/gi, "#").replace(/\s+/g, " ").trim();
      const baseline = row[0]!.baseline, next = side[rank + 1]?.[0]?.baseline;
      const apart = next === undefined ? Infinity : Math.abs(next - baseline) / row[0]!.size;
      const at = upper ? baseline : height - baseline;
      edges.push({ page, runs, text, key, at, upper, rank, apart, rows: inwards.slice(rank, rank + 3) });
    });
  };
  const isUpper = (row: readonly Line[]) => row[0]!.baseline < MARGIN * height + row[0]!.size;
  const isLower = (row: readonly Line[]) => row[0]!.baseline > (1 - MARGIN) * height;
  add(rows.filter(isUpper), true, rows);
  add(rows.filter(isLower).reverse(), false, rows.toReversed());
  return edges;
}

/** Returns the columns of a page in reading order. Items on one baseline of a column are joined to one line. */
export function layOut({ runs, rules }: PageLayer): Column[] {
  const rightToLeft = isRightToLeft(runs);
  const tables: TableBox[] = [];
  let rest: readonly Run[] = runs;
  for (const grid of gridsOf(rules)) {
    const inside: Run[] = [], outside: Run[] = [];
    let order = Infinity;
    rest.forEach((run, i) => {
      const x = (run.left + run.right) / 2, y = run.baseline - 0.3 * run.size;
      if (grid.left - 1 <= x && x <= grid.right + 1 && grid.top <= y && y <= grid.bottom) {
        inside.push(run);
        order = Math.min(order, i);
      } else outside.push(run);
    });
    if (inside.length < 3) continue;
    const table = tableIn(grid, inside, order, rightToLeft);
    if (table === undefined) continue;
    tables.push(table);
    rest = outside;
  }
  return columnsOf([...linesOf(rest), ...tables], rightToLeft).map((column) => ({
    ...column,
    items: withTables(column.items, rightToLeft),
  }));
}

/** Returns the items of a column from top to bottom. Items on one baseline become a row of a table, or one line. */
function withTables(items: Column["items"], rightToLeft: boolean): Column["items"] {
  const ruled = items.filter((item): item is TableBox => "rows" in item);
  const { tables, rest } = alignedTables(
    items.filter((item): item is Line => !("rows" in item)),
    rightToLeft,
  );
  const lines = rowsOf(rest).map((row) =>
    row.length === 1 ? row[0]! : lineOf(row.flatMap(({ runs }) => runs), least(row.map(({ order }) => order)))
  );
  return [...lines, ...ruled, ...tables].sort((a, b) => a.top - b.top);
}

/** A unit of the reading order: a line or a whole table. */
type Item = Line | TableBox;

/** Items in reading order from top to bottom. */
export interface Column extends Box {
  readonly items: readonly Item[];
}

/** Deepest recursion. Columns side by side take one cut each. */
const DEEPEST_CUT = 12;
/** Positions of a cut that are tried, the most frequent first. */
const MOST_CANDIDATES = 24;

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
  if (items.length < 4 || depth > DEEPEST_CUT) return [byTop(items)];
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

interface Band {
  readonly items: Item[];
  /** Whether the band has columns on both sides of the gutter. */
  readonly divided: boolean;
}

/** Returns the parts of a page from top to bottom, divided by the gutter or not. */
function bandsOf(items: readonly Item[], gutter: Interval): Band[] {
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

function crosses(item: Item, { left, right }: Interval): boolean {
  return item.left < right - 1 && item.right > left + 1;
}

/** Returns the gutter that divides most lines, if there is one. */
function bestGutter(items: readonly Item[]): Interval | undefined {
  const size = median(items.map((item) => "rows" in item ? 10 : item.size));
  const lefts = new Map<number, number>();
  for (const { left } of items) lefts.set(Math.round(left), (lefts.get(Math.round(left)) ?? 0) + 1);
  const candidates = [...lefts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1]).slice(
    0,
    MOST_CANDIDATES,
  );
  const start = least(items.map(({ left }) => left));
  let best: Interval | undefined, most = 0;
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
function isDivided(items: readonly Item[], gutter: Interval): boolean {
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
