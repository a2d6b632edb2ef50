import { endsWithCjk, startsWithCjk } from "./clean_text.ts";
import type { Line, Piece, Run } from "./types.ts";

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
  const pieces: { text: string; link?: string }[] = [];
  runs.forEach((run, i) => {
    const before = runs[i - 1];
    const blank = before !== undefined && hasBlankBetween(before, run) ? " " : "";
    const last = pieces.at(-1);
    if (last !== undefined && last.link === run.link) last.text += blank + run.text;
    else {
      if (last !== undefined && blank !== "") {
        // A blank belongs to the text outside of the link.
        if (last.link === undefined) last.text += blank;
        else if (run.link === undefined) {
          pieces.push({ text: blank + run.text });
          return;
        } else pieces.push({ text: blank });
      }
      pieces.push(run.link === undefined ? { text: run.text } : { text: run.text, link: run.link });
    }
  });
  return pieces.map((piece) => ({ ...piece, text: untracked(piece.text) }));
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
  const sorted = [...runs].sort((a, b) => a.left - b.left);
  if (!isRightToLeft(runs)) return sorted;
  sorted.reverse();
  const ordered: Run[] = [];
  for (let i = 0; i < sorted.length;) {
    let end = i;
    while (end < sorted.length && isLeftToRight(sorted[end]!)) end++;
    if (end > i) {
      ordered.push(...sorted.slice(i, end).reverse());
      i = end;
    } else ordered.push(sorted[i++]!);
  }
  return ordered;
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
