/**
 * A failing match tries every place where a wildcard can end, so its time grows with the power of their
 * number: `*a*a*a*a*a*a*` in a downloaded folder could stop a walk for hours.
 */
const MAX_STARS_IN_PART = 3;
const MAX_DOUBLE_STARS = 3;

/** A run of `*`, or what is quoted by a backslash and so none. */
const STARS = /\\[^]|\*+/g;

/**
 * A part up to the first `[` that is neither quoted nor the start of a plain set like `[a-z]` or `[!0-9]`, with no
 * bracket, slash, star or backslash in it.
 */
const BEFORE_BRACKET = /^(?:\\[^]|\[[!^]?[^\]\[\\/*!^][^\]\[\\/*]*\]|[^\\[])*/;

/**
 * A pattern in the manner of `.gitignore`, without `!`, that is matched fast and matches at least what
 * `pattern` does: of the pieces between too many wildcards the first few and the last are kept, so
 * `*-*-*-*-*.txt` becomes `*-*-*.txt`. One with few wildcards stays as it is.
 */
export function coarsen(pattern: string): string {
  const parts = pattern.split("/");
  const doubles = parts.filter(isDoubleStar).length;
  if (doubles <= MAX_DOUBLE_STARS && parts.every(isPlain)) return pattern;
  return coarsenDoubleStars(cutAtBracket(parts).map(coarsenPart)).join("/");
}

function isDoubleStar(part: string): boolean {
  return /^\*{2,}$/.test(part);
}

function isPlain(part: string): boolean {
  return literals(part).length - 1 <= MAX_STARS_IN_PART;
}

/** The pieces of a part between its stars: one more than there are of these. */
function literals(part: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: found, index } of part.matchAll(STARS)) {
    if (found.startsWith("\\")) continue;
    pieces.push(part.slice(from, index));
    from = index + found.length;
  }
  return [...pieces, part.slice(from)];
}

/**
 * What other sets hold may be stars and slashes that are none, so nothing is pieced together from behind one: `*` takes
 * the place of the rest. That matches whole folders where the pattern went on below.
 */
function cutAtBracket(parts: readonly string[]): string[] {
  const kept: string[] = [];
  for (const part of parts) {
    const before = BEFORE_BRACKET.exec(part)?.[0] ?? "";
    if (part[before.length] === "[") return [...kept, `${before}*`];
    kept.push(part);
  }
  return kept;
}

function coarsenPart(part: string): string {
  if (isPlain(part)) return part;
  const pieces = literals(part);
  return [...pieces.slice(0, MAX_STARS_IN_PART), pieces.at(-1)!].join("*");
}

// No doc comment can hold the example: a/**/b/**/c/**/d/**/e becomes a/**/b/**/c/**/e.
function coarsenDoubleStars(parts: readonly string[]): string[] {
  const stars = parts.flatMap((part, index) => isDoubleStar(part) ? [index] : []);
  if (stars.length <= MAX_DOUBLE_STARS) return [...parts];
  return [...parts.slice(0, stars[MAX_DOUBLE_STARS - 1]! + 1), ...parts.slice(stars.at(-1)! + 1)];
}
