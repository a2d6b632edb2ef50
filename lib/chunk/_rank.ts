/** Strength of a place to cut at. A heading of level n has `HEADING - n`, so that outer ones are stronger. */
export const Rank = {
  /** In a surrogate pair. */
  NEVER: -1,
  /** Before a combining mark and the like: only when nothing else is there. */
  WORST: 0,
  CODE_POINT: 1,
  WORD: 2,
  CLAUSE: 3,
  SENTENCE: 4,
  LINE: 5,
  /** List item, table row, line that is not indented. */
  ITEM: 6,
  /** Blank line before an indented line. */
  INNER_PARAGRAPH: 7,
  /** Blank line before any other line, edges of code blocks and tables. */
  PARAGRAPH: 8,
  HEADING: 32,
} as const;
