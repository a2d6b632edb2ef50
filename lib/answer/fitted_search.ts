import { type Language, message } from "../messages.ts";
import type { Hit, SearchAnswer } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { fittedHits } from "./fitted_hits.ts";
import { cutHit, focusedHits } from "./focused_hit.ts";
import type { ShownHits } from "./search_text.ts";
import { type AnswerLimit, sentTokens } from "./shape.ts";

/** Options of {@linkcode fittedSearch}. */
export interface FittedSearchOptions<Data> {
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
export interface FittedSearch<Data> {
  readonly answer: TextAnswer<Data>;
  /** Whether a passage was trimmed. */
  readonly isTrimmed: boolean;
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
  const { limit: { shape, maxTokens }, language } = options;
  let fitted: FittedSearch<Data>;
  for (const less of [found, withFewLeftOut(found), withoutRemarks(found, language)]) {
    fitted = fittedHitsOf(less, options);
    if (sentTokens(fitted.answer, shape) <= maxTokens) break;
  }
  return fitted!;
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
  if (sentTokens(whole, limit.shape) <= limit.maxTokens) return { answer: whole, isTrimmed: false };
  const sent = (hits: readonly Hit[]) => sentTokens(answerWith(hits, hits.length), limit.shape);
  const { hits, trimmed } = fittedHits(all, sent, limit);
  return { answer: answerWith(hits, trimmed), isTrimmed: trimmed > 0 };
}
