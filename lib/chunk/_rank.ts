/**
 * Ranks of cuts: a higher one is a better place to cut. A heading of level n has `HEADING - n`, so outer headings rank
 * higher.
 */
export const Rank = {
  /** Inside a surrogate pair. */
  NEVER: -1,
  /** Before a combining mark or another character that is drawn with the one before. Used only as a last resort. */
  WORST: 0,
  CODE_POINT: 1,
  WORD: 2,
  CLAUSE: 3,
  SENTENCE: 4,
  LINE: 5,
  /** Before a list item, a table row or a line that is not indented. */
  ITEM: 6,
  /** At a blank line before an indented line. */
  INNER_PARAGRAPH: 7,
  /** At a blank line before any other line, and at the edges of code blocks and tables. */
  PARAGRAPH: 8,
  HEADING: 32,
} as const;
