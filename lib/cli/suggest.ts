import { distance } from "fastest-levenshtein";

/** The candidate a mistyped word was most likely meant to be, or `undefined` when none is near. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  // Two in five letters may differ: enough for slips, not so much that any short word matches another.
  let bestDistance = Math.max(1, Math.floor(word.length * 0.4)) + 1;
  for (const candidate of candidates) {
    const far = candidate.startsWith(word) && word.length > 2 ? 1 : distance(word, candidate);
    if (far < bestDistance) [best, bestDistance] = [candidate, far];
  }
  return best;
}
