/** Fits the hits of a search into a budget of tokens: fewer, focused on their best sentences, trimmed. */
import { type Language, message } from "#foundation/messages/mod.ts";
import { characterAt, lineEnds } from "#foundation/text_offsets.ts";
import type { Hit, Mark, SearchAnswer } from "#library/search/mod.ts";
import { estimatedTokens, lengthWithin } from "./estimated_tokens.ts";
import { type AnswerLimit, isWithin, sentTokens, type TextAnswer } from "./shape.ts";
import type { ShownHits } from "./search_answer.ts";

/** Options of {@linkcode fittedSearch}. */
interface FittedSearchOptions<Data> {
  readonly language: Language;
  readonly limit: AnswerLimit;
  /** Most UTF-16 units of one passage. Default: no limit. */
  readonly snippetChars?: number | undefined;
  /** Rank of the first hit, counted from 0, if each passage is cut to its best sentences. Default: passages stay whole. */
  readonly focusFrom?: number | undefined;
  /** Makes the argument `cursor` for the hits after the first `shown`; `undefined` if no call may skip so many. */
  readonly cursorAfter: (shown: number) => string | undefined;
  /** Makes the answer. */
  readonly make: (shown: ShownHits, language: Language) => TextAnswer<Data>;
}

/** An answer within its limit. */
interface FittedSearch<Data> {
  readonly answer: TextAnswer<Data>;
  /** Whether a passage was trimmed. */
  readonly isTrimmed: boolean;
  /** Whether nothing was trimmed or left out, since the answer is within its limit. */
  readonly isWhole: boolean;
}

/** Files that `left_out` names in an answer that is too long with all of them. */
const FEW_LEFT_OUT = 2;

/**
 * The answer of a search within its limit. A notice says how many passages were trimmed or left out, and there is a cursor
 * if more can be had. If one short passage is still too long with everything around it, less is said around it.
 */
export function fittedSearch<Data>(
  found: SearchAnswer,
  options: FittedSearchOptions<Data>,
): FittedSearch<Data> {
  const { limit, language } = options;
  const whole = fittedHitsOf(found, options);
  if (whole.isWhole || isWithin(whole.answer, limit)) return whole;
  const shorter = fittedHitsOf(withFewLeftOut(found), options);
  return isWithin(shorter.answer, limit) ? shorter : fittedHitsOf(withoutRemarks(found, language), options);
}

function withFewLeftOut(found: SearchAnswer): SearchAnswer {
  const { leftOut } = found;
  return leftOut === undefined ? found : { ...found, leftOut: leftOut.slice(0, FEW_LEFT_OUT) };
}

/** An answer whose notices and remarks are replaced by their number. */
function withoutRemarks(found: SearchAnswer, language: Language): SearchAnswer {
  const { leftOut = [], suggestions: _, ...kept } = found;
  const count = found.notices.length + leftOut.length;
  return { ...kept, notices: count === 0 ? [] : [message(language, "notices_dropped", { count })] };
}

function fittedHitsOf<Data>(
  found: SearchAnswer,
  { language, limit, snippetChars, focusFrom, cursorAfter, make }: FittedSearchOptions<Data>,
): FittedSearch<Data> {
  const all = snippetChars !== undefined
    ? found.hits.map((hit) => cutHit(hit, snippetChars))
    : focusFrom !== undefined
    ? focusedHits(found.hits, focusFrom)
    : found.hits;
  const answerWith = (hits: readonly Hit[], trimmed: number) => {
    const left = all.length - hits.length;
    const notices = [
      ...found.notices,
      ...(trimmed === 0 ? [] : [message(language, "passages_trimmed", { count: trimmed })]),
      ...(left === 0 ? [] : [message(language, "passages_dropped", { count: left })]),
    ];
    const cursor = left > 0 || found.more === true ? cursorAfter(hits.length) : undefined;
    return make({ found: { ...found, hits, notices }, ...(cursor !== undefined && { cursor }) }, language);
  };
  const whole = answerWith(all, 0);
  if (isWithin(whole, limit)) return { answer: whole, isTrimmed: false, isWhole: true };
  const sent = (hits: readonly Hit[]) => sentTokens(answerWith(hits, hits.length), limit.shape);
  const { hits, trimmed } = fittedHits(all, sent, limit);
  return { answer: answerWith(hits, trimmed), isTrimmed: trimmed > 0, isWhole: false };
}

