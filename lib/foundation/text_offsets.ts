/**
 * Offsets in a text, in UTF-16 units, for the houses that cut texts.
 */

/** Line ends in a text before the offset `end`. */
export function lineEnds(text: string, end = text.length): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** The start of the character that an offset is in: a surrogate pair is not cut. */
export function characterAt(text: string, offset: number): number {
  return /[\udc00-\udfff]/.test(text[offset] ?? "") ? offset - 1 : offset;
}
