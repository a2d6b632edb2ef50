import { createHash } from "node:crypto";
import type { Log } from "./types.ts";

/** What a log may say of a query without telling it. */
interface QueryDigest {
  /** Unicode characters. */
  readonly length: number;
  /** First 12 hexadecimal digits of the SHA-256 of its UTF-8. */
  readonly sha256: string;
}

/** Length and hash of a query: enough to see that two were the same, not what they were. */
function queryDigest(query: string): QueryDigest {
  return {
    length: Array.from(query).length,
    sha256: createHash("sha256").update(query).digest("hex").slice(0, 12),
  };
}

/** What is logged of a search that was answered. */
export interface AnsweredSearch {
  readonly hits: readonly { readonly filePath: string }[];
  readonly seconds: number;
}

/**
 * Logs a search, from whatever side it came: the query's digest, its text only when the level is `debug`, how many hits in
 * how many files, and the time.
 */
export function logSearch(log: Log, query: string, { hits, seconds }: AnsweredSearch): void {
  log.info("search", {
    ...queryDigest(query),
    ...(log.level === "debug" && { text: query }),
    hits: hits.length,
    files: new Set(hits.map((hit) => hit.filePath)).size,
    seconds,
  });
}