const CUT = "…";

/**
 * UTF-16 units of the first passage that are shown whatever their tokens: a whole chunk of the default size. A Chinese one has up to 1,000
 * tokens, and without this 29 of 100 paragraphs of CMRC 2018 that have the answer would be cut.
 */
const FIRST_CHARS = 1400;

/**
 * Estimated tokens of a passage: of the first, of the next two, and of each further one. The first is nearly always shown whole. It has the
 * answer in 99 of 100 questions of the XQuAD sets if its degree is high, and one of the first three has it in 86 to 97 of 100 if it is not.
 * For passages of the same degree as the first: if that is high, and if it is not; then for passages of a lower degree.
 */
const HIGH = { first: 500, next: 220, other: 90 };
const EQUAL = { first: 500, next: 300, other: 90 };
const LOWER = { first: 500, next: 140, other: 60 };

/** Rows of a table that are shown whole: cutting them saves less than the marks of the cuts cost. */
const FEW_ROWS = 6;

/** A row of a table is shown if it has at least this share of the best row's weight. */
const LIKE_BEST = 0.7;

/** A hit is the table around it if most of its lines are rows. */
const MOST_LINES = 0.5;

/**
 * The hits of an answer, each cut to the sentences or rows that have most of the question. Their marks are needed. `from`: rank of the
 * first hit, counted from 0.
 */
function focusedHits(hits: readonly Hit[], from: number): readonly Hit[] {
  return hits.map((hit, i) => focusedHit(hit, tokensFor(hits, i, from), from + i === 0 ? FIRST_CHARS : 0));
}

/** Whether {@linkcode focusedHits} would cut one of these hits, so that it needs marks. */
export function needsFocus(hits: readonly Hit[], from: number): boolean {
  return hits.some(({ content }, i) =>
    (content.length > (from + i === 0 ? FIRST_CHARS : 0) &&
      estimatedTokens(content) > tokensFor(hits, i, from)) ||
    (content.match(ROW)?.length ?? 0) > FEW_ROWS
  );
}

function tokensFor(hits: readonly Hit[], i: number, from: number): number {
  const { degree } = hits[i]!;
  const share = degree !== hits[0]!.degree ? LOWER : degree === "high" ? HIGH : EQUAL;
  const rank = from + i;
  return rank === 0 ? share.first : rank < 3 ? share.next : share.other;
}

/**
 * Returns a hit with at most `length` UTF-16 units of its text: the header and the rows of a table that match the question, or the part
 * with the weightiest marks.
 */
function cutHit(hit: Hit, length: number): Hit {
  if (hit.content.length <= length) return hit;
  const rows = tableRows(hit, length);
  return rows !== undefined && rows.content.length <= length ? rows : trimmedHit(hit, length);
}

/** Returns the part of a hit with most of the question, in at most so many estimated tokens or UTF-16 units, whichever is more. */
function focusedHit(hit: Hit, tokens: number, chars: number): Hit {
  const { content } = hit;
  const estimated = estimatedTokens(content);
  const length = estimated <= tokens
    ? Math.max(content.length, chars)
    : Math.max(lengthWithin(content, tokens), Math.floor(content.length * (tokens / estimated)), chars);
  return tableRows(hit, length) ?? (content.length <= length ? hit : sentences(hit, length));
}

const ROW = /^[ \t]*\|.*\|[ \t]*$/gm;
const IS_ROW = /^[ \t]*\|.*\|[ \t]*$/;
const IS_RULE = /^[ \t]*\|[\s:|-]*-[\s:|-]*\|[ \t]*$/;

/** A piece of a text that is shown whole or not at all. */
interface Unit {
  readonly start: number;
  readonly end: number;
}

