/** The answer of a search: a text with citations, and the same as data. */
import * as z from "zod";
import { basename } from "node:path";
import { type Language, message, messageText, placeList, printable } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import type { Hit, HitGenerated, MatchDegree, OtherLocation, SearchAnswer } from "#library/search/mod.ts";
import type { Answer, TextAnswer } from "./shape.ts";
import { quotedAnswer, type Quotes, untrusted } from "./quoted.ts";
import { imageRefs } from "./pictures.ts";

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
export function searchAnswer(shown: ShownHits, language: Language): TextAnswer<SearchData> {
  const { found, cursor } = shown;
  const result = searchResult(found, language);
  const data = present({ ...result.data, next_cursor: cursor });
  return {
    ...result,
    data: quotesNothing(found) ? data : untrusted(data, language),
    text: shownHitsText(shown, language),
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
export function quotesNothing({ hits, notices }: SearchAnswer): boolean {
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
    ...(hit.generated?.isOnlyMatch ? ["hit_generated" as const] : []),
    ...(hit.outdated ? ["hit_outdated" as const] : []),
  ];
  const said = remarks.map((key) => message(language, key));
  if (hit.images !== undefined) said.push(message(language, "hit_images", { numbers: hit.images.join(",") }));
  return `[${number}] ${quoted} ${said.join(" ")} chunk_id=${hit.chunkId}${
    bestRowText(hit, quotes, language)
  }`;
}

/** The line that names a hit in the answers of the tools, for people: without tags around what a file says. */
export function hitCitation(hit: Hit, number: number, language: Language): string {
  return citation(hit, number, { tag: "", name: printable, text: (text) => text }, language);
}

/** Rows of a table, with its head and rule, among which a reader must search. */
const MANY_ROWS = 6;

/** The best row of a hit, unless little more than this row is left of the table in a shortened text. */
export function bestRowOf({ bestRow, content }: Hit): Hit["bestRow"] {
  return (content.match(/^\|/gm)?.length ?? 0) < MANY_ROWS ? undefined : bestRow;
}

/** A line about the row of a table that answers, before the passage with all rows; empty without such a row. */
function bestRowText(hit: Hit, quotes: Quotes, language: Language): string {
  const bestRow = bestRowOf(hit);
  if (bestRow === undefined) return "";
  const { line, row, text } = bestRow;
  const place = row === undefined
    ? message(language, "line_number", { line })
    : message(language, "row_number", { row });
  return `\n${message(language, "hit_best_row", { place, row: quotes.name(text) })}`;
}

/** Places as {@linkcode placeList} gives them, with pages as of a hit. File names are not made printable. */
export function alsoText(places: readonly OtherLocation[], language: Language): string {
  return placeList(places, (place) => pageTexts({ ...place, section: [] }, language)[0]);
}

/**
 * The page of a hit as people cite it: `p. 6`, `slide 2`, `00:01:23`, and its rows in a sheet. Nothing where the format has no
 * pages, and where a heading above the hit says it.
 */
export function pageTexts(hit: PlacedHit, language: Language): string[] {
  const [first, last] = hit.rows ?? [];
  const rows = first === undefined ? [] : [message(language, "hit_rows", { first, last: last! })];
  return [...pageText(hit, language), ...rows];
}

/** One line with the rows and the numbers of the pictures in a part of a document; no line without any. */
export function partLines({ rows, images = [] }: Pick<Hit, "rows" | "images">, language: Language): string[] {
  const said = [
    ...(rows === undefined ? [] : [message(language, "hit_rows", { first: rows[0], last: rows[1] })]),
    ...(images.length === 0 ? [] : [message(language, "hit_images", { numbers: images.join(",") })]),
  ];
  return said.length === 0 ? [] : [said.join(" ")];
}

type PlacedHit = Pick<Hit, "page" | "pageUnit" | "pageLabel" | "section" | "rows">;

function pageText({ page, pageUnit = "page", pageLabel, section }: PlacedHit, language: Language): string[] {
  if (page === undefined) return [];
  if (pageLabel === undefined) return [message(language, `page_of_${pageUnit}`, { page })];
  return section.includes(pageLabel) ? [] : [pageLabel];
}

/** The contract's values of `match_degree`; they are the same in both languages. `degree` says it in English. */
const DEGREES = { high: "高", medium: "中", low: "低" } as const satisfies Record<MatchDegree, string>;

/**
 * The answer of a search in the contract's shape, as `search --json` prints it. A search that finds nothing is no failure:
 * its code is 200 and its lists are empty.
 */
export function searchResult(answer: SearchAnswer, language: Language): Answer<SearchData> {
  return {
    code: 200,
    message: message(language, answer.hits.length === 0 ? "no_match" : "search_ok"),
    data: searchData(answer),
  };
}

export type SearchData = ReturnType<typeof searchData> & { readonly next_cursor?: string };

function searchData({ hits, seconds, freshness, leftOut, suggestions, filterCounts, notices }: SearchAnswer) {
  const paths = [...new Set(hits.map((hit) => hit.filePath))];
  return present({
    match_content: hits.map(toContract),
    file_info: paths.map((path) => ({ file_path: path, file_name: basename(path) })),
    stats: present({
      cost_time: shortened(seconds),
      match_file_count: paths.length,
      match_chunk_count: hits.length,
      freshness: freshness && freshnessData(freshness),
    }),
    left_out: leftOut?.map(({ filePath, passages }) => ({ file_path: filePath, passages })),
    suggestions,
    filter_counts: filterCounts,
    notices: notices.length > 0 ? notices : undefined,
  });
}

/** How current the indexes are that were searched. */
export function freshnessData({ indexedAt, state, newerFiles }: NonNullable<SearchAnswer["freshness"]>) {
  return present({ indexed_at: indexedAt.toISOString(), state, newer_files: newerFiles });
}

function toContract(hit: Hit) {
  return present({
    content: hit.content,
    match_degree: DEGREES[hit.degree],
    degree: hit.degree,
    score: shortened(hit.score),
    file_path: hit.filePath,
    chunk_id: hit.chunkId,
    start_line: hit.startLine,
    end_line: hit.endLine,
    total_lines: hit.totalLines,
    section: hit.section.length > 0 ? hit.section : undefined,
    ...pageData(hit),
    rows: hit.rows?.join("-"),
    best_row: bestRowOf(hit),
    recognised: hit.recognised,
    generated: hit.generated && generatedData(hit.generated),
    image_refs: imageRefs(hit.filePath, hit),
    also_in: hit.also?.map(({ filePath, startLine, endLine, page }) =>
      present({ file_path: filePath, start_line: startLine, end_line: endLine, page })
    ),
    outdated: hit.outdated,
    truncated: hit.truncated,
  });
}

/** Texts of a model. They are no part of the document, which is why they have a place of their own. */
function generatedData({ isOnlyMatch, ...texts }: HitGenerated) {
  return present({ ...texts, only_match: isOnlyMatch });
}

/** The pages of a hit. `page` is that of its best sentence. */
export function pageData({ page, pageStart = page, pageEnd = page, pageUnit, pageLabel }: Hit) {
  if (page === undefined) return {};
  return { page, page_start: pageStart, page_end: pageEnd, page_unit: pageUnit, page_label: pageLabel };
}

/** A number with four decimal places. The others cost tokens and say nothing. */
function shortened(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/**
 * The notices of a search that name files, folders, words of the query or what a server said. Notices are sentences in the user's language
 * by the time an answer is made of them.
 */
const NAMING = [
  ...["word_not_found", "phrase_not_found", "hits_outdated", "files_newer", "files_newer_at_least"] as const,
  "filters_pass_nothing_of" as const,
  ...["folder_gone", "folder_without_index", "folder_index_unusable", "folder_index_elsewhere"] as const,
  ...["folder_of_other_model", "folders_added", "folders_updating", "folders_first_update"] as const,
  ...["neural_share", "neural_share_growing", "server_share", "server_share_growing"] as const,
  ...["hybrid_without_models", "hybrid_without_server"] as const,
  ...["hits_not_reranked", "documents_unread", "documents_unread_partly"] as const,
  ...["nothing_to_search", "nothing_indexed_below", "folder_is_empty"] as const,
  ...["images_given", "images_left_out", "images_not_shown"] as const,
];

/** The notices that name nothing. */
const NAMELESS = [
  ...["hybrid_without_vectors", "filters_pass_nothing", "answer_capped", "passages_trimmed"] as const,
  ...["passages_dropped", "notices_dropped", "degrees_left_out", "filters_may_be_text"] as const,
];

/** UTF-16 units of a notice that is compared with the messages. A longer one is quoted whole. */
const MAX_CHARS = 8000;

/** A placeholder of a message, as `message()` reads it. */
const PLACEHOLDER = /\{(-c|\w+)(?:!|\|([^|}]*)\|([^|}]*))?\}/;

