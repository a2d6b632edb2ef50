/** Tokens of a character above U+2E80 (Chinese, Japanese, Korean) and of any other, as tokenizers make them on average. */
const WIDE_TOKENS = 0.75;
const NARROW_TOKENS = 0.28;
const FIRST_WIDE = 0x2e80;

/** About how many tokens a text has. */
export function estimateTokens(text: string): number {
  return countTokens(text, Infinity).tokens;
}

/** The beginning of a text that has about `limit` tokens at most. */
export function cutToTokens(text: string, limit: number): string {
  // no character has more
  if (text.length * WIDE_TOKENS <= limit) return text;
  return cutToLength(text, countTokens(text, limit).length);
}

/** About how many tokens the beginning of a text has that has no more than `limit`, and its UTF-16 units. */
function countTokens(text: string, limit: number): { tokens: number; length: number } {
  let tokens = 0;
  let length = 0;
  for (; length < text.length; length++) {
    const more = tokens + (text.charCodeAt(length) >= FIRST_WIDE ? WIDE_TOKENS : NARROW_TOKENS);
    if (more > limit) break;
    tokens = more;
  }
  return { tokens, length };
}

/** The first `length` UTF-16 units of a text, one less where that would cut a character in two. */
export function cutToLength(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}