/** The header of a table and the rows that match the question best; `undefined` if the hit is no long table, or no row matches. */
function tableRows(hit: Hit, length: number): Hit | undefined {
  const { content, marks = [] } = hit;
  if (!content.includes("|")) return undefined;
  const lines = linesOf(content);
  const text = lines.map(({ start, end }) => content.slice(start, end));
  const isRow = text.map((line) => IS_ROW.test(line));
  const rules = text.flatMap((line, i) => IS_RULE.test(line) && i > 0 ? [i] : []);
  const isHead = new Set(rules.flatMap((i) => [i - 1, i]));
  const rows = isRow.filter((is, i) => is && !isHead.has(i)).length;
  const filled = text.filter((line) => line.trim() !== "").length;
  if (rows <= FEW_ROWS || rows < filled * MOST_LINES) return undefined;
  const marksOf = byUnit(lines, marks);
  const scores = rarityScores(marksOf, (i) => isRow[i]! && !isHead.has(i));
  // `2024-01-18` has three terms, and so have other dates beside the number 18.
  const together = marksOf.map((own) => own.filter(({ end }, i) => own[i + 1]?.start === end + 1).length);
  // The header is shown with its rows, so its words choose none of them.
  const best = Math.max(...scores.filter((_, i) => !isHead.has(i)));
  if (best <= 0) return undefined;
  const headOf = (line: number) => {
    const rule = rules.findLast((rule) => rule < line);
    return rule === undefined || !isRow[line] ? [] : [rule - 1, rule];
  };
  const shown = new Set<number>();
  let left = length;
  const byScore = lines.map((_, i) => i).filter((i) => scores[i]! >= best * LIKE_BEST && !isHead.has(i))
    .sort((a, b) => scores[b]! - scores[a]! || together[b]! - together[a]! || a - b);
  for (const line of byScore) {
    const added = [...headOf(line), line].filter((i) => !shown.has(i));
    const cost = added.reduce((sum, i) => sum + text[i]!.length + 1, 0);
    if (cost > left && shown.size > 0) continue;
    left -= cost;
    for (const i of added) shown.add(i);
  }
  return withLines(hit, lines, [...shown].sort((a, b) => a - b), isHead);
}

/**
 * The weight of the marks in each line, each term once. A term counts the more the fewer of the rows have it: in a table of sales all rows
 * have the year.
 */
function rarityScores(marksOf: readonly (readonly Mark[])[], isRow: (line: number) => boolean): number[] {
  const terms = marksOf.map((marks) => new Map(marks.map(({ term, weight }) => [term, weight])));
  const counts = new Map<string, number>();
  let rows = 0;
  terms.forEach((own, i) => {
    if (!isRow(i)) return;
    rows++;
    for (const term of own.keys()) counts.set(term, (counts.get(term) ?? 0) + 1);
  });
  const rarity = (term: string) => Math.log((rows + 1) / ((counts.get(term) ?? 0) + 0.5));
  // Rounded: a sum depends on the order of its terms.
  return terms.map((own) =>
    Math.round(1e6 * [...own].reduce((sum, [term, weight]) => sum + weight * rarity(term), 0))
  );
}

/** A hit with some of its lines, and a cut where lines are missing between them. */
function withLines(
  hit: Hit,
  lines: readonly Unit[],
  shown: readonly number[],
  isHead: ReadonlySet<number>,
): Hit {
  if (shown.length === lines.length) return hit;
  const { startLine, endLine } = hit;
  const parts = shown.flatMap((line, i) => {
    const isCut = i > 0 && line > shown[i - 1]! + 1;
    return [...(i > 0 ? ["\n"] : []), ...(isCut ? [`${CUT}\n`] : []), lines[line]!];
  });
  if (shown.at(-1)! < lines.length - 1) parts.push(`\n${CUT}`);
  // The head of a table that is repeated before its rows is not on the lines of the hit.
  const lead = Math.max(0, lines.length - (endLine - startLine + 1));
  const own = shown.filter((line) => !isHead.has(line) || line >= lead);
  const lineOf = (i: number) => Math.min(endLine, Math.max(startLine, startLine + i - lead));
  const cut = withParts(hit, parts);
  // Lines are missing between those of a hit that was cut before.
  if (hit.truncated) return cut;
  return { ...cut, startLine: lineOf(own[0] ?? 0), endLine: lineOf(own.at(-1) ?? 0) };
}

