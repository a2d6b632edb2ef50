import { distance } from "fastest-levenshtein";

/** The name that `word` was most likely meant to be, or `undefined` when none is near. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const wanted = plain(word);
  let best: string | undefined;
  // Two in five letters may differ: room for slips, not enough to take one short name for another.
  let least = Math.max(1, Math.floor(wanted.length * 0.4)) + 1;
  for (const name of names) {
    const known = plain(name);
    // Whoever stops typing after three letters has made no slip yet.
    const far = wanted.length > 2 && known !== wanted && known.startsWith(wanted)
      ? 1
      : distance(wanted, known);
    if (far < least) [best, least] = [name, far];
  }
  return best;
}

/** `topK`, `top-k` and `TOP_K` are all meant to be `top_k`. */
function plain(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1_$2").replaceAll("-", "_").toLowerCase();
}
