import { textOf } from "./line_text.ts";
import { linesOf, rowsOf } from "./lines.ts";
import type { PageContent, Run } from "./types.ts";

/** Share of the page's height at its top and bottom where running heads stand. */
const MARGIN = 0.14;
/** Lines from the edge that are looked at. */
const DEPTH = 3;
/** Documents with so few pages show no repetition. */
const FEW_PAGES = 2;
/** Pages that a head may be apart from its next occurrence. */
const REACH = 3;

const NUMERAL = String.raw`(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]-\d{1,3}|\d{1,2}[-.–]\d{1,3})`;
/** A page number by itself, as it stands in a margin. */
const PAGE_NUMBER = new RegExp(
  String
    .raw`^[-–—|\s·•]*(?:(?:page|seite|p\.|第)\s*)?${NUMERAL}\s*(?:(?:of|/|sur|von)\s*\d{1,4}|页|頁)?(?:\s*[,，/]?\s*共\s*\d+\s*[页頁])?[-–—|\s·•]*$`,
  "i",
);

/** A page number that says what it is. */
const SAYS_PAGE =
  /^(?:(?:page|seite|página|pagina)\s*\d+\b.{0,15}|第\s*\d+\s*[页頁].{0,12}|\d+\s*\/\s*\d+)$/i;

interface Edge {
  readonly page: number;
  readonly runs: readonly Run[];
  readonly text: string;
  readonly key: string;
  /** Distance from the page's top, or from its bottom for the lower margin. */
  readonly at: number;
  readonly upper: boolean;
  /** Place among the lines from the edge, from 0. */
  readonly rank: number;
  /** Distance of the next line inwards, in font sizes. */
  readonly apart: number;
}

/**
 * The runs of running heads, footers and page numbers: what stands in a margin and repeats on a page near by, but for its
 * numbers, at the same height; what counts the pages; and what is a page number by itself.
 */
export function runningHeads(pages: readonly PageContent[]): Set<Run> {
  const edges = pages.flatMap(edgesOf);
  const found = new Set<Run>();
  const mark = ({ runs }: Edge) => runs.forEach((run) => found.add(run));
  const repeated = new Map<string, Edge[]>();
  for (const edge of edges) {
    const key = `${edge.upper} ${edge.key}`;
    const list = repeated.get(key);
    if (list === undefined) repeated.set(key, [edge]);
    else list.push(edge);
  }
  const marked = new Set<Edge>();
  for (const list of repeated.values()) {
    for (let i = 1; i < list.length; i++) {
      for (let j = i - 1; j >= 0 && list[i]!.page - list[j]!.page <= REACH; j--) {
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
  // from the edge inwards: what lies behind the text is text
  const depth = new Map<string, number>();
  for (const edge of edges) {
    const key = `${edge.page} ${edge.upper}`;
    if (!marked.has(edge)) continue;
    if (edge.rank === (depth.get(key) ?? 0)) depth.set(key, edge.rank + 1);
    else if (!SAYS_PAGE.test(edge.text)) continue;
    mark(edge);
  }
  // where nothing else is left, it is the text
  return pages.every(({ layers }) => layers.every(({ runs }) => runs.every((run) => found.has(run))))
    ? new Set()
    : found;
}

/** Whether a line stands apart at the very edge of a page and begins or ends with its number. */
function isNumbered({ at, rank, apart, text }: Edge, { height }: PageContent): boolean {
  return rank === 0 && at < 0.09 * height && apart > 3 && text.length <= 90 &&
    numbersOf(text).some((number) => number > 9 && number < 2000);
}

/** Outermost lines at a height where most lines are running heads: the head of a chapter that has one page only. */
function besideMarked(edges: readonly Edge[], marked: ReadonlySet<Edge>): Edge[] {
  const places = new Map<string, Edge[]>();
  for (const edge of edges) {
    if (edge.rank > 0) continue;
    const key = `${edge.upper} ${Math.round(edge.at)} ${Math.round(edge.runs[0]!.size)}`;
    const list = places.get(key);
    if (list === undefined) places.set(key, [edge]);
    else list.push(edge);
  }
  return [...places.values()].flatMap((list) => {
    const heads = list.filter((edge) => marked.has(edge)).length;
    return heads >= 3 && heads >= 0.5 * list.length ? list : [];
  });
}

/** Lines whose first or last number goes up with the pages. */
function counted(edges: readonly Edge[]): Edge[] {
  const votes = new Map<string, Set<number>>();
  const offsets = (edge: Edge) => numbersOf(edge.text).map((number) => `${edge.upper} ${number - edge.page}`);
  for (const edge of edges) {
    for (const key of offsets(edge)) {
      const set = votes.get(key);
      if (set === undefined) votes.set(key, new Set([edge.page]));
      else set.add(edge.page);
    }
  }
  const strong = new Set([...votes].filter(([, pages]) => pages.size >= 3).map(([key]) => key));
  return edges.filter((edge) => offsets(edge).some((key) => strong.has(key)));
}

function numbersOf(text: string): number[] {
  const words = text.split(/\s+/);
  return [...new Set([words[0], words.at(-1)])].filter((word) => word !== undefined && /^\d{1,5}$/.test(word))
    .map(Number);
}

/** The lines in a page's margins, from the edges inwards. */
function edgesOf({ height, layers }: PageContent, page: number): Edge[] {
  const main = layers[0];
  if (main === undefined) return [];
  const near = main.runs.filter(({ baseline, size }) =>
    baseline < MARGIN * height + size || baseline > (1 - MARGIN) * height
  );
  if (near.length === 0) return [];
  const rows = rowsOf(linesOf(near));
  const edges: Edge[] = [];
  const add = (side: typeof rows, upper: boolean) => {
    side.slice(0, DEPTH).forEach((row, rank) => {
      const runs = row.toSorted((a, b) => a.left - b.left).flatMap((line) => line.runs);
      const text = textOf({ runs });
      const key = text.replace(/\d+/g, "#").replace(/\b[ivxlc]+\b/gi, "#").replace(/\s+/g, " ").trim();
      const baseline = row[0]!.baseline, next = side[rank + 1]?.[0]?.baseline;
      const apart = next === undefined ? Infinity : Math.abs(next - baseline) / row[0]!.size;
      edges.push({ page, runs, text, key, at: upper ? baseline : height - baseline, upper, rank, apart });
    });
  };
  add(rows.filter((row) => row[0]!.baseline < MARGIN * height + row[0]!.size), true);
  add(rows.filter((row) => row[0]!.baseline > (1 - MARGIN) * height).reverse(), false);
  return edges;
}
