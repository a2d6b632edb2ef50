import type * as z from "zod";
import { fittedSearch, type ShownHits, type TextAnswer } from "../../answer/mod.ts";
import { logSearch } from "../../log/mod.ts";
import type { Language } from "../../messages.ts";
import { answerLimit, SEARCH_TOKENS, type ToolCall } from "../tool.ts";
import { cursorAfter, entriesBefore } from "./_cursor.ts";
import { type SEARCH_INPUT, searchRequest } from "./_search_input.ts";

/** Searches and answers within the limit of the call. `make` makes the answer of the hits that are shown. */
export async function answerSearch<Data>(
  input: z.output<z.ZodObject<typeof SEARCH_INPUT>>,
  call: ToolCall,
  signal: AbortSignal,
  make: (shown: ShownHits, language: Language) => TextAnswer<Data>,
): Promise<TextAnswer<Data>> {
  const { library, language, log } = call;
  const offset = entriesBefore(input.cursor, input);
  const request = searchRequest(input);
  const found = await library.search({ ...request, ...(offset > 0 && { offset }), marks: true }, signal);
  logSearch(log, request.query, found);
  return fittedSearch(found, {
    language,
    limit: answerLimit(call, input.max_tokens, SEARCH_TOKENS),
    cursorAfter: (shown) => cursorAfter(offset + shown, input),
    make,
  });
}
