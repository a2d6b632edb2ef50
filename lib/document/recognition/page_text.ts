/** Mean certainty in percent below which a line, or a whole page, is not text. Printed text has 85 and more. */
const LEAST_OF_LINE = 50;
const LEAST_OF_PAGE = 60;
/** Share of the width of its paragraph from which a line is full, so that the next one continues its sentence. */
const FULL = 0.8;
/** Levels of the rows of Tesseract's table. */
const PARAGRAPH = "3", LINE = "4", WORD = "5";

/** Characters between which no blank is written: Chinese, Japanese, and their punctuation. */
const WIDE = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff00-\\uffef“”‘’…—]";
const WIDE_END = new RegExp(`${WIDE}$`, "u");
const WIDE_START = new RegExp(`^${WIDE}`, "u");
const PUNCTUATION_START = /^[\u3001\u3002\uff01-\uff0f\uff1a-\uff20\u3008-\u3011”’]/u;

interface Word {
  readonly text: string;
  readonly certainty: number;
}

interface Line {
  readonly words: Word[];
  readonly right: number;
}

interface Paragraph {
  readonly right: number;
  readonly lines: Line[];
}

/**
 * Returns the text of a page from Tesseract's table of words. Paragraphs are separated by an empty line, and their full
 * lines are joined. Lines that Tesseract is not certain of are left out: it reads text into pictures and stains. Empty if
 * most of the page is uncertain.
 */
export function pageText(table: string): string {
  const paragraphs = paragraphsOf(table);
  const words = paragraphs.flatMap(({ lines }) => lines.flatMap(({ words }) => words));
  if (certaintyOf(words) < LEAST_OF_PAGE) return "";
  return paragraphs.map(paragraphText).filter((text) => /[\p{L}\p{N}]/u.test(text)).join("\n\n");
}

function paragraphsOf(table: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  for (const row of table.split("\n")) {
    const [level, , , , , , left, , width, , certainty, ...cells] = row.split("\t");
    const right = Number(left) + Number(width);
    if (level === PARAGRAPH) paragraphs.push({ right, lines: [] });
    else if (level === LINE) paragraphs.at(-1)?.lines.push({ right, words: [] });
    else if (level === WORD) {
      const text = cells.join("\t").trim();
      if (text !== "") paragraphs.at(-1)?.lines.at(-1)?.words.push({ text, certainty: Number(certainty) });
    }
  }
  return paragraphs;
}

/** Returns the mean certainty of words in percent, each weighted by its length; 0 for no words. */
function certaintyOf(words: readonly Word[]): number {
  const length = words.reduce((sum, { text }) => sum + text.length, 0);
  return length === 0
    ? 0
    : words.reduce((sum, { text, certainty }) => sum + text.length * certainty, 0) / length;
}

function paragraphText({ lines, right }: Paragraph): string {
  let text = "";
  let wasFull = false;
  for (const line of lines) {
    if (certaintyOf(line.words) < LEAST_OF_LINE) continue;
    const words = line.words.reduce((all, word) => join(all, word.text), "");
    text = text === "" || wasFull ? join(text, words, true) : `${text}\n${words}`;
    wasFull = line.right >= FULL * right;
  }
  return text;
}

/** Joins two pieces of text. `lines`: the second begins a line, so that a hyphen before it divides a word. */
function join(before: string, after: string, lines = false): string {
  if (before === "" || after === "") return before + after;
  if (lines && /\p{L}-$/u.test(before) && /^\p{Ll}/u.test(after)) return before.slice(0, -1) + after;
  const close = WIDE_END.test(before) && WIDE_START.test(after) || PUNCTUATION_START.test(after) ||
    WIDE_END.test(before) && /\p{P}$/u.test(before);
  return before + (close ? "" : " ") + after;
}
