/**
 * The hits of a search as the flags ask for them: drawn on a terminal, as text for a pipe,
 * as Markdown, JSON or paths; with shortened paths and links.
 */
import { basename, dirname, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { type Language, message, printable, printableText } from "#foundation/messages/mod.ts";
import type { Hit, Mark, SearchAnswer } from "#library/search/mod.ts";
import { configurationData, jsonText, printableMessage, warn } from "../../say.ts";
import type { HitFormat } from "../../options.ts";
import type { FolderChoice, Session } from "../../request.ts";
import { cutStartToWidth, cutToWidth, displayWidth, type Style, styleFor } from "../../terminal_text.ts";
import { alsoText, pageTexts } from "#library/answer/mod.ts";
import { allRows, bestRows, type Cell, cellsOf, linesAround, markedIn, widthOf } from "./best_part.ts";
import { formatDuration } from "../../progress.ts";
import type { Io } from "../../io.ts";

/** Prints the answer of a search in the form that the flags ask for. `asked`: full paths of the folders that were asked. */
export async function printHits(
  session: Session,
  answer: SearchAnswer,
  asked: readonly string[],
): Promise<void> {
  const { io, language, flags: { json, format = json ? "json" : "text" } } = session;
  if (format === "json") {
    const { searchResult } = await import("#library/answer/mod.ts");
    await io.out(jsonText(withAsked(searchResult(answer, language), asked, session)));
    return;
  }
  if (answer.hits.length > 0) await io.out(textOf(session, answer, asked, format));
  // Programs and pages get no sentences beside the hits.
  if (format !== "text") return;
  if (answer.hits.length === 0) await io.out(`${message(language, "no_match")}\n`);
  await io.out(askedLine(asked, session));
}

function textOf(
  session: Session,
  answer: SearchAnswer,
  asked: readonly string[],
  format: Exclude<HitFormat, "json">,
): string {
  const { io, language, flags: { fullText = false, context } } = session;
  const nameOf = pathNames(asked);
  if (format === "paths") return pathsText(session, answer);
  if (format === "md") return markdownText(answer, { language, nameOf, context });
  const options = { language, nameOf, context, links: showsLinks(io) };
  if (!io.terminal.stdout) return hitsText(answer, options);
  const { columns } = io.terminal;
  return screenText(answer, { ...options, style: styleFor(io, "stdout"), columns, fullText });
}

/** The full paths of the files, each once. One with a line break is left out, since it would be read as two. */
function pathsText(session: Session, { hits }: SearchAnswer): string {
  const shown = session.io.terminal.stdout ? printable : (path: string) => path;
  const paths = [...new Set(hits.map(({ filePath }) => filePath))].filter((path) => {
    const isOneLine = !/[\r\n]/.test(path);
    if (!isOneLine) warn(session, "cli_path_with_line_break", { path });
    return isOneLine;
  });
  return paths.map((path) => `${shown(path)}\n`).join("");
}

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

interface ScreenOptions extends HitsTextOptions {
  readonly style: Style;
  /** Width of the terminal; `undefined` where it is unknown. */
  readonly columns: number | undefined;
  /** Whether whole passages are shown, and the weak hits too. */
  readonly fullText: boolean;
}

/**
 * The hits of a search for a terminal. The best hit comes last: after the command, the eye is at the bottom, where the
 * prompt is, and on a small terminal the top has been scrolled away. Each hit is a line about its place and a few rows
 * around the best match.
 */
export function screenText(answer: SearchAnswer, options: ScreenOptions): string {
  const { language, style, fullText } = options;
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
    ...(folded.length > 0 ? [cutToWidth(foldedText(folded, options), columns)] : []),
    style.dim(statsText(answer, language)),
  ];
  return `${drawn.join("\n")}\n${lines.map((line) => `${line}\n`).join("")}`;
}

function foldedText(hits: readonly Hit[], { language, nameOf }: HitsTextOptions): string {
  const paths = new Set(hits.map(({ filePath }) => printable(nameOf(filePath))));
  const names = [...paths].join(message(language, "list_comma"));
  return message(language, "cli_weak_hits", { count: hits.length, names });
}

interface HitOptions extends ScreenOptions {
  readonly columns: number;
  readonly rankColumns: number;
}

