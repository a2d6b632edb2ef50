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