/** The consecutive sentences with the weightiest marks, and as many around them as there is room for. */
function sentences(hit: Hit, length: number): Hit {
  const { content, startLine, endLine, marks = [] } = hit;
  const units = sentencesOf(content);
  const marksOf = byUnit(units, marks);
  let [weight, from, to] = [-1, 0, 0];
  const terms = new Map<string, number>();
  for (let first = 0; first < units.length; first++) {
    terms.clear();
    let sum = 0;
    for (let last = first; last < units.length; last++) {
      if (units[last]!.end - units[first]!.start > length) break;
      for (const { term, weight } of marksOf[last]!) {
        const known = terms.get(term);
        terms.set(term, weight);
        if (known === undefined) sum += weight;
        // A word of the question and a whole word may be written alike, with two weights.
        else if (known !== weight) sum = total(terms);
      }
      if (sum > weight + 1e-9) [weight, from, to] = [sum, first, last];
    }
  }
  // A sentence that is too long alone is cut inside.
  if (weight < 0) return trimmedHit(hit, length);
  const fits = (first: number, last: number) => units[last]!.end - units[first]!.start <= length;
  // An answer stands more often after the words of its question than before.
  while (to + 1 < units.length && fits(from, to + 1)) to++;
  while (from > 0 && fits(from - 1, to)) from--;
  const [start, end] = [units[from]!.start, units[to]!.end];
  if (start === 0 && end === content.length) return hit;
  const text = content.slice(start, end).trimEnd();
  const first = startLine + lineEnds(content, start);
  const parts = [
    ...(start > 0 ? [CUT] : []),
    { start, end: start + text.length },
    ...(end < content.length ? [CUT] : []),
  ];
  return {
    ...withParts(hit, parts),
    startLine: Math.min(first, endLine),
    endLine: Math.min(first + lineEnds(text), endLine),
  };
}

function total(terms: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const weight of terms.values()) sum += weight;
  return sum;
}

/** A hit whose text consists of parts of its text and of texts between them. The marks in the parts stay, for a further cut. */
function withParts(hit: Hit, parts: readonly (Unit | string)[]): Hit {
  let content = "";
  const marks: Mark[] = [];
  for (const part of parts) {
    if (typeof part === "string") {
      content += part;
      continue;
    }
    const shift = content.length - part.start;
    for (const mark of hit.marks ?? []) {
      if (mark.start < part.start || mark.end > part.end) continue;
      marks.push({ ...mark, start: mark.start + shift, end: mark.end + shift });
    }
    content += hit.content.slice(part.start, part.end);
  }
  return { ...hit, content, truncated: true, ...(hit.marks !== undefined && { marks }) };
}

