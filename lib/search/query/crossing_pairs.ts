/** A word of one of the scripts that are written without spaces. */
const UNSPACED_WORD = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u;

/**
 * Returns the pairs of characters that are the end of one word and the start of the next: 署到 and 到服 in 部署到服务器. A text need
 * not have them to answer. Pairs of two words of one character are left out, because most of them are part of a name or a word that the
 * dictionary of `Intl.Segmenter` lacks. `text`: in simplified characters.
 */
export function crossingPairs(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  if (!/\p{Script=Han}/u.test(text)) return pairs;
  const words = Array.from(
    new Intl.Segmenter("zh", { granularity: "word" }).segment(text),
    ({ segment }) => segment,
  );
  const inside = words.join(" ");
  for (const [i, word] of words.entries()) {
    const next = words[i + 1] ?? "";
    if (!UNSPACED_WORD.test(word) || !UNSPACED_WORD.test(next)) continue;
    const [before, after] = [[...word], [...next]];
    const pair = `${before.at(-1)}${after[0]}`;
    if (before.length + after.length > 2 && !inside.includes(pair)) pairs.add(pair);
  }
  return pairs;
}
