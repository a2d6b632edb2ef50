import { displayWidth } from "./display_width.ts";

/**
 * Scripts without spaces, in the order of the groups: opening brackets, text, closing punctuation. Then other words, and
 * spaces.
 */
const PARTS =
  /([（《「『“]+)|([\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+)|([、，。；：！？）》」』”…—]+)|[^\s（《「『“、，。；：！？）》」』”…—\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+|\s+/gu;

/**
 * The text in lines of at most `width` columns, broken between words and never inside of one, also in Chinese. A word that
 * is wider has a line of its own. No line begins with a closing punctuation mark or ends with an opening one. Line breaks of
 * the text stay.
 */
export function wrapWords(text: string, width: number): string {
  return text.split("\n").map((line) => wrapLine(line, width)).join("\n");
}

function wrapLine(line: string, width: number): string {
  if (displayWidth(line) <= width) return line;
  const lines: string[] = [];
  let current = "";
  for (const word of wordsOf(line)) {
    if (current !== "" && displayWidth(current + word.trimEnd()) > width) {
      lines.push(current.trimEnd());
      current = word;
    } else current += word;
  }
  return [...lines, current.trimEnd()].join("\n");
}

/** The words of a line, each with the punctuation and the space that belong to it. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let opening = "";
  for (const [part, opens, han, closes] of line.matchAll(PARTS)) {
    if (opens !== undefined) opening += part;
    else if (words.length > 0 && opening === "" && (closes !== undefined || part.trim() === "")) {
      words[words.length - 1] += part;
    } else {
      const found = han === undefined ? [part] : chineseWords(part);
      words.push(opening + found[0]!, ...found.slice(1));
      opening = "";
    }
  }
  return opening === "" ? words : [...words, opening];
}

/**
 * The words of a Chinese text. A single character belongs to the word before it: the segmenter divides 客户端 into 客户 and 端.
 */
function chineseWords(text: string): string[] {
  const words: string[] = [];
  for (const { segment } of new Intl.Segmenter("zh", { granularity: "word" }).segment(text)) {
    if (words.length > 0 && [...segment].length === 1) words[words.length - 1] += segment;
    else words.push(segment);
  }
  return words;
}
