/**
 * The row of a table that made a passage a hit: a reader of thirty rows must not search again.
 */
import { cellsOf, isSecondHead } from "#documents/mod.ts";
import type { Tokenizer } from "#engine/index/mod.ts";
import type { MarkedWords } from "./find_marks.ts";

/** A row of a table in the text of a hit. */
export interface BestRow {
  /** Line of the document, counted from 1. */
  readonly line: number;
  /** The cells under the names of their columns, `country: Peru; income: 11903`, shortened. */
  readonly text: string;
}

/** A passage with fewer rows shows itself which one is meant. */
const LEAST_ROWS = 4;
/** Rows of a passage at most: a table that is kept whole may have thousands. */
const MOST_ROWS = 500;
/** UTF-16 units of a row's text, and of a cell in it. */
const LONGEST = 400, LONGEST_CELL = 120;

const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^[\s|:-]+$/;

/**
 * Returns the row that has more of the wanted words than any other, if there is one. `endLine`: the document's line of the last line of
 * the text. The head says nothing of a row, so its words do not count.
 */
export function bestRow(
  text: string,
  endLine: number,
  { terms, words }: MarkedWords,
  tokenizer: Tokenizer,
): BestRow | undefined {
  const lines = text.split("\n");
  if (lines.length < LEAST_ROWS + 2) return undefined;
  const hints = hintsOf(terms, words);
  let head: readonly string[] = [];
  let best: { at: number; weight: number; isOnly: boolean; head: readonly string[] } | undefined;
  let count = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (!ROW.test(line)) continue;
    if (RULE.test(lines[at + 1] ?? "") && ROW.test(lines[at + 1]!)) {
      head = cellsOf(line);
      const second = cellsOf(lines[at += 2] ?? "");
      if (isSecondHead(head, second)) {
        head = head.map((name, i) => name === second[i] ? name : `${name} ${second[i] ?? ""}`.trim());
      } else at--;
      continue;
    }
    if (RULE.test(line)) continue;
    if (++count > MOST_ROWS) return undefined;
    if (!mayHold(line, hints)) continue;
    const own = new Set(tokenizer.queryTerms(line).map(({ term }) => term));
    let weight = 0;
    for (const [term, value] of terms) if (own.has(term)) weight += value;
    if (words.size > 0) {
      const folded = tokenizer.fold(line);
      for (const [word, value] of words) if (folded.includes(word)) weight += value;
    }
    if (weight > (best?.weight ?? 0)) best = { at, weight, isOnly: true, head };
    else if (best !== undefined && weight === best.weight) best = { ...best, isOnly: false };
  }
  if (count < LEAST_ROWS || best === undefined || !best.isOnly) return undefined;
  return {
    line: endLine - (lines.length - 1 - best.at),
    text: underNames(cellsOf(lines[best.at]!), best.head),
  };
}

/** Letters and characters of which a line with a wanted word has one, and whether a number or date is wanted. */
interface Hints {
  readonly starts: readonly string[];
  readonly hasDigits: boolean;
}

function hintsOf(terms: MarkedWords["terms"], words: MarkedWords["words"]): Hints {
  const all = [...terms.keys(), ...words.keys()];
  // A stem keeps the first letters of its words.
  return { starts: all.map((term) => term.slice(0, 2)), hasDigits: all.some((term) => /\d/.test(term)) };
}

/** Whether a line may have a wanted word. Terms are made only of such lines, since that is nearly all of the time. */
function mayHold(line: string, { starts, hasDigits }: Hints): boolean {
  // Other letters than these may be folded to wanted ones.
  // deno-lint-ignore no-control-regex
  if (/[^\x00-\x7f]/.test(line) || hasDigits && /\d/.test(line)) return true;
  const lower = line.toLowerCase();
  return starts.some((start) => lower.includes(start));
}

function underNames(cells: readonly string[], head: readonly string[]): string {
  const shown = cells.flatMap((cell, i) => {
    if (cell === "") return [];
    const short = cell.length > LONGEST_CELL ? `${cell.slice(0, LONGEST_CELL)}…` : cell;
    const name = head[i] ?? "";
    return name === "" || name === cell ? short : `${name}: ${short}`;
  }).join("; ");
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
}
