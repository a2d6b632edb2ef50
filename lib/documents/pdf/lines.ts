/**
 * The types of the layout analysis, and lines: from runs on one baseline to text that continues over lines.
 * Below them: clean characters, list markers, captions, and the dots of a table of contents.
 * Lengths are in points (1/72 inch). x grows to the right, y downwards.
 */
import { given } from "../types.ts";

/** A rectangle on a page. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The face that the name of a font describes. */
export interface Face {
  readonly name: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
}

/** A piece of a line in one font, as the file draws it. */
export interface Run extends Box {
  readonly text: string;
  readonly baseline: number;
  /** Font size. */
  readonly size: number;
  readonly face: Face;
  /** Whether the text is written from right to left. `text` is in logical order in either case. */
  readonly rtl: boolean;
  /** Whether the file has a blank at the left, or right, side. */
  readonly blankLeft: boolean;
  readonly blankRight: boolean;
  /** Address of the link around the run. */
  readonly link?: string;
}

/** Text with or without a link. */
export interface Piece {
  readonly text: string;
  readonly link?: string | undefined;
}

/** Adjacent runs on one baseline, without a wide gap. */
export interface Line extends Box {
  /** In the order of the file. */
  readonly runs: readonly Run[];
  readonly baseline: number;
  readonly size: number;
  /** Face of most of its characters. */
  readonly face: Face;
  /** Position in the order of the file. */
  readonly order: number;
}

/** A part of the width of a page. */
export interface Interval {
  readonly left: number;
  readonly right: number;
}

/** A table and its position. Cells contain inline Markdown. */
export interface TableBox extends Box {
  readonly rows: readonly (readonly string[])[];
  /** The places of its columns, in the order of the cells. */
  readonly columns: readonly Interval[];
  /** The runs in the table. */
  readonly runs: readonly Run[];
  /** Position in the order of the file. */
  readonly order: number;
}

/** The upright content of a page. */
export interface PageLayer {
  /** In the order of the file. */
  readonly runs: readonly Run[];
  /** Horizontal and vertical ruling lines. */
  readonly rules: readonly Box[];
}

/** The content of a page before layout. */
export interface PageContent {
  readonly height: number;
  /** The main text of the page first, then text at other angles. */
  readonly layers: readonly PageLayer[];
  /** Texts that lie over the page, such as watermarks, which follow it. */
  readonly annotations?: readonly string[];
}

/** An entry of the outline in the file. */
export interface OutlineEntry {
  readonly title: string;
  /** Counted from 1, the outermost level. */
  readonly level: number;
  /** Page that it leads to, counted from 1, if any. */
  readonly page: number | undefined;
}

/** Gap, in font sizes, from which on two runs on one baseline belong to different lines, such as those of two columns. */
const WIDE_GAP = 0.9;

/** Joins runs to lines: first those that follow each other in the file, then those side by side. */
export function linesOf(runs: readonly Run[]): Line[] {
  const groups: Run[][] = [];
  let current: Run[] = [];
  let box: Extent | undefined;
  for (const run of runs) {
    if (box !== undefined && isTwice(current, run)) continue;
    if (box !== undefined && continues(box, run)) {
      current.push(run);
      box = grown(box, run);
    } else {
      if (current.length > 0) groups.push(current);
      current = [run];
      box = run;
    }
  }
  if (current.length > 0) groups.push(current);
  return mergeNeighbours(groups.map(lineOf));
}

/** Returns a line of runs on one baseline. `order`: its position in the file. */
export function lineOf(runs: readonly Run[], order: number): Line {
  const sizes = new Map<number, number>(), faces = new Map<Face, number>();
  let all = 0;
  for (const { left, right, size, face, text } of runs) {
    const width = Math.max(0.1, right - left);
    count(sizes, size, width);
    count(faces, face, text.length);
    all += width;
  }
  // pdf.js gives text after a small character that character's size. The larger size is used if a part of the line has it.
  const size = Math.max(
    ...[...sizes].filter(([, width]) => width >= 0.25 * all || sizes.size > 4).map(([size]) => size),
  );
  const main = runs.find((run) => run.size === size)!;
  return {
    runs,
    ...boundsOf(runs),
    top: main.baseline - 0.8 * size,
    bottom: main.baseline + 0.2 * size,
    baseline: main.baseline,
    size,
    face: most(faces),
    order,
  };
}