function hitText(hit: Hit, rank: number, options: HitOptions): string {
  const { language, style, columns, rankColumns, fullText, context } = options;
  const gutter = `${" ".repeat(rankColumns)} ${style.dim("│")} `;
  const room = columns - rankColumns - 3;
  const rows = fullText || context !== undefined
    ? allRows(hit, room, context)
    : bestRows(hit, room, rank <= BEST_HITS ? BEST_ROWS : OTHER_ROWS);
  const also = alsoIn(hit, options);
  const remark = (text: string) => `${" ".repeat(rankColumns + 1)}${cutToWidth(text, room + 2)}`;
  return [
    headingText(hit, rank, options),
    ...(hit.recognised ? [style.dim(remark(message(language, "hit_recognised")))] : []),
    ...(hit.generated?.isOnlyMatch ? [style.dim(remark(message(language, "hit_generated")))] : []),
    ...(hit.outdated ? [style.yellow(remark(message(language, "hit_outdated")))] : []),
    ...rows.map((row) => `${gutter}${rowText(row, style)}`.trimEnd()),
    ...(also === undefined ? [] : [style.dim(remark(also))]),
  ].map((line) => `${line}\n`).join("");
}

/** The other places of a passage, in a sentence; `undefined` without them. */
function alsoIn({ also }: Hit, { language, nameOf }: HitsTextOptions): string | undefined {
  const named = also?.map((place) => ({ ...place, filePath: nameOf(place.filePath) }));
  return named && message(language, "also_in", { places: printable(alsoText(named, language)) });
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
  const paint = { high: style.green, medium: (text: string) => text, low: style.dim }[hit.degree];
  return [
    `${String(rank).padStart(rankColumns)} ${links ? fileLink(bold, hit.filePath) : bold}${place}`,
    section,
    paint(degree),
  ].filter((part) => part !== "").join("  ");
}

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

/**
 * Headings that lead to a hit, in at most so many columns: innermost first, since the outermost is mostly the file's title.
 */
function sectionRow(
  { section, sectionMarks }: Pick<Hit, "section" | "sectionMarks">,
  columns: number,
): Cell[] {
  const headings = section.map((heading, at) => cellsOfLine(heading, sectionMarks?.[at]));
  for (let from = 0; from < headings.length; from++) {
    const lead = from > 0 ? cellsOfLine("… › ") : [];
    const row = [
      ...lead,
      ...headings.slice(from).flatMap((cells, at) => at > 0 ? [...cellsOfLine(" › "), ...cells] : cells),
    ];
    if (widthOf(row) <= columns) return row;
  }
  const cut = [...headings.at(-1) ?? []];
  if (widthOf(cut) <= columns) return cut;
  while (widthOf(cut) + 1 > columns) cut.pop();
  return [...cut, ...cellsOfLine("…")];
}

function cellsOfLine(text: string, marks: readonly Mark[] = []): Cell[] {
  return cellsOf(text, { start: 0, end: text.length, isMarked: markedIn(text, marks) });
}

interface HitsTextOptions {
  readonly language: Language;
  /** Shortens a file's path. */
  readonly nameOf: (path: string) => string;
  /** Lines before and after the best match. Without it, whole passages are shown. */
  readonly context?: number | undefined;
  /** Whether paths are links (OSC 8), as `FORCE_HYPERLINK` asks for. */
  readonly links?: boolean;
}

/** The hits of a search for a file or a pipe: best first, since it is read from its start, and in lines of any length. */
export function hitsText(answer: SearchAnswer, options: HitsTextOptions): string {
  const { language, nameOf, context, links = false } = options;
  const hits = answer.hits.map((hit, at) => {
    const path = printable(nameOf(hit.filePath));
    const heading = [
      `${at + 1}. ${links ? fileLink(path, hit.filePath) : path}${linesText(hit)}${pageText(hit, language)}`,
      message(language, `degree_${hit.degree}`),
      hit.recognised ? message(language, "hit_recognised") : "",
      hit.generated?.isOnlyMatch ? message(language, "hit_generated") : "",
      hit.outdated ? message(language, "hit_outdated") : "",
      sectionText(hit),
    ].filter((part) => part !== "").join("  ");
    const content = linesAround(hit, context).map(({ start, end }) =>
      `   │ ${printableText(hit.content.slice(start, end))}`.trimEnd()
    );
    const also = alsoIn(hit, options);
    return [heading, ...content, ...(also === undefined ? [] : [`   ${also}`])]
      .map((line) => `${line}\n`).join("");
  });
  return `${hits.join("\n")}\n${statsText(answer, language)}\n`;
}

