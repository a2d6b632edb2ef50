/**
 * Cursors: how a list or a search is continued.
 */
import * as z from "zod";
import { UserError } from "#foundation/errors.ts";
import { TOP_K } from "#foundation/configuration/mod.ts";
import { answerLimit, SEARCH_TOKENS, type ToolCall, UNLISTED_MAX_TOKENS } from "../tool.ts";

/** UTF-16 units of a fingerprint. */
const PRINT_CHARS = 6;

/**
 * Returns the argument `cursor` that continues a list after its first `count` entries: the count and a fingerprint of the
 * other arguments. The server keeps no state for it.
 */
export function cursorAfter(count: number, args: object): string {
  return `${count}.${fingerprint(args)}`;
}

/**
 * Entries that earlier answers had. Throws `UserError` `cursor_unknown` for a cursor of a call with other arguments, and for
 * one after more than `most` entries: a client can make up any count.
 */
export function entriesBefore(cursor: string | undefined, args: object, most = Infinity): number {
  if (cursor === undefined || cursor.trim() === "") return 0;
  const [count = "", print] = cursor.trim().split(".");
  if (!/^\d{1,9}$/.test(count) || Number(count) > most || print !== fingerprint(args)) {
    throw new UserError("cursor_unknown");
  }
  return Number(count);
}

/** 32 bits of FNV-1a over the arguments that choose and order the entries. */
function fingerprint(args: object): string {
  const chosen = Object.entries(args).filter(([name, value]) =>
    value !== undefined && !["cursor", "max_tokens", "top_k", "limit", "snippet_chars"].includes(name)
  );
  let hash = 0x811c9dc5;
  for (const unit of JSON.stringify(chosen.sort(([a], [b]) => a < b ? -1 : 1))) {
    hash = Math.imul(hash ^ unit.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return hash.toString(36).slice(0, PRINT_CHARS);
}

/** Passages of earlier answers that a cursor may skip. To skip 1000 of 20,000 takes .7 s, in which no other request is answered. */
const MAX_SKIPPED = 1000;

/** The part of a list of passages that a call asks for. */
interface SearchPage {
  /** Passages that earlier answers had. */
  readonly offset: number;
  /** Maximum number of passages of the first answer. Absent if its call did not say it. */
  readonly firstTopK?: number | undefined;
}

/**
 * Reads the argument `cursor` of a search: that of {@linkcode cursorAfter} after `top_k` of the first call, which decides the order of
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
