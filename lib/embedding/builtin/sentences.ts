/** A sentence that is shorter is joined with the next: in Latin letters; a Chinese character counts for {@linkcode HAN}. */
const LEAST = 80;
/** 30 Chinese characters say as much as 80 Latin letters (RANKING.md, leg V). */
const HAN = 80 / 30;

const FULL_STOP = 0x2e, EXCLAMATION = 0x21, QUESTION = 0x3f, LINE_FEED = 0x0a, SPACE = 0x20;
/** 。！？；… */
const CHINESE_ENDS: ReadonlySet<number> = new Set([0x3002, 0xff01, 0xff1f, 0xff1b, 0x2026]);
const FIRST_WIDE = 0x2e80;

/**
 * Where the sentences of `text` end, but for the last: ascending offsets. Sentences are joined until they are long enough to
 * have a meaning of their own; a blank line ends one, however short it is.
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
  // 1.13 and muxue_rag.ts end nothing
  return (unit === FULL_STOP || unit === EXCLAMATION || unit === QUESTION) &&
    !(text.charCodeAt(at + 1) > SPACE);
}
