import * as z from "zod";
import { answerLimit, SEARCH_TOKENS, type ToolCall, UNLISTED_MAX_TOKENS } from "../tool.ts";
import { cursorAfter, entriesBefore } from "./_cursor.ts";

/** Arguments of a list that few servers need more than a page of. They are accepted, but not listed. */
export const UNLISTED_PAGE = { ...UNLISTED_MAX_TOKENS, cursor: z.string().optional() };

/** The page that a call asks for. Throws `UserError` `cursor_unknown`. */
export function pageOf(
  input: { readonly cursor?: string | undefined; readonly "max_tokens"?: number | undefined },
  call: Pick<ToolCall, "shape" | "config">,
) {
  const offset = entriesBefore(input.cursor, input);
  return {
    offset,
    limit: answerLimit(call, input["max_tokens"], SEARCH_TOKENS),
    cursorAfter: (shown: number) => cursorAfter(offset + shown, input),
  };
}
