/**
 * Reads the outline of Markdown: headings by the rules of CommonMark.
 * Below it: fences and list markers, and the words of a heading.
 */
import {
  headingText,
  isBlank,
  lineEnd,
  Outline,
  runLength,
  skipBlanks,
  titled,
  trimBlanks,
} from "./outline.ts";
import { type Document, pairs } from "../types.ts";
import { readReferences } from "./references.ts";

const HASH = 0x23, EQUALS = 0x3d, DASH = 0x2d, LESS = 0x3c, SPACE = 0x20, TAB = 0x09;
/** A longer paragraph above an underline is prose before a horizontal rule, although CommonMark makes it a heading. */
const LONGEST_SETEXT_LINES = 3;
const RAW_TAGS = ["pre", "script", "style", "textarea"];

/**
 * Reads Markdown by CommonMark's rules for headings: ATX and setext, except in fenced and indented code, HTML comments and
 * raw HTML blocks. Headings inside quotes and list items make no sections. The title is that of the first level 1 heading.
 */
export function loadMarkdown(text: string): Document {
  const outline = new Outline();
  let fence: Fence = 0;
  let paragraphStart = -1;
  let paragraphLines = 0;

  for (let start = 0, next = 0; start < text.length; start = next) {
    const newline = lineEnd(text, start);
    next = newline + 1;
    let at = start;
    while (text.charCodeAt(at) === SPACE) at++;
    const code = at < newline ? text.charCodeAt(at) : SPACE;
    const indented = at - start > 3 || code === TAB;

    if (fence !== 0) {
      if (!indented && closesFenceAt(text, at, newline, fence)) fence = 0;
      continue;
    }
    if (isBlankLine(text, at, newline)) {
      paragraphLines = 0;
      continue;
    }
    if (indented) {
      // Code, or the continuation of a paragraph. The last line of a setext heading is rarely indented this far.
      if (paragraphLines > 0) paragraphLines++;
      continue;
    }
    if (code === HASH) {
      const level = runLength(text, at, Math.min(newline, at + 7), HASH);
      const after = at + level;
      if (level <= 6 && (after === newline || isBlank(text.charCodeAt(after)))) {
        const end = trimBlanks(text, at, newline);
        outline.add(start, end, level, stripInlineMarkdown(atxTitle(text, after, end)));
        paragraphLines = 0;
        continue;
      }
    } else if (code === LESS) {
      const close = rawHtmlEnd(text, at);
      if (close >= 0) {
        paragraphLines = 0;
        next = lineEnd(text, close) + 1;
        continue;
      }
    } else if (code === EQUALS || code === DASH) {
      const end = at + runLength(text, at, newline, code);
      if (skipBlanks(text, end, newline) === newline && paragraphLines > 0) {
        if (paragraphLines <= LONGEST_SETEXT_LINES) {
          const title = headingText(text, paragraphStart, start).replace(/\s*\n\s*/g, " ");
          outline.add(paragraphStart, end, code === EQUALS ? 1 : 2, stripInlineMarkdown(title));
        }
        paragraphLines = 0;
        continue;
      }
    }
    const marked = listMarkerEnd(text, at, newline);
    fence = fenceOpenedAt(text, marked, newline);
    if (fence !== 0) {
      paragraphLines = 0;
    } else if (marked > at || code === 0x3e || code === 0x7c) {
      paragraphLines = LONGEST_SETEXT_LINES + 1; // A list item, quote or table row is never a setext heading.
    } else {
      if (paragraphLines === 0) paragraphStart = start;
      paragraphLines++;
    }
  }
  const sections = outline.finish(text.length);
  const { tags, links } = readReferences(text);
  return {
    ...titled({ text, sections }, outline.firstTitle()),
    ...(tags.length > 0 ? { metadata: { tags } } : {}),
    ...(links.length > 0 ? { links } : {}),
  };
}

/** Whether a line is blank. Ideographic spaces count: Chinese texts contain lines that consist of them. */
function isBlankLine(text: string, at: number, end: number): boolean {
  at = skipBlanks(text, at, end);
  while (at < end && /\s/.test(text[at]!)) at++;
  return at === end;
}

/** Returns the text between the opening and the closing `#` signs. */
function atxTitle(text: string, from: number, end: number): string {
  let close = end;
  while (close > from && text.charCodeAt(close - 1) === HASH) close--;
  if (close > from && !isBlank(text.charCodeAt(close - 1))) close = end;
  return headingText(text, from, close);
}