/**
 * A notice with its names quoted, and the program's own words around them outside of the quotation. A notice of no known form is quoted
 * whole: only words of the program's messages may stand outside.
 */
export function quotedNotice(notice: string, language: Language, quotes: Pick<Quotes, "name">): string {
  if (notice.length > MAX_CHARS) return quotes.name(notice);
  for (const key of [...NAMING, ...NAMELESS]) {
    const parts = partsOf(messageText(language, key), notice);
    if (parts === undefined) continue;
    return parts.map(({ text, isName }) => isName && text !== "" ? quotes.name(text) : text).join("");
  }
  return quotes.name(notice);
}

/** The words of a message and the values in a sentence that was made of it; `undefined` if it was made of another. */
function partsOf(template: string, sentence: string): { text: string; isName: boolean }[] | undefined {
  const names: boolean[] = [];
  const pattern = template.split(
    new RegExp(`(${PLACEHOLDER.source.replaceAll("(", "(?:").replaceAll("(?:?:", "(?:")})`),
  )
    .map((part) => {
      const placeholder = PLACEHOLDER.exec(part);
      if (placeholder === null) {
        names.push(false);
        return `(${RegExp.escape(part)})`;
      }
      const [, name, one, several] = placeholder;
      const isNumber = name === "count" || name === "percent";
      names.push(one === undefined && !isNumber);
      if (one !== undefined) return `(${RegExp.escape(one)}|${RegExp.escape(several!)})`;
      return isNumber ? "(\\d+)" : "([^]*)";
    }).join("");
  const match = new RegExp(`^${pattern}$`).exec(sentence);
  return match === null ? undefined : names.map((isName, i) => ({ text: match[i + 1]!, isName }));
}
