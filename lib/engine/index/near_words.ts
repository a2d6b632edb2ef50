/**
 * Whether two words stand near each other in a text.
 */
import type { WordCondition } from "./expression.ts";
import { isOneWord, prefixTest } from "./held_words.ts";
import { phrasePattern } from "./phrase_pattern.ts";
import { foldedPrefix } from "./prefix_terms.ts";
import { type Tokenizer, UNSPACED, wordTerms } from "./text/tokenizer.ts";

const SPACED = `(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_]`;
/** The words of a text as the tokenizer finds them; in scripts without spaces, the characters. */
const TOKENS = new RegExp(
  `[${UNSPACED}]|\\p{Extended_Pictographic}|(?:${SPACED})+(?:(?:(?<=[a-z])['’](?=[a-z])|(?<=[0-9])\\.(?=[0-9]))(?:${SPACED})+)*(?:(?<=(?<!${SPACED})[a-z])(?:\\+\\+|#(?!${SPACED})))?`,
  "giu",
);

/** The places of words in a text, in their order: numbers of the first and the last token. */
type Places = readonly (readonly [first: number, last: number])[];

interface Token {
  readonly text: string;
  readonly start: number;
}

/** Returns the test whether two words of a text have at most `distance` words between them, in either order. */
export function nearTest(
  tokenizer: Tokenizer,
  [one, other]: readonly [WordCondition, WordCondition],
  distance: number,
): (text: string) => boolean {
  const [placesOfOne, placesOfOther] = [placesIn(tokenizer, one), placesIn(tokenizer, other)];
  return (text) => {
    const folded = tokenizer.fold(text);
    const tokens = Array.from(
      folded.matchAll(TOKENS),
      ({ 0: text, index }): Token => ({ text, start: index }),
    );
    const first = placesOfOne(folded, tokens);
    if (first.length === 0) return false;
    const second = placesOfOther(folded, tokens);
    return areNear(first, second, distance) || areNear(second, first, distance);
  };
}

/** Whether one of `later` follows one of `earlier` with at most `distance` tokens between them. */
function areNear(earlier: Places, later: Places, distance: number): boolean {
  let at = 0;
  for (const [, last] of earlier) {
    while (at < later.length && later[at]![0] <= last) at++;
    if (at === later.length) return false;
    if (later[at]![0] - last - 1 <= distance) return true;
  }
  return false;
}

function placesIn(
  tokenizer: Tokenizer,
  { words, form }: WordCondition,
): (folded: string, tokens: readonly Token[]) => Places {
  const folded = tokenizer.fold(words).trim();
  if (form !== "exact" && isOneWord(folded)) {
    const terms = wordTerms(folded);
    const matches = form === "prefix"
      ? prefixTest(foldedPrefix(folded))
      : (word: string) => isSubset(terms, wordTerms(word));
    const known = new Map<string, boolean>();
    return (_, tokens) =>
      tokens.flatMap(({ text }, at) => {
        let is = known.get(text);
        if (is === undefined) known.set(text, is = matches(text));
        return is ? [[at, at] as const] : [];
      });
  }
  const pattern = new RegExp(phrasePattern(folded)!, "giu");
  return (folded, tokens) => {
    let at = 0;
    return Array.from(folded.matchAll(pattern), ({ 0: found, index }) => {
      while (at + 1 < tokens.length && tokens[at + 1]!.start <= index) at++;
      const first = at;
      while (at + 1 < tokens.length && tokens[at + 1]!.start < index + found.length) at++;
      return [first, at] as const;
    });
  };
}

function isSubset(terms: readonly string[], of: readonly string[]): boolean {
  return terms.every((term) => of.includes(term));
}