/** Returns where the content of a list item begins, or `at` if there is no list marker. */
function listMarkerEnd(text: string, at: number, end: number): number {
  const marker = at + listMarkerLength(text, at);
  return marker > at && marker < end && isBlank(text.charCodeAt(marker)) ? skipBlanks(text, marker, end) : at;
}

/** Returns an offset in the last line of the comment or raw HTML block that starts at `at`, or -1 if there is none. */
function rawHtmlEnd(text: string, at: number): number {
  let close = "";
  if (text.startsWith("<!--", at)) close = "-->";
  else {
    const tag = RAW_TAGS.find((name) => text.slice(at + 1, at + 1 + name.length).toLowerCase() === name);
    if (tag === undefined || !/[\s>]/.test(text[at + 1 + tag.length] ?? ">")) return -1;
    close = `</${tag}>`;
  }
  const end = text.indexOf(close, at);
  return end < 0 ? text.length : end;
}

/** Length of an open code fence, negative for a fence of tildes; 0 if no fence is open. */
export type Fence = number;

const TICK = 0x60, TILDE = 0x7e;

/** Returns the fence that opens at `at`, where the content of a line begins; the line ends at `end`. */
export function fenceOpenedAt(text: string, at: number, end: number): Fence {
  const code = text.charCodeAt(at);
  if (code !== TICK && code !== TILDE) return 0;
  const length = runLength(text, at, end, code);
  if (length < 3) return 0;
  if (code === TILDE) return -length;
  // ```code``` on one line is inline code.
  for (let i = at + length; i < end; i++) if (text.charCodeAt(i) === TICK) return 0;
  return length;
}

/** Whether the line whose content is `[at, end)` closes `fence`. */
export function closesFenceAt(text: string, at: number, end: number, fence: Fence): boolean {
  const length = runLength(text, at, end, fence > 0 ? TICK : TILDE);
  return length >= Math.abs(fence) && skipBlanks(text, at + length, end) === end;
}

/**
 * Returns the length of the list marker at `at`, as `-` or `12.`; 0 if there is none. CommonMark also requires a blank after
 * the marker, which the caller checks. With `extended`, `•` and `1、` count too, which Markdown does not know.
 */
export function listMarkerLength(text: string, at: number, extended = false): number {
  const code = text.charCodeAt(at);
  if (code > 0x39) return extended && code === 0x2022 ? 1 : 0;
  if (code === 0x2d || code === 0x2a || code === 0x2b) return 1;
  let end = at;
  while (end < at + 9 && isDigit(text.charCodeAt(end))) end++;
  if (end === at) return 0;
  const delimiter = text.charCodeAt(end);
  const isMarker = delimiter === 0x2e || delimiter === 0x29 || (extended && delimiter === 0x3001);
  return isMarker ? end + 1 - at : 0;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/**
 * Characters by the names that HTML has for them, without letters with marks. Names of rarer symbols stay as they are written.
 */
const NAMED: Readonly<Record<string, string>> = {
  nbsp: " ",
  ensp: " ",
  emsp: " ",
  thinsp: " ",
  shy: "",
  ...pairs(
    "amp & lt < gt > quot \" apos ' ndash – mdash — hellip … bull • middot · lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „",
    "laquo « raquo » lsaquo ‹ rsaquo › para ¶ sect § copy © reg ® trade ™ deg ° plusmn ± times × divide ÷ minus − micro µ",
    "frac12 ½ frac14 ¼ frac34 ¾ sup1 ¹ sup2 ² sup3 ³ euro € pound £ yen ¥ cent ¢ larr ← rarr → uarr ↑ darr ↓ harr ↔",
    "rArr ⇒ hArr ⇔ infin ∞ sum ∑ ne ≠ le ≤ ge ≥ asymp ≈ radic √ part ∂ int ∫ szlig ß aelig æ AElig Æ oelig œ OElig Œ",
    "oslash ø Oslash Ø iexcl ¡ iquest ¿ ordm º ordf ª alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι",
    "kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ",
    "Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω",
  ),
};

/** The combining marks in names such as `eacute`. */
const MARKS: Readonly<Record<string, string>> = pairs(
  "grave \u0300 acute \u0301 circ \u0302 tilde \u0303 uml \u0308 ring \u030a caron \u030c cedil \u0327",
);

/** UTF-16 units of the longest reference that is looked for. */
const MOST_UNITS = 12;

/** The text with the character references of HTML replaced, `&eacute;`, `&#233;` and `&#xe9;`. Unknown ones stay. */
export function withoutReferences(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,8}));/g,
    (written, decimal?: string, hex?: string, name = "") => {
      if (decimal !== undefined || hex !== undefined) {
        const code = decimal === undefined ? parseInt(hex!, 16) : Number(decimal);
        // Control characters and halves of characters are no text.
        const isText = code > 0x1f && code <= 0x10ffff && !(code >= 0x7f && code < 0xa0) &&
          code >> 11 !== 0x1b;
        return isText ? String.fromCodePoint(code) : written;
      }
      if (Object.hasOwn(NAMED, name)) return NAMED[name]!;
      const mark = name.slice(1);
      return Object.hasOwn(MARKS, mark) ? (name[0] + MARKS[mark]!).normalize("NFC") : written;
    },
  );
}

