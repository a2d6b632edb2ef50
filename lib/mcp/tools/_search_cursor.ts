import { TOP_K } from "../../config/mod.ts";
import { UserError } from "../../errors.ts";
import { cursorAfter, entriesBefore } from "./_cursor.ts";

/** Passages of earlier answers that a cursor may skip. To skip 1000 of 20,000 takes .7 s, in which no other request is answered. */
const MAX_SKIPPED = 1000;

/** The part of a list of passages that a call asks for. */
export interface SearchPage {
  /** Passages that earlier answers had. */
  readonly offset: number;
  /** Maximum number of passages of the first answer. Absent if its call did not say it. */
  readonly firstTopK?: number | undefined;
}

/**
 * Reads the argument `cursor` of a search: that of `_cursor.ts` after `top_k` of the first call, which decides the order of
 * the passages on all pages, as in `5-10.1a2b3c`. Throws `UserError` `cursor_unknown`.
 */
export function searchPage(
  cursor: string | undefined,
  args: object,
  topK: number | undefined,
): SearchPage {
  const [, first, rest] = /^\s*(?:(\d{1,3})-)?(.*)$/s.exec(cursor ?? "")!;
  const offset = entriesBefore(rest, args, MAX_SKIPPED);
  if (offset === 0) return { offset, firstTopK: topK };
  const firstTopK = first === undefined ? undefined : Number(first);
  if (firstTopK !== undefined && (firstTopK < TOP_K.min || firstTopK > TOP_K.max)) {
    throw new UserError("cursor_unknown");
  }
  return { offset, firstTopK };
}

/** Returns the cursor after `shown` passages of a page; `undefined` if no call may skip so many. */
export function searchCursorAfter(
  { offset, firstTopK }: SearchPage,
  shown: number,
  args: object,
): string | undefined {
  if (offset + shown > MAX_SKIPPED) return undefined;
  return `${firstTopK === undefined ? "" : `${firstTopK}-`}${cursorAfter(offset + shown, args)}`;
}
