import { editDistance } from "../edit_distance.ts";

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