/**
 * Returns the words of a heading without emphasis, code marks, links, HTML tags, escapes and a closing `{#id}`. Alternative
 * texts of images stay. Works in one pass with a stack: regular expressions with backtracking would take quadratic time for
 * a heading with a thousand brackets, and a file can contain a hundred thousand such headings.
 */
export function stripInlineMarkdown(source: string): string {
  const attributes = source.endsWith("}") ? source.lastIndexOf("{") : -1;
  if (attributes >= 0 && /[#.:]/.test(source[attributes + 1] ?? "")) source = source.slice(0, attributes);

  const out: string[] = [];
  const brackets: number[] = [];
  const emphasis: { mark: string; at: number }[] = [];
  const missing = new Set<string>();
  // A closing mark that is not found does not exist for later openers either.
  const find = (mark: string, from: number) => {
    if (missing.has(mark)) return -1;
    const at = source.indexOf(mark, from);
    if (at < 0) missing.add(mark);
    return at;
  };

  for (let at = 0; at < source.length;) {
    const char = source[at]!;
    const next = source[at + 1] ?? "";
    if (char === "\\" && /[!-/:-@[-`{-~]/.test(next)) {
      out.push(next);
      at += 2;
    } else if (char === "`") {
      let ticks = 1;
      while (source[at + ticks] === "`") ticks++;
      const mark = "`".repeat(ticks);
      const close = find(mark, at + ticks);
      if (close >= 0) out.push(source.slice(at + ticks, close).trim());
      else out.push(mark);
      at = close >= 0 ? close + ticks : at + ticks;
    } else if (char === "[" || (char === "!" && next === "[")) {
      out.push(char === "!" ? "![" : "[");
      brackets.push(out.length - 1);
      at += char === "!" ? 2 : 1;
    } else if (char === "]") {
      const open = brackets.pop();
      const close = open === undefined
        ? -1
        : next === "("
        ? find(")", at + 2)
        : next === "["
        ? find("]", at + 2)
        : -1;
      if (close >= 0) out[open!] = "";
      else out.push(char);
      at = close >= 0 ? close + 1 : at + 1;
    } else if (char === "<" && /[a-z/!]/i.test(next)) {
      const close = find(">", at + 1);
      const inside = close < 0 ? "" : source.slice(at + 1, close);
      if (close < 0) out.push(char);
      else if (/^[a-z][a-z0-9+.-]*:\S+$/i.test(inside)) out.push(inside);
      at = close < 0 ? at + 1 : close + 1;
    } else if (char === "*" || char === "_" || char === "~") {
      let run = 1;
      while (source[at + run] === char) run++;
      const before = source[at - 1] ?? " ";
      const after = source[at + run] ?? " ";
      const inWord = char === "_" && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
      const open = emphasis.findLastIndex((one) => one.mark === char.repeat(Math.min(run, 9)));
      out.push(char.repeat(run));
      if (!inWord && open >= 0 && before.trim() !== "") {
        out[emphasis[open]!.at] = "";
        out[out.length - 1] = "";
        emphasis.length = open;
      } else if (
        !inWord && after.trim() !== "" && run <= 3 && (char !== "~" || run === 2) && emphasis.length < 16
      ) {
        emphasis.push({ mark: char.repeat(run), at: out.length - 1 });
      }
      at += run;
    } else if (char === "&") {
      const reference = /^&#?\w+;/.exec(source.slice(at, at + MOST_UNITS))?.[0] ?? char;
      out.push(withoutReferences(reference));
      at += reference.length;
    } else {
      out.push(char);
      at++;
    }
  }
  return out.join("").replace(/\s+/g, " ").trim();
}
