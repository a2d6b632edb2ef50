import { UserError } from "../../errors.ts";

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
