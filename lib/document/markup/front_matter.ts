import { lineEnd, trimBlanks } from "../reader/lines.ts";
import { type FrontMatterFields, readFields } from "./front_matter_fields.ts";

/** The metadata block at the start of a Markdown file. */
export interface FrontMatter extends FrontMatterFields {
  /** Offset of the first line after the block; 0 if there is none. */
  readonly end: number;
}

/** UTF-16 units of the block that are searched for fields. */
const LONGEST_BLOCK = 65_536;

/** Reads YAML (`---`) or TOML (`+++`) front matter. */
export function readFrontMatter(text: string): FrontMatter {
  const fence = text.slice(0, 3);
  if (fence !== "---" && fence !== "+++") return { end: 0 };
  const first = lineEnd(text, 0);
  if (trimBlanks(text, 0, first) !== 3) return { end: 0 };
  for (let start = first + 1; start < text.length;) {
    const newline = lineEnd(text, start);
    const end = trimBlanks(text, start, newline);
    if (end - start === 3) {
      const line = text.slice(start, end);
      if (line === fence || (fence === "---" && line === "...")) {
        const block = text.slice(first + 1, Math.min(start, first + 1 + LONGEST_BLOCK));
        return { end: Math.min(newline + 1, text.length), ...readFields(block) };
      }
    }
    start = newline + 1;
  }
  return { end: 0 };
}
