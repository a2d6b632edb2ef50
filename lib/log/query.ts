import { createHash } from "node:crypto";
import type { Log } from "./types.ts";

/** What a log may say of a query without telling it. */
export interface QueryDigest {
  /** Unicode characters. */
  readonly length: number;
  /** First 12 hexadecimal digits of the SHA-256 of its UTF-8. */
  readonly sha256: string;
}

/** Length and hash of a query: enough to see that two were the same, not what they were. */
export function queryDigest(query: string): QueryDigest {
  return {
    length: Array.from(query).length,
    sha256: createHash("sha256").update(query).digest("hex").slice(0, 12),
  };
}

/** The properties by which a query is logged: its digest, and its text only when the level is `debug`. */
export function queryProperties(log: Log, query: string): QueryDigest & { readonly text?: string } {
  return log.level === "debug" ? { ...queryDigest(query), text: query } : queryDigest(query);
}
