import { endsWithCjk, startsWithCjk } from "./clean_text.ts";
import type { Piece } from "./types.ts";

const NONE: ReadonlySet<string> = new Set();
/**
 * Returns a paragraph made of its lines. Divided words are joined, and so is a link that continues. `words`: the words of
 * the document in lower case. They decide whether a hyphen at the end of a line belongs to a word.
 */
export function joinLines(lines: readonly (readonly Piece[])[], words: ReadonlySet<string> = NONE): Piece[] {
  const joined: { parts: string[]; link: string | undefined }[] = [];
  const add = (text: string, link: string | undefined) => joined.push({ parts: [text], link });
  for (const line of lines) {
    const [first, ...rest] = line;
    if (first === undefined) continue;
    const last = joined.at(-1);
    if (last === undefined) add(first.text, first.link);
    else {
      const end = last.parts.at(-1)!;
      const { drop, blank } = joint(end, first.text, words);
      if (drop > 0) last.parts[last.parts.length - 1] = end.slice(0, -drop);
      if (last.link === first.link) last.parts.push(blank, first.text);
      else {
        // The blank goes outside of the link.
        if (last.link === undefined) last.parts.push(blank);
        else if (first.link !== undefined) add(blank, undefined);
        add(
          last.link !== undefined && first.link === undefined ? blank + first.text : first.text,
          first.link,
        );
      }
    }
    for (const piece of rest) add(piece.text, piece.link);
  }
  return joined.map(({ parts, link }) => {
    const text = parts.join("").replaceAll("\u00AD", "");
    return link === undefined ? { text } : { text, link };
  }).filter(({ text }) => text !== "");
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
