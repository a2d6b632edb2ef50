/** Average tokens of a character from U+2E80 on (Chinese, Japanese, Korean) and of any other character. */
const WIDE_TOKENS = 0.75;
const NARROW_TOKENS = 0.28;
const FIRST_WIDE = 0x2e80;

/** Estimates the number of tokens in a text. */
export function estimateTokens(text: string): number {
  return countTokens(text, Infinity).tokens;
}

/** Returns the beginning of a text that has at most about `limit` tokens. */
export function cutToTokens(text: string, limit: number): string {
  // No character counts for more.
  if (text.length * WIDE_TOKENS <= limit) return text;
  return cutToLength(text, countTokens(text, limit).length);
}

/** Measures the longest beginning of a text that has at most `limit` estimated tokens: its tokens and UTF-16 units. */
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

/** Returns the first `length` UTF-16 units of a text, or one less if that would split a surrogate pair. */
export function cutToLength(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}