/** Returns the smallest rectangle around all boxes, of which there must be at least one. */
export function boundsOf(boxes: readonly Box[]): Box {
  let { left, top, right, bottom } = boxes[0]!;
  for (const box of boxes) {
    left = Math.min(left, box.left);
    top = Math.min(top, box.top);
    right = Math.max(right, box.right);
    bottom = Math.max(bottom, box.bottom);
  }
  return { left, top, right, bottom };
}

/** Adds to the count of a key. */
export function count<T>(counts: Map<T, number>, key: T, more = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

/** Returns the key with the highest count, the first of several. */
export function most<T>(counts: ReadonlyMap<T, number>): T {
  let best: T | undefined, height = -1;
  for (const [key, count] of counts) {
    if (count > height) [best, height] = [key, count];
  }
  return best!;
}

/** Extent of an unfinished line. Its baseline and size are those of its largest run. */
type Extent = Pick<Run, "left" | "right" | "baseline" | "size">;

function grown(box: Extent, run: Extent): Extent {
  const { baseline, size } = run.size > box.size * 1.05 ? run : box;
  return { left: Math.min(box.left, run.left), right: Math.max(box.right, run.right), baseline, size };
}

function continues(box: Extent, run: Extent): boolean {
  if (!onOneBaseline(box, run)) return false;
  const size = Math.max(box.size, run.size);
  const after = run.left - box.right, before = box.left - run.right;
  return after < WIDE_GAP * size && before < WIDE_GAP * size;
}

/** Returns whether two extents share a baseline, or one is a superscript or subscript of the other. */
function onOneBaseline(a: Extent, b: Extent): boolean {
  const large = Math.max(a.size, b.size), small = Math.min(a.size, b.size);
  const apart = Math.abs(a.baseline - b.baseline);
  return apart < (small < 0.85 * large ? 0.55 : 0.25) * large;
}

/** Returns whether the file draws a text twice at almost the same position to make it look bold. */
function isTwice(runs: readonly Run[], run: Run): boolean {
  return runs.slice(-4).some((last) =>
    last.text === run.text && Math.abs(last.left - run.left) < 0.25 * run.size &&
    Math.abs(last.baseline - run.baseline) < 0.25 * run.size
  );
}

/** Joins lines on one baseline without a wide gap, although the file does not draw them one after the other. */
function mergeNeighbours(lines: readonly Line[]): Line[] {
  const merged: Line[] = [];
  for (const row of rowsOf(lines)) {
    row.sort((a, b) => a.left - b.left);
    let group = [row[0]!], box: Extent = row[0]!;
    for (const line of row.slice(1)) {
      if (continues(box, line) && line.left > box.right - 0.5 * box.size) {
        group.push(line);
        box = grown(box, line);
      } else {
        merged.push(together(group));
        group = [line];
        box = line;
      }
    }
    merged.push(together(group));
  }
  return merged.sort((a, b) => a.order - b.order);
}

/** Returns one line of lines on one baseline, of which there must be at least one. */
export function together(lines: readonly Line[]): Line {
  if (lines.length === 1) return lines[0]!;
  return lineOf(lines.flatMap(({ runs }) => runs), least(lines.map(({ order }) => order)));
}

/** Returns lines grouped by baseline, from top to bottom. The lines of a row are in no order. */
export function rowsOf(lines: readonly Line[]): Line[][] {
  const rows: { box: Extent; readonly lines: Line[] }[] = [];
  for (const line of lines.toSorted((a, b) => a.baseline - b.baseline)) {
    const found = rows.slice(-3).findLast(({ box }) => onOneBaseline(box, line));
    if (found === undefined) rows.push({ box: line, lines: [line] });
    else {
      found.lines.push(line);
      if (line.size > found.box.size * 1.05) found.box = line;
    }
  }
  return rows.map(({ lines }) => lines);
}

/** Returns the number of characters in some runs. */
export function lengthOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}

const RTL_LETTER = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/g;
const LTR_LETTER = /[A-Za-z\u00C0-\u024F\u0370-\u052F]/g;

