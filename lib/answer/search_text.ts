import * as z from "zod";
import { type Language, message, placeList } from "../messages.ts";
import type { Hit, OtherPlace, SearchAnswer } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { quotedAnswer, type Quotes } from "./quoted.ts";
import { quotedNotice } from "./quoted_notice.ts";
import { type SearchData, searchResult } from "./search_result.ts";
import { untrusted } from "./untrusted.ts";

/** Files that the text names as having further passages. */
const MAX_NAMED = 5;

/**
 * Shape of `data` in an answer of the tool `search_rag`. Only its main parts are declared, because a client may give the
 * schema to a model; the guide describes all of them.
 */
export const DECLARED_SEARCH_DATA = z.looseObject({
  match_content: z.array(z.looseObject({
    content: z.string(),
    degree: z.enum(["high", "medium", "low"]),
    file_path: z.string(),
    start_line: z.int(),
    end_line: z.int(),
  })),
  next_cursor: z.string().optional(),
});

/** The hits that an answer shows. */
export interface ShownHits {
  /** The answer, perhaps with fewer and shorter hits than were found. */
  readonly found: SearchAnswer;
  /** The argument `cursor` for the hits that follow. */
  readonly cursor?: string;
}

/** The answer of the tool `search_rag`: the same JSON as {@linkcode searchResult}, marked as quoted, and its text. */
export function searchAnswer(
  { found, cursor }: ShownHits,
  language: Language,
): TextAnswer<SearchData> {
  const result = searchResult(found, language);
  const data = { ...result.data, ...(cursor !== undefined && { next_cursor: cursor }) };
  return {
    ...result,
    data: quotesNothing(found) ? data : untrusted(data, language),
    text: shownHitsText({ found, ...(cursor !== undefined && { cursor }) }, language),
  };
}

/** The text of a search's answer, with the cursor. */
export function shownHitsText({ found, cursor }: ShownHits, language: Language): string {
  const files = new Set(found.hits.map(({ filePath }) => filePath)).size;
  return quotedAnswer((quotes) => {
    const text = searchText(found, files, quotes, language);
    return cursor === undefined ? text : `${text}\n\n${message(language, "more_with_cursor", { cursor })}`;
  });
}

/** Whether the answer contains no text of a file, no file name and no part of the query. A notice may contain them. */
function quotesNothing({ hits, notices }: SearchAnswer): boolean {
  return hits.length === 0 && notices.length === 0;
}

/** A summary, then each passage under its numbered citation. */
function searchText(found: SearchAnswer, files: number, quotes: Quotes, language: Language): string {
  const summary = found.hits.length === 0
    ? message(language, "no_match")
    : message(language, "search_summary", {
      message: message(language, "search_ok"),
      chunks: found.hits.length,
      files,
      seconds: found.seconds.toFixed(3),
    });
  const head = [
    summary,
    ...(quotesNothing(found) ? [] : [message(language, "quoted_content", { tag: quotes.tag })]),
    ...found.notices.map((notice) =>
      message(language, "notice_line", { notice: quotedNotice(notice, language, quotes) })
    ),
  ];
  const passages = found.hits.map((hit, index) =>
    [
      citation(hit, index + 1, quotes, language),
      ...(hit.also === undefined
        ? []
        : [message(language, "also_in", { places: quotes.name(alsoText(hit.also, language)) })]),
      quotes.text(hit.content),
    ].join("\n")
  );
  return [head.join("\n"), ...passages, ...leftOutLines(found, quotes, language)].join("\n\n");
}

/** One line that names the files with further passages; no line if the limit for one file left nothing out. */
function leftOutLines({ leftOut = [] }: SearchAnswer, quotes: Quotes, language: Language): string[] {
  if (leftOut.length === 0) return [];
  const files = leftOut.slice(0, MAX_NAMED).map(({ filePath, passages }) =>
    `${quotes.name(filePath)} (${passages})`
  );
  if (leftOut.length > MAX_NAMED) files.push("…");
  return [message(language, "passages_left_out", { files: files.join(", ") })];
}

/**
 * `[1] path:start-end (lines of the file, section, page) degree chunk_id=…`. File name and headings are quoted: a file can put any text
 * into them.
 */
function citation(hit: Hit, number: number, quotes: Quotes, language: Language): string {
  const { totalLines: total, section } = hit;
  const place = [
    ...(total !== undefined ? [message(language, "lines_of_file", { total })] : []),
    ...(section.length > 0 ? [section.join(" > ")] : []),
    ...pageTexts(hit, language),
  ];
  const lines = `${hit.filePath}:${hit.startLine}-${hit.endLine}`;
  const quoted = quotes.name([lines, ...(place.length > 0 ? [`(${place.join(", ")})`] : [])].join(" "));
  const remarks = [
    `degree_${hit.degree}` as const,
    ...(hit.recognised ? ["hit_recognised" as const] : []),
    ...(hit.outdated ? ["hit_outdated" as const] : []),
  ];
  const said = remarks.map((key) => message(language, key)).join(" ");
  return `[${number}] ${quoted} ${said} chunk_id=${hit.chunkId}`;
}

/** Places as {@linkcode placeList} gives them, with pages as of a hit. File names are not made printable. */
export function alsoText(places: readonly OtherPlace[], language: Language): string {
  return placeList(places, (place) => pageTexts({ ...place, section: [] }, language)[0]);
}

/**
 * The page of a hit as people cite it: `p. 6`, `slide 2`, `00:01:23`. Nothing where the format has no pages, and where a heading above the
 * hit says it.
 */
export function pageTexts(
  { page, pageUnit = "page", pageLabel, section }: Pick<Hit, "page" | "pageUnit" | "pageLabel" | "section">,
  language: Language,
): string[] {
  if (page === undefined) return [];
  if (pageLabel === undefined) return [message(language, `page_of_${pageUnit}`, { page })];
  return section.includes(pageLabel) ? [] : [pageLabel];
}
