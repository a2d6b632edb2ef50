/** Least length of a sentence, in Latin letters. A shorter one is joined with the next. */
const LEAST = 80;
/** Length of a Chinese character: 30 of them say as much as 80 Latin letters (RANKING.md, "Leg V, sentence"). */
const HAN = 80 / 30;

const FULL_STOP = 0x2e, EXCLAMATION = 0x21, QUESTION = 0x3f, LINE_FEED = 0x0a, SPACE = 0x20;
/** 。！？；… */
const CHINESE_ENDS: ReadonlySet<number> = new Set([0x3002, 0xff01, 0xff1f, 0xff1b, 0x2026]);
const FIRST_WIDE = 0x2e80;

/**
 * Returns the ends of all sentences of `text` except the last, as ascending offsets. Short sentences are joined with the
 * next, because their vectors would say little. A blank line ends a sentence of any length.
 */
export function sentenceBreaks(text: string): number[] {
  const breaks: number[] = [];
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    length += unit >= FIRST_WIDE ? HAN : 1;
    if (unit > QUESTION && unit < 0x2026) continue;
    const blankLine = unit === LINE_FEED && text.charCodeAt(at + 1) === LINE_FEED;
    if (!blankLine && (length < LEAST || !endsSentence(text, at, unit))) continue;
    breaks.push(at + 1);
    length = 0;
  }
  if (breaks.at(-1) === text.length) breaks.pop();
  return breaks;
}

function endsSentence(text: string, at: number, unit: number): boolean {
  if (CHINESE_ENDS.has(unit)) return true;
  // Not in 1.13 or muxue_rag.ts.
  return (unit === FULL_STOP || unit === EXCLAMATION || unit === QUESTION) &&
    !(text.charCodeAt(at + 1) > SPACE);
}
