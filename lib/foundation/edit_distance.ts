/** Misspelt words: how far two words are apart, and which name was probably meant. */
import { distance } from "fastest-levenshtein";

/**
 * Returns the Levenshtein distance of two words, but 1 if they differ only by two neighbouring letters that changed places,
 * the most frequent typing error beside single letters.
 *
 * ```ts
 * import { editDistance } from "./edit_distance.ts";
 * import { equal } from "node:assert/strict";
 *
 * equal(editDistance("serach", "search"), 1);
 * equal(editDistance("serch", "search"), 1);
 * equal(editDistance("search", "search"), 0);
 * ```
 */
export function editDistance(a: string, b: string): number {
  return isSwapped(a, b) ? 1 : distance(a, b);
}

function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length || a === b) return false;
  let at = 0;
  while (a[at] === b[at]) at++;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** The name that is most similar to `word`, or `undefined` if none is similar enough. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const wanted = plain(word);
  let best: string | undefined;
  // Two of five letters may differ: enough for typing errors, too few to confuse short names.
  let least = Math.max(1, Math.floor(wanted.length * 0.4)) + 1;
  for (const name of names) {
    const known = plain(name);
    // A beginning of three letters or more counts as nearly equal.
    const isBeginning = wanted.length > 2 && known !== wanted && known.startsWith(wanted);
    const far = isBeginning ? 1 : editDistance(wanted, known);
    if (far < least) [best, least] = [name, far];
  }
  return best;
}

/** The name in snake case: `topK`, `top-k` and `TOP_K` become `top_k`. */
function plain(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1_$2").replaceAll("-", "_").toLowerCase();
}
