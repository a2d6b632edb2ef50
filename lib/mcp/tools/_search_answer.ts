import { fittedSearch, type ShownHits, type TextAnswer } from "../../answer/mod.ts";
import { logSearch } from "../../log/mod.ts";
import { type Language, message } from "../../messages.ts";
import type { MatchDegree, SearchAnswer, SearchRequest } from "../../search/mod.ts";
import { answerLimit, SEARCH_TOKENS, type ToolCall } from "../tool.ts";
import { cursorAfter, entriesBefore } from "./_cursor.ts";

/** The arguments that the tools for searching have in common. */
export interface SearchArguments {
  readonly "max_tokens"?: number | undefined;
  readonly cursor?: string | undefined;
  readonly "min_degree"?: MatchDegree | undefined;
  readonly "snippet_chars"?: number | undefined;
}

/**
 * Searches and answers within the limit of the call. `input`: all arguments of the call. `make` makes the answer of the hits
 * that are shown.
 */
export async function answerSearch<Data>(
  request: SearchRequest,
  input: SearchArguments,
  call: ToolCall,
  signal: AbortSignal,
  make: (shown: ShownHits, language: Language) => TextAnswer<Data>,
): Promise<TextAnswer<Data>> {
  const { library, language, log } = call;
  const offset = entriesBefore(input.cursor, input);
  const search = (marks: boolean) =>
    library.search({ ...request, ...(offset > 0 && { offset }), ...(marks && { marks }) }, signal);
  const fitted = (found: SearchAnswer) => {
    const { min_degree: least, snippet_chars: snippetChars } = input;
    return fittedSearch(least === undefined ? found : withDegree(found, least, language), {
      language,
      limit: answerLimit(call, input.max_tokens, SEARCH_TOKENS),
      snippetChars,
      cursorAfter: (shown) => cursorAfter(offset + shown, input),
      make,
    });
  };
  const found = await search(input.snippet_chars !== undefined);
  logSearch(log, request.query, found);
  const { answer, isTrimmed } = fitted(found);
  if (!isTrimmed || input.snippet_chars !== undefined) return answer;
  // Marks take about as long as a search, and only a passage that is trimmed needs them.
  return fitted(await search(true)).answer;
}

const DEGREES: readonly MatchDegree[] = ["high", "medium", "low"];

/** An answer without the hits of lower degrees. A notice has their number. */
function withDegree(found: SearchAnswer, least: MatchDegree, language: Language): SearchAnswer {
  const hits = found.hits.filter(({ degree }) => DEGREES.indexOf(degree) <= DEGREES.indexOf(least));
  const count = found.hits.length - hits.length;
  if (count === 0) return found;
  return { ...found, hits, notices: [...found.notices, message(language, "degrees_left_out", { count })] };
}