/** `2 files, 3 chunks, 0.012 s` */
function statsText(answer: SearchAnswer, language: Language): string {
  return message(language, "cli_search_stats", {
    files: new Set(answer.hits.map((hit) => hit.filePath)).size,
    chunks: answer.hits.length,
    time: formatDuration(answer.seconds),
  });
}

/**
 * The hits as a Markdown list with quotations, best first. The quoted text is escaped, so that it is shown as it is: a
 * document cannot add headings, pictures, or links with another text than their address to the page that the list is pasted
 * into.
 */
export function markdownText({ hits }: SearchAnswer, { language, nameOf, context }: HitsTextOptions): string {
  return hits.map((hit, at) => {
    const number = `${at + 1}. `;
    const indent = " ".repeat(number.length);
    const place = code(`${printable(nameOf(hit.filePath))}${placeText(hit, language)}`);
    const section = escaped(sectionText(hit));
    const degree = message(language, `degree_${hit.degree}`);
    const lines = linesAround(hit, context).map(({ start, end }) =>
      escaped(printableText(hit.content.slice(start, end)).replaceAll("\t", "    ").trimEnd())
    );
    // Two spaces at the end of a line keep the line break. A line that is followed by a blank one needs none.
    const quoted = lines.map((line, i) =>
      `${indent}> ${line}${line !== "" && lines[i + 1] ? "  " : ""}`.replace(/> $/, ">")
    );
    return [`${number}${[place, section].filter((part) => part !== "").join(" ")} (${degree})`, ...quoted]
      .map((line) => `${line}\n`).join("");
  }).join("\n");
}