/** Returns whether most letters are written from right to left. */
export function isRightToLeft(runs: readonly Run[]): boolean {
  let rtl = 0, ltr = 0;
  for (const { text } of runs) {
    rtl += text.match(RTL_LETTER)?.length ?? 0;
    ltr += text.match(LTR_LETTER)?.length ?? 0;
  }
  return rtl > ltr;
}

/** Returns the text of a line in logical order, with its links. */
export function piecesOf(line: Pick<Line, "runs">): Piece[] {
  const runs = inReadingOrder(line.runs);
  const pieces: OpenPiece[] = [];
  runs.forEach((run, i) => {
    const before = runs[i - 1];
    append(pieces, run, before !== undefined && hasBlankBetween(before, run) ? " " : "");
  });
  return pieces.map(({ parts, link }) => ({ text: untracked(parts.join("")), ...given({ link }) }));
}

/** A piece that is not complete. */
interface OpenPiece {
  readonly parts: string[];
  readonly link: string | undefined;
}

/** Adds a text to the last piece, or a piece with another link, after a blank. The blank goes outside of links. */
function append(pieces: OpenPiece[], { text, link }: Piece, blank: string): void {
  const last = pieces.at(-1);
  if (last?.link === link && last !== undefined) last.parts.push(blank, text);
  else if (last === undefined || blank === "") pieces.push({ parts: [text], link });
  else if (link === undefined) pieces.push({ parts: [blank + text], link });
  else {
    if (last.link === undefined) last.parts.push(blank);
    else pieces.push({ parts: [blank], link: undefined });
    pieces.push({ parts: [text], link });
  }
}

/** Returns the text of a line without its links. */
export function textOf(line: Pick<Line, "runs">): string {
  return piecesOf(line).map(({ text }) => text).join("");
}

/** Joins Chinese characters that a heading spaces out, such as 目 录. */
function untracked(text: string): string {
  return text.replace(
    /(?<![^\s])\p{Script=Han}(?: +\p{Script=Han})+(?![^\s])/gu,
    (word) => word.replaceAll(" ", ""),
  );
}

/**
 * Returns runs in reading order. Runs come from left to right. In a right-to-left line they are read from the right, except
 * for left-to-right stretches.
 */
function inReadingOrder(runs: readonly Run[]): readonly Run[] {
  if (runs.length < 2) return runs;
  const sorted = runs.toSorted((a, b) => a.left - b.left);
  if (!isRightToLeft(runs)) return sorted;
  const ordered: Run[] = [];
  let stretch: Run[] = [];
  for (const run of sorted.reverse()) {
    if (isLeftToRight(run)) stretch.unshift(run);
    else {
      ordered.push(...stretch, run);
      stretch = [];
    }
  }
  return [...ordered, ...stretch];
}

function isLeftToRight({ text, rtl }: Run): boolean {
  return !rtl && /[A-Za-z0-9\u00C0-\u024F\u0370-\u052F]/.test(text) && text.search(RTL_LETTER) === -1;
}

function hasBlankBetween(first: Run, second: Run): boolean {
  const [a, b] = first.left <= second.left ? [first, second] : [second, first];
  const gap = b.left - a.right;
  const size = Math.min(a.size, b.size);
  if (endsWithCjk(first.text) && startsWithCjk(second.text)) return gap > 0.7 * size;
  // Latin letters in Arabic text are separate words.
  if (first.rtl !== second.rtl && /\p{L}$/u.test(first.text) && /^\p{L}/u.test(second.text)) return true;
  // The raised mark of a footnote does not belong to the word.
  const isRaised = second.size < 0.85 * first.size && second.baseline < first.baseline - 0.15 * first.size;
  if (isRaised && /(?:\p{L}{3}|[.,;:!?)”’])$/u.test(first.text)) return true;
  return a.blankRight || b.blankLeft || gap > 0.13 * size;
}

const NONE: ReadonlySet<string> = new Set();
/**
 * Returns a paragraph made of its lines. Divided words are joined, and so is a link that continues. `words`: the words of
 * the document in lower case. They decide whether a hyphen at the end of a line belongs to a word.
 */
