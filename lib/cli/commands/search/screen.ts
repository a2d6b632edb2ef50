import { alsoText } from "../../../answer/mod.ts";
import { type Language, message, printable } from "../../../messages.ts";
import type { Hit, MatchDegree, SearchAnswer } from "../../../search/mod.ts";
import { cutStartToWidth, cutToWidth, displayWidth } from "../../display_width.ts";
import { fileLink } from "../../hyperlinks.ts";
import type { Style } from "../../style.ts";
import type { Cell } from "../../wrap.ts";
import { sectionRow } from "./section_row.ts";
import { allRows, bestRows } from "./best_part.ts";
import { placeText } from "./heading.ts";
import { statsText } from "./hits_text.ts";

/** Width of a terminal that does not tell it, and the least width that is drawn for. */
const USUAL_COLUMNS = 80, LEAST_COLUMNS = 30;
/** Ten hits with these rows take 44 lines: three rows for each of the best, two for the others. */
const BEST_HITS = 3, BEST_ROWS = 3, OTHER_ROWS = 2;
/** Weak hits that are shown if there are no others. */
const WEAK_SHOWN = 3;
/** Columns that the path of a file gets at least. */
const LEAST_PATH = 12;
/** A shorter part of the section says nothing. */
const LEAST_SECTION = 8;

/** Options of {@linkcode screenText}. */
export interface ScreenOptions {
  readonly language: Language;
  readonly style: Style;
  /** Width of the terminal; `undefined` where it is unknown. */
  readonly columns: number | undefined;
  /** Whether the terminal shows links (OSC 8). */
  readonly links: boolean;
  /** Shortens a file's path. */
  readonly nameOf: (path: string) => string;
  /** Whether whole passages are shown, and the weak hits too. */
  readonly fullText: boolean;
  /** Lines before and after the best match. */
  readonly context?: number | undefined;
}

/**
 * The hits of a search for a terminal. The best hit comes last: after the command, the eye is at the bottom, where the
 * prompt is, and on a small terminal the top has been scrolled away. Each hit is a line about its place and a few rows
 * around the best match.
 */
export function screenText(answer: SearchAnswer, options: ScreenOptions): string {
  const { language, style, fullText, nameOf } = options;
  const columns = Math.max(LEAST_COLUMNS, options.columns ?? USUAL_COLUMNS);
  const ranked = answer.hits.map((hit, at) => ({ hit, rank: at + 1 }));
  const good = ranked.filter(({ hit }) => hit.degree !== "low");
  const shown = fullText ? ranked : good.length > 0 ? good : ranked.slice(0, WEAK_SHOWN);
  const folded = ranked.filter((one) => !shown.includes(one)).map(({ hit }) => hit);
  const rankColumns = String(shown.at(-1)!.rank).length;
  const drawn = shown.map(({ hit, rank }) => hitText(hit, rank, { ...options, columns, rankColumns }))
    .reverse();
  const lines = [
    ...(good.length === 0 ? [style.yellow(message(language, "cli_only_weak"))] : []),
    ...(folded.length > 0 ? [cutToWidth(foldedText(folded, nameOf, language), columns)] : []),
    style.dim(statsText(answer, language)),
  ];
  return `${drawn.join("\n")}\n${lines.map((line) => `${line}\n`).join("")}`;
}

/** The weak hits in one line, with the names of their files. */
function foldedText(hits: readonly Hit[], nameOf: (path: string) => string, language: Language): string {
  const names = [...new Set(hits.map(({ filePath }) => printable(nameOf(filePath))))];
  return message(language, "cli_weak_hits", {
    count: hits.length,
    names: names.join(message(language, "list_comma")),
  });
}

interface HitOptions extends ScreenOptions {
  readonly columns: number;
  readonly rankColumns: number;
}

function hitText(hit: Hit, rank: number, options: HitOptions): string {
  const { language, style, columns, rankColumns, fullText, context, nameOf } = options;
  const gutter = `${" ".repeat(rankColumns)} ${style.dim("│")} `;
  const room = columns - rankColumns - 3;
  const rows = fullText || context !== undefined
    ? allRows(hit, room, context)
    : bestRows(hit, room, rank <= BEST_HITS ? BEST_ROWS : OTHER_ROWS);
  const also = hit.also?.map((place) => ({ ...place, filePath: nameOf(place.filePath) }));
  const remark = (text: string) => `${" ".repeat(rankColumns + 1)}${cutToWidth(text, room + 2)}`;
  return [
    headingText(hit, rank, options),
    ...(hit.recognised ? [style.dim(remark(message(language, "hit_recognised")))] : []),
    ...(hit.outdated ? [style.yellow(remark(message(language, "hit_outdated")))] : []),
    ...rows.map((row) => `${gutter}${rowText(row, style)}`.trimEnd()),
    ...(also === undefined
      ? []
      : [style.dim(remark(message(language, "also_in", { places: printable(alsoText(also, language)) })))]),
  ].map((line) => `${line}\n`).join("");
}

/**
 * Rank, path, lines or page, section and degree in one line. What does not fit is cut: the section, then the path's start.
 */
function headingText(hit: Hit, rank: number, options: HitOptions): string {
  const { language, style, columns, rankColumns, links, nameOf } = options;
  const place = placeText(hit, language);
  const degree = message(language, `degree_${hit.degree}`);
  const fixed = rankColumns + 1 + displayWidth(place) + 2 + displayWidth(degree);
  const room = Math.max(LEAST_PATH, columns - fixed);
  const path = cutStartToWidth(printable(nameOf(hit.filePath)), room);
  const left = room - displayWidth(path) - 2;
  const section = left < LEAST_SECTION ? "" : rowText(sectionRow(hit, left), style);
  const bold = style.bold(path);
  return [
    `${String(rank).padStart(rankColumns)} ${links ? fileLink(bold, hit.filePath) : bold}${place}`,
    section,
    ofDegree(hit.degree, style)(degree),
  ].filter((part) => part !== "").join("  ");
}

function ofDegree(degree: MatchDegree, { green, dim }: Style): (text: string) => string {
  return { high: green, medium: (text: string) => text, low: dim }[degree];
}

/** A row with its marked parts highlighted. */
function rowText(row: readonly Cell[], style: Style): string {
  let text = "", marked = "";
  for (const cell of row) {
    if (cell.isMarked) {
      marked += cell.text;
      continue;
    }
    if (marked !== "") text += style.match(marked);
    marked = "";
    text += cell.text;
  }
  return marked === "" ? text : text + style.match(marked);
}