/** A code span: its fence is longer than every run of backticks within. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 ? " " : "";
  return `${fence}${space}${text}${space}${fence}`;
}

/** A line of text with a backslash before each character that Markdown or HTML would act on. */
function escaped(line: string): string {
  return line
    .replace(/[\\`*<\[\]|~]|_(?![\p{L}\p{N}])|(?<![\p{L}\p{N}_])_|&(?=#?\w+;)/gu, "\\$&")
    .replace(/^(\s*)([#>+=-])/, "$1\\$2")
    .replace(/^(\s*\d+)([.)])/, "$1\\$2")
    // Four spaces would begin a block of code. No-break spaces keep the indentation.
    .replace(/^ +/, (spaces) => "\u00a0".repeat(spaces.length));
}

/** `:12-20`, or `  p. 3` where the format has pages: the lines of a PDF mean nothing to its reader. */
function placeText(hit: Hit, language: Language): string {
  return hit.page === undefined ? linesText(hit) : pageText(hit, language);
}

/** `:12-20` */
function linesText({ startLine, endLine }: Hit): string {
  return `:${startLine === endLine ? startLine : `${startLine}-${endLine}`}`;
}

/** `  p. 3`, or nothing where the format has no pages. */
function pageText(hit: Hit, language: Language): string {
  return pageTexts(hit, language).map((text) => `  ${printable(text)}`).join("");
}

/** The headings that lead to a hit, outermost first. */
function sectionText({ section }: Pick<Hit, "section">): string {
  return section.map(printable).join(" › ");
}

/** Folders that a text names. */
const MOST_NAMED = 5;

/** The folders that were searched, or the folders in them to which the search was limited. */
export function askedPlaces(roots: readonly string[], { below }: Pick<FolderChoice, "below">): string[] {
  return roots.flatMap((root) => below[root]?.map((path) => join(root, path)) ?? [root]);
}

/** The answer for `--json` with the folders that were searched, and the configuration in effect. */
export function withAsked<D extends object>(
  answer: { readonly data: D },
  asked: readonly string[],
  session: Session,
): object {
  return { ...answer, data: { ...answer.data, searched: asked, ...configurationData(session) } };
}

/** A line that names the folders that were searched; empty where the command line names them. */
export function askedLine(
  asked: readonly string[],
  { io, language, choice }: Pick<Session, "io" | "language" | "choice">,
): string {
  if (choice.by === "name") return "";
  const params = {
    count: asked.length,
    dirs: asked.slice(0, MOST_NAMED).join(message(language, "list_comma")),
    more: asked.length - MOST_NAMED,
  };
  const text = printableMessage(language, params.more > 0 ? "cli_searched_many" : "cli_searched", params);
  const hint = choice.by === "here" ? message(language, "cli_searched_here") : "";
  return `${styleFor(io, "stdout").dim(`${text}${hint}`)}\n`;
}

/**
 * Returns a function that shortens full paths for readers: relative to the folder that was asked. With several folders, the
 * path begins with the folder's name, and with as many names before it as tell the folders apart.
 */
export function pathNames(roots: readonly string[]): (path: string) => string {
  const longestFirst = roots.toSorted((a, b) => b.length - a.length);
  const names = namesOf(roots);
  return (path) => {
    const root = longestFirst.find((root) => path.startsWith(root.endsWith(sep) ? root : root + sep));
    if (root === undefined) return path;
    return join(names.get(root)!, relative(root, path));
  };
}

function namesOf(roots: readonly string[]): Map<string, string> {
  const [only, ...others] = roots;
  if (only !== undefined && others.length === 0) return new Map([[only, ""]]);
  const names = new Map(roots.map((root) => [root, basename(root) || root]));
  const parents = new Map(roots.map((root) => [root, dirname(root)]));
  for (;;) {
    const same = roots.filter((root) =>
      roots.some((other) => other !== root && names.get(other) === names.get(root)) &&
      parents.get(root) !== dirname(parents.get(root)!)
    );
    if (same.length === 0) return names;
    for (const root of same) {
      const parent = parents.get(root)!;
      names.set(root, join(basename(parent), names.get(root)!));
      parents.set(root, dirname(parent));
    }
  }
}

/** The first release of each terminal that shows links, by its `TERM_PROGRAM`. */
const SINCE: Readonly<Record<string, readonly [number, number]>> = {
  "iTerm.app": [3, 1],
  WezTerm: [0, 0],
  ghostty: [0, 0],
  vscode: [1, 72],
  Hyper: [0, 0],
  rio: [0, 0],
  zed: [0, 0],
  tmux: [3, 4],
};

/** Terminals that show links, by their `TERM`. */
const TERMS = /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|foot-.*|wezterm|contour.*)$/;

/** A release in VTE's numbering. GNOME Terminal with 0.50.0 crashes on a link. */
const VTE_WITH_LINKS = 5001;
const KONSOLE_WITH_LINKS = 201200;

/**
 * Whether stdout gets links (OSC 8). `FORCE_HYPERLINK` decides where it is set: 0 and `false` say no. Otherwise they are
 * written to a terminal that is known to show them, and not with `NO_COLOR` or `TERM=dumb`.
 */
export function showsLinks({ env, terminal }: Pick<Io, "env" | "terminal">): boolean {
  const forced = env["FORCE_HYPERLINK"];
  if (forced !== undefined) return !/^(?:0+|false)$/i.test(forced);
  const { TERM = "", TERM_PROGRAM: program = "", TERM_PROGRAM_VERSION: version = "" } = env;
  if (!terminal.stdout || env["NO_COLOR"] || TERM === "dumb") return false;
  const since = Object.hasOwn(SINCE, program) ? SINCE[program] : undefined;
  if (since !== undefined && isSince(version, since)) return true;
  // Inside tmux and screen the variables of the terminal around them remain.
  if (env["TMUX"] || /^(?:tmux|screen)/.test(TERM)) return false;
  return TERMS.test(TERM) || Boolean(env["WT_SESSION"] || env["KITTY_WINDOW_ID"]) ||
    Number(env["VTE_VERSION"]) >= VTE_WITH_LINKS || Number(env["KONSOLE_VERSION"]) >= KONSOLE_WITH_LINKS;
}

function isSince(version: string, [major, minor]: readonly [number, number]): boolean {
  const [first = 0, second = 0] = version.split(".").map((part) => Number.parseInt(part, 10) || 0);
  return first > major || first === major && second >= minor;
}

/** A text that leads to a file where the terminal shows links. A URL has no control characters: they are percent-encoded. */
export function fileLink(text: string, path: string): string {
  return `\u001b]8;;${pathToFileURL(path).href}\u001b\\${text}\u001b]8;;\u001b\\`;
}