export function joinLines(lines: readonly (readonly Piece[])[], words: ReadonlySet<string> = NONE): Piece[] {
  const joined: OpenPiece[] = [];
  for (const line of lines) {
    line.forEach((piece, i) => {
      const parts = i === 0 ? joined.at(-1)?.parts : undefined;
      const end = parts?.at(-1) ?? "";
      const { drop, blank } = parts === undefined ? { drop: 0, blank: "" } : joint(end, piece.text, words);
      if (drop > 0) parts![parts!.length - 1] = end.slice(0, -drop);
      append(joined, piece, blank);
    });
  }
  return joined.map(({ parts, link }) => ({
    text: parts.join("").replaceAll("\u00AD", ""),
    ...given({ link }),
  }))
    .filter(({ text }) => text !== "");
}

/** Characters at the end of a line that are examined. */
const TAIL = 200;

/** Returns how many characters at the end of the line to drop, and the blank between it and the next line. */
function joint(text: string, start: string, words: ReadonlySet<string>): { drop: number; blank: string } {
  const end = text.slice(-TAIL);
  if (endsWithCjk(end) || startsWithCjk(start)) {
    // A Latin word next to a Chinese one.
    const isMixed = endsWithCjk(end) ? /^[A-Za-z0-9]/.test(start) : /[\p{L}\p{N}]$/u.test(end);
    const areWords = /[\p{L}\p{N}]$/u.test(end) && /^[\p{L}\p{N}]/u.test(start);
    return { drop: 0, blank: isMixed && areWords ? " " : "" };
  }
  if (end.endsWith("\u00AD")) return { drop: 1, blank: "" };
  const word = /([\p{L}\p{N}'’-]*)[-\u2010]$/u.exec(end)?.[1];
  if (word !== undefined && word !== "") return { drop: isDivided(word, start, words) ? 1 : 0, blank: "" };
  // An address that is broken after a slash continues.
  if (/https?:\/\/\S*\/$/.test(end) && /^[\w#?%-]/.test(start)) return { drop: 0, blank: "" };
  return { drop: 0, blank: " " };
}

/** Matches prefixes and first words whose hyphen belongs to the word. */
const KEEPS_HYPHEN =
  /^(?:self|non|well|half|cross|multi|pre|post|ex|quasi|so|co|high|low|long|short|state|end|user|real|open|third|two|three|four|five|one|first|second|large|small|full|e|t|x|i)$/i;

/**
 * Returns whether a word was divided at the end of the line, rather than written with a hyphen: `infor-` and `mation`, not
 * `self-` and `locking`.
 */
function isDivided(word: string, start: string, words: ReadonlySet<string>): boolean {
  if (!/^\p{Ll}/u.test(start) || /\p{N}$/u.test(word)) return false;
  const rest = /^\p{L}+/u.exec(start)![0].toLowerCase(), head = word.toLowerCase();
  if (words.has(head + rest)) return true;
  if (words.has(`${head}-${rest}`)) return false;
  if (/[-\u2010]/.test(word) || /^\p{Lu}{2,}$/u.test(word)) return false;
  return !KEEPS_HYPHEN.test(word);
}

/** Returns pieces as inline Markdown. A link whose text is its address stays bare. */
export function toMarkdown(pieces: readonly Piece[]): string {
  return pieces.map(({ text, link }) => {
    if (link === undefined || text.trim() === "") return text;
    const shown = text.trim();
    if (bare(shown) === bare(link) || !/^(?:https?|ftp|mailto):/i.test(link)) return text;
    return `[${shown.replace(/[[\]]/g, "\\$&")}](${
      link.replace(/[\s()<>]/g, encodeURIComponent).replace(/[()]/g, (c) => c === "(" ? "%28" : "%29")
    })`;
  }).join("").replace(/ {2,}/g, " ").trim();
}

/** Returns pieces as plain text. */
export function toText(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("").replace(/ {2,}/g, " ").trim();
}

function bare(address: string): string {
  return address.replace(/^(?:mailto:|https?:\/\/)/i, "").replace(/\/$/, "").replace(/\s+/g, "");
}

/** Matches bullets of the fonts Symbol and Wingdings in the private use area. */
const BULLETS = /[\uF0A7\uF0B7\uF076\uF0D8\uF0FC\uF06E\uF06C\uF09F\uF0A8\uF071]/g;

/**
 * Returns text without control characters, with normal blanks, bullets and mathematical letters. Soft hyphens stay, since a
 * line may end in one.
 */
export function cleanText(text: string): string {
  return text
    // deno-lint-ignore no-control-regex -- these are meant
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFFFE\uFFFF\u200B\u2060\uFEFF]/g, "")
    .replace(BULLETS, "•")
    .replace(/[\u{1D400}-\u{1D7FF}]/gu, (letter) => letter.normalize("NFKC"))
    .replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000\t\n]/g, " ")
    // The stroke that lengthens Arabic words.
    .replace(/(?<=[\u0620-\u06D3])\u0640+/g, "")
    .replace(/[\u202A-\u202E\u2066-\u2069\u200E\u200F]/g, "")
    .toWellFormed();
}

