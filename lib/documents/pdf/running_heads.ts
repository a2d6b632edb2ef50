/**
 * Running heads, footers and page numbers, which are no part of a document's text.
 * Below it: the lines at the edges of pages, and how they are compared.
 */
import { kept } from "../types.ts";
import { FARTHEST, type Grid, gridsOf } from "./layout.ts";
import { type Line, linesOf, type PageContent, rowsOf, type Run, textOf } from "./lines.ts";

/** Share of the page height, at top and bottom, that may contain running heads. */
const MARGIN = 0.14;
/** Lines from the edge that are examined. */
const LINES_DEEP = 3;
/** Share of the page height, beyond the margin, in which the rows next to those lines are. */
const BEYOND = 0.1;
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
 * `keepsFirst`: without the first of those that say more than a number.
 */
export function runningHeads(pages: readonly PageContent[], keepsFirst = false): Set<Run> {
  const edges = pages.flatMap(edgesOf);
  const found = new Set<Run>();
  const first = new Map<string, Edge>();
  const mark = (edge: Edge) => {
    if (!PAGE_NUMBER.test(edge.text) && !SAYS_PAGE.test(edge.text)) kept(first, edge.key, () => edge);
    edge.runs.forEach((run) => found.add(run));
  };
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
    const own = kept(grids, edge.page, () => gridsOf(pages[edge.page]!.layers[0]!.rules));
    if (isRow(edge, own)) marked.delete(edge);
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
  if (pages.every(({ layers }) => layers.every(({ runs }) => runs.every((run) => found.has(run))))) {
    return new Set();
  }
  if (keepsFirst) { for (const { runs } of first.values()) runs.forEach((run) => found.delete(run)); }
  return found;
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
