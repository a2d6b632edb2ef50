import { createHash } from "node:crypto";
import type { Log } from "./types.ts";

/** The part of a search's answer that is logged. */
export interface AnsweredSearch {
  readonly hits: readonly { readonly filePath: string }[];
  readonly seconds: number;
}

/**
 * Logs a search: the length of the query in Unicode characters, the first 12 hexadecimal digits of the SHA-256 of its UTF-8,
 * the number of hits and files, and the seconds. The hash shows that two queries were the same, but not what they were. The
 * text of the query is logged at the level `debug` only.
 */
export function logSearch(log: Log, query: string, { hits, seconds }: AnsweredSearch): void {
  log.info("search", {
    length: Array.from(query).length,
    sha256: createHash("sha256").update(query).digest("hex").slice(0, 12),
    ...(log.level === "debug" && { text: query }),
    hits: hits.length,
    files: new Set(hits.map((hit) => hit.filePath)).size,
    seconds,
  });
}