/** Matches characters of scripts without blanks between words. */
export const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFFEF\u2018\u2019\u201C\u201D\u2026\u2014]/u;
const STRICTLY_CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF01-\uFF60]/u;

/** Returns whether the last character of a text belongs to a script without blanks between words. */
function endsWithCjk(text: string): boolean {
  return STRICTLY_CJK.test(Array.from(text.slice(-2)).at(-1) ?? "");
}

export function startsWithCjk(text: string): boolean {
  return STRICTLY_CJK.test(String.fromCodePoint(text.codePointAt(0) ?? 32));
}

/** The marker of a list item. */
interface ListMarker {
  /** Whether it is a bullet. Otherwise it is a number or letter. */
  readonly bullet: boolean;
  readonly number?: number;
  /** Length of the marker with the blanks after it. */
  readonly length: number;
}

const BULLET = /^(?:[•‣◦▪▫●○■□◆◇►▶⁃∙·➢➤✓✔☐☑☒❑❖]|[-–—*](?=\s))\s*/u;
const NUMBER = /^(\d{1,3})[.)](?:\s+|(?=\p{Script=Han}))(?!\d)/u;
const LETTER = /^(?:\((?:\d{1,3}|[a-z]|[ivx]{1,4})\)|[a-z]\)|（[一二三四五六七八九十\d]{1,3}）|[①-⑳])\s*/u;

/** Matches a line that consists of a bullet or the number of an item. */
export const BARE_BULLET = /^(?:[•‣◦▪▫●○■□◆◇►▶⁃∙·➢➤✓✔☐☑☒❑❖*–-]|\d{1,3}[.)])$/u;

/** Returns the list marker at the start of a text, if there is one. */
export function listMarker(text: string): ListMarker | undefined {
  const found = (pattern: RegExp) => {
    const match = pattern.exec(text);
    return match === null || match[0].length === text.length ? undefined : match;
  };
  const bullet = found(BULLET);
  if (bullet !== undefined) return { bullet: true, length: bullet[0].length };
  const number = found(NUMBER);
  if (number !== undefined) return { bullet: false, number: Number(number[1]), length: number[0].length };
  return found(LETTER) === undefined ? undefined : { bullet: false, length: 0 };
}

/** Matches the beginning of the caption of a figure or table. */
const CAPTION =
  /^(?:(?:[Ff]ig(?:ure|\.)?|FIG(?:URE|\.)?|[Tt]able|TABLE|[Tt]ab\.|[Ll]isting|[Aa]lgorithm|[Ss]cheme|[Cc]hart|[Bb]ox|[Aa]bb\.)\s*(?:\d|[A-Z]?[.\d]|[A-Z]\b|[IVX]+\b)|(?:图|表|圖|附图)\s*[\d一二三四五六七八九十A-Z])/;

export function isCaption(text: string): boolean {
  return CAPTION.test(text);
}

/**
 * Matches the dots before a page number in a table of contents. A number must follow, since Chinese writes an ellipsis as
 * two ……, and formulas contain dots. The repetition is bounded, so that matching takes linear time.
 */
export const LEADERS =
  /(?:(?:[.·‧∙] ?){5,300}|…{3,300}|⋯{3,300})(?=\s*[\d０-９IVXLCivxlc][\d０-９IVXLCivxlc.-]{0,7}(?:[\s（]|$))/;

/**
 * Returns the least of numbers, or infinity if there are none. `Math.min` takes fewer arguments than a page may have values.
 */
export function least(values: Iterable<number>): number {
  let found = Infinity;
  for (const value of values) if (value < found) found = value;
  return found;
}