function linesOf(text: string): Unit[] {
  const lines: Unit[] = [];
  for (let start = 0; start <= text.length;) {
    const at = text.indexOf("\n", start);
    const end = at < 0 ? text.length : at;
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

/** Sentences and lines, each with the spaces after it. */
function sentencesOf(text: string): Unit[] {
  const ending = /[.!?]["')\]]*\s+|[。！？][”’」』）]*\s*|\n\s*/g;
  const units: Unit[] = [];
  let start = 0;
  // Only the ends are wanted, and `test` makes no array of each match.
  while (ending.test(text)) {
    units.push({ start, end: ending.lastIndex });
    start = ending.lastIndex;
  }
  if (start < text.length || units.length === 0) units.push({ start, end: text.length });
  return units;
}

/** The marks in each of the units, which ascend as the marks do. */
function byUnit(units: readonly Unit[], marks: readonly Mark[]): Mark[][] {
  const marksOf: Mark[][] = units.map(() => []);
  let unit = 0;
  for (const mark of marks) {
    while (unit < units.length - 1 && mark.start >= units[unit]!.end) unit++;
    marksOf[unit]!.push(mark);
  }
  return marksOf;
}

/** A passage is not trimmed to fewer tokens. Passages at the end are left out instead, and a further call returns them. */
const MIN_TOKENS = 60;

const TRIES = 6;

type FittedHits = Readonly<{ hits: readonly Hit[]; trimmed: number }>;

/**
 * Trims the longest passages of an answer, and leaves out the last ones if that does not suffice. At least one hit remains.
 * `sent(hits)` returns the tokens of the whole answer with these hits. `trimmed`: number of hits whose text was trimmed.
 */
function fittedHits(
  hits: readonly Hit[],
  sent: (hits: readonly Hit[]) => number,
  { maxTokens }: AnswerLimit,
): FittedHits {
  let fitted: FittedHits = { hits, trimmed: 0 };
  if (hits.length === 0) return fitted;
  const none = sent([]);
  const empty = sent(hits.map((hit) => ({ ...hit, content: "" })));
  const ofHit = (empty - none) / hits.length;
  // Some answers hold each passage twice.
  const contents = hits.reduce((sum, { content }) => sum + estimatedTokens(content), 0);
  const copies = Math.max(1, (sent(hits) - empty) / Math.max(1, contents));
  let wanted = maxTokens;
  for (let i = 0; i < TRIES; i++) {
    const excess = sent(fitted.hits) - maxTokens;
    if (excess <= 0) return fitted;
    wanted -= i === 0 ? 0 : excess;
    fitted = within(hits, (count) => (wanted - none - count * ofHit) / copies);
  }
  return fitted;
}

/** The hits whose texts have the room that `roomFor` returns for a number of hits, in tokens. */
function within(hits: readonly Hit[], roomFor: (count: number) => number) {
  const costs = hits.map(({ content }) => estimatedTokens(content));
  for (let count = hits.length;; count--) {
    const cap = capOf(costs.slice(0, count), roomFor(count));
    if (cap < MIN_TOKENS && count > 1) continue;
    const isLong = (_: Hit, i: number) => costs[i]! > cap;
    const shown = hits.slice(0, count);
    return {
      hits: shown.map((hit, i) => isLong(hit, i) ? trimmedTo(hit, Math.max(MIN_TOKENS, cap)) : hit),
      trimmed: shown.filter(isLong).length,
    };
  }
}

/** The greatest cap at which costs, each at most the cap, have at most the sum `room`. Infinity if none must be capped. */
function capOf(costs: readonly number[], room: number): number {
  let left = room;
  const ascending = costs.toSorted((a, b) => a - b);
  for (const [i, cost] of ascending.entries()) {
    const cap = left / (ascending.length - i);
    if (cost > cap) return cap;
    left -= cost;
  }
  return Infinity;
}

/** The part of a hit with its marks that has about so many tokens. */
function trimmedTo(hit: Hit, tokens: number): Hit {
  const share = tokens / Math.max(1, estimatedTokens(hit.content));
  const shown = cutHit(hit, Math.max(1, Math.floor(hit.content.length * share)));
  const within = lengthWithin(shown.content, tokens);
  return within < shown.content.length ? cutHit(hit, Math.max(1, within)) : shown;
}

/** Share of the window that is shown before the first mark, so that the mark has a context. */
const BEFORE = 0.2;

/**
 * Returns a hit with at most `length` UTF-16 units of its text: the window with the weightiest marks, and `…` at a cut end.
 */
export function trimmedHit(hit: Hit, length: number): Hit {
  const { content, startLine } = hit;
  if (content.length <= length) return hit;
  const start = windowStart(content, hit.marks ?? [], length);
  const from = characterAt(content, start);
  const to = characterAt(content, Math.min(content.length, from + length));
  const text = content.slice(from, to);
  const first = startLine + lineEnds(content, from);
  return {
    ...hit,
    content: `${from > 0 ? CUT : ""}${text}${to < content.length ? CUT : ""}`,
    startLine: Math.min(first, hit.endLine),
    endLine: Math.min(first + lineEnds(text), hit.endLine),
    truncated: true,
    ...(hit.marks !== undefined && { marks: [] }),
  };
}

/** The start of the window, at the start of a line if one is near. */
function windowStart(text: string, marks: readonly Mark[], length: number): number {
  const counts = new Map<string, number>();
  let [weight, best, start, first] = [0, 0, 0, 0];
  for (const mark of marks) {
    const count = counts.get(mark.term) ?? 0;
    if (count === 0) weight += mark.weight;
    counts.set(mark.term, count + 1);
    for (; marks[first]!.start < mark.end - length * (1 - BEFORE); first++) {
      const { term, weight: lost } = marks[first]!;
      const left = counts.get(term)! - 1;
      counts.set(term, left);
      if (left === 0) weight -= lost;
    }
    if (weight > best + 1e-9) {
      best = weight;
      start = marks[first]?.start ?? 0;
    }
  }
  const earliest = Math.max(0, start - Math.floor(length * BEFORE));
  const line = text.indexOf("\n", earliest) + 1;
  const from = earliest === 0 ? 0 : line > 0 && line <= start ? line : earliest;
  return Math.min(from, Math.max(0, text.length - length));
}
