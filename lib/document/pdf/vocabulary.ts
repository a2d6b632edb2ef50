import type { PageBlocks } from "./blocks.ts";
import { textOf } from "./line_text.ts";

/** Most words that are kept. */
const LARGEST = 500_000;
const WORD = /\p{L}[\p{L}\p{N}]*(?:[-\u2010]\p{L}[\p{L}\p{N}]*)*/gu;

/**
 * Returns the words inside the lines of a document in lower case. They show how a word is written that the end of a line
 * divides.
 */
export function vocabularyOf(pages: readonly PageBlocks[]): Set<string> {
  const words = new Set<string>();
  for (const { blocks } of pages) {
    for (const block of blocks) {
      if (block.kind !== "text") continue;
      for (const line of block.lines) {
        const text = textOf(line);
        // The first and the last word may be parts of words.
        const whole = text.replace(/^\S+\s?/, "").replace(/\S+[-\u2010\u00AD]$/, "");
        for (const [word] of whole.matchAll(WORD)) {
          if (words.size < LARGEST) words.add(word.toLowerCase().replaceAll("\u2010", "-"));
        }
      }
    }
  }
  return words;
}
