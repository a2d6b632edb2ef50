import type { Document } from "./types.ts";

/** A text without an outline: logs, tables, source code, prose without markup. */
export function loadPlain(text: string): Document {
  return { text, sections: [] };
}
