import { fittedSearch, needsFocus, sentTokens, type ShownHits, type TextAnswer } from "../../answer/mod.ts";
import { logSearch } from "../../log/mod.ts";
import { type Language, message } from "../../messages.ts";
import type { Hit, MatchDegree, SearchAnswer, SearchRequest } from "../../search/mod.ts";
import { linksWithin, resourceLinks } from "../resources/links.ts";
import { answerLimit, SEARCH_TOKENS, type ToolAnswer, type ToolCall } from "../tool.ts";
import { searchCursorAfter, searchPage } from "./_search_cursor.ts";

/** The arguments that the tools for searching have in common. */
export interface SearchArguments {
  readonly "max_tokens"?: number | undefined;
  readonly cursor?: string | undefined;
  readonly "min_degree"?: MatchDegree | undefined;
  readonly "snippet_chars"?: number | undefined;
}

/** The hits that an answer may show. */
export interface WantedHits {
  readonly accepts: (hit: Hit) => boolean;
  /** Hits in one answer. */
  readonly most: number;
}

/** Tokens that notices may take before an answer is trimmed that would fit without them. */
const NOTICE_TOKENS = 600;

/**
 * Searches and answers within the limit of the call. `input`: all arguments of the call. `make` makes the answer of the hits
 * that are shown. `wanted`: the hits that may be shown; default: all.
 */
export async function answerSearch<Data>(
  request: SearchRequest,
  input: SearchArguments,
  call: ToolCall,
  signal: AbortSignal,
  make: (shown: ShownHits, language: Language) => TextAnswer<Data>,
  wanted?: WantedHits,
): Promise<ToolAnswer<Data>> {
  const { library, language, log, shape } = call;
  const page = searchPage(input.cursor, input, request.topK);
  const { offset, firstTopK } = page;
  const { min_degree: minDegree, snippet_chars: snippetChars } = input;
  const limit = answerLimit(call, input.max_tokens, SEARCH_TOKENS);
  // A call that names a size gets as much as it asks for.
  const focusFrom = input.max_tokens === undefined && snippetChars === undefined ? offset : undefined;
  const isFirst = offset === 0 && request.topK === undefined && input.max_tokens === undefined;
  // A client that gives a model the structured answer shows links to the user, and one that gives it text may add them.
  const linksOf = (hits: readonly Hit[]) => {
    const links = call.links && shape !== "text" ? resourceLinks(hits, library.collections) : [];
    return shape === "both" ? linksWithin(links, limit.maxTokens) : { links, tokens: 0 };
  };
  const asked = {
    ...request,
    ...(offset > 0 && { offset, ...(firstTopK !== undefined && { firstTopK }) }),
    ...(minDegree !== undefined && { minDegree }),
  };
  // Only a passage that is trimmed needs marks, which take about as long as the search.
  const mostOf = (hits: readonly Hit[]) => isFirst && wanted === undefined ? sureHits(hits) : hits.length;
  const marks = (all: readonly Hit[]) => {
    const hits = all.slice(0, mostOf(all));
    if (snippetChars !== undefined) {
      return hits.some(({ content }) => content.length > snippetChars) ? hits.length : 0;
    }
    if (focusFrom !== undefined && needsFocus(hits, focusFrom)) return hits.length;
    const whole = make({ found: { hits, seconds: 0, notices: [] } }, language);
    const room = limit.maxTokens - linksOf(hits).tokens - NOTICE_TOKENS;
    return sentTokens(whole, limit.shape) > room ? hits.length : 0;
  };
  const fitted = (all: SearchAnswer) => {
    let shown: readonly Hit[] = [];
    const accepted = wanted === undefined ? all.hits : all.hits.filter(wanted.accepts);
    const hits = accepted.slice(0, wanted?.most ?? mostOf(accepted));
    const found = { ...all, hits, ...(hits.length < accepted.length && { more: true as const }) };
    // The next answer begins with the first hit that this one could have shown.
    const passed = (shown: number) =>
      shown < accepted.length ? all.hits.indexOf(accepted[shown]!) : all.hits.length;
    const { answer, isTrimmed } = fittedSearch(withDegreeNotice(found, language), {
      language,
      limit: { ...limit, maxTokens: limit.maxTokens - linksOf(found.hits).tokens },
      snippetChars,
      focusFrom,
      cursorAfter: (shown) => searchCursorAfter(page, passed(shown), input),
      make: (hits, language) => {
        shown = hits.found.hits;
        return make(hits, language);
      },
    });
    return { answer: { ...answer, more: linksOf(shown).links }, isTrimmed };
  };
  const found = await library.search({ ...asked, marks }, signal);
  logSearch(log, request.query, found);
  const { answer, isTrimmed } = fitted(found);
  const isMarked = found.hits.slice(0, mostOf(found.hits)).every(({ marks }) => marks !== undefined);
  if (!isTrimmed || isMarked) return answer;
  // Its notices were longer than expected.
  return fitted(await library.search({ ...asked, marks: true }, signal)).answer;
}

/** An answer whose notices have the number of passages that `min_degree` left out. */
function withDegreeNotice(found: SearchAnswer, language: Language): SearchAnswer {
  const { lowerDegree: count = 0 } = found;
  if (count === 0) return found;
  return { ...found, notices: [...found.notices, message(language, "degrees_left_out", { count })] };
}

/** Hits that an answer has at least, if there are so many. */
const LEAST_HITS = 3;

/**
 * Least share of the best score for further hits: half after a hit of the degree high, and two fifths after another. On XQuAD in English,
 * Chinese, and from English to Chinese, the paragraph with the answer falls out for none, none and one of 1190 questions, and an
 * answer has 4 to 6 hits of 10.
 */
const NEAR_HIGH = 0.5;
const NEAR = 0.4;

/**
 * Most hits of an answer by the degree of its first one. Of the whole questions of "Degrees" in RANKING.md, with built-in vectors or local
 * models, 6,589 have a first hit of the degree high and a right one among the first five: it stands after the third in 9 of them. After a
 * medium one it is the fourth or fifth in 52 of 2,708.
 */
const MOST_AFTER: Partial<Record<MatchDegree, number>> = { high: 3, medium: 6 };

/** Number of hits that the scores and degrees justify. The others are found with the cursor. */
function sureHits(hits: readonly Hit[]): number {
  const [best] = hits;
  if (best === undefined || best.score <= 0) return hits.length;
  const least = best.score * (best.degree === "high" ? NEAR_HIGH : NEAR);
  const far = hits.findIndex(({ score }) => score < least);
  const near = far < 0 ? hits.length : Math.max(far, LEAST_HITS);
  return Math.min(near, MOST_AFTER[best.degree] ?? near);
}
