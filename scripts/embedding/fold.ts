import type { CedictEntry } from "./sources.ts";

/**
 * Returns the simplified form of every UTF-16 unit, from the dictionary's entries of one character. A character that is
 * also a simplified form itself stays: 乾 in 乾坤 is not 干. Whole words are found by their other spelling.
 */
export function simplifiedForms(
  entries: readonly CedictEntry[],
  frequencies: ReadonlyMap<string, number>,
): Uint16Array {
  const forms = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit);
  const found = new Map<string, Set<string>>();
  for (const { traditional, simplified } of entries) {
    if (traditional.length !== 1 || simplified.length !== 1) continue;
    const ofCharacter = found.get(traditional);
    if (ofCharacter === undefined) found.set(traditional, new Set([simplified]));
    else ofCharacter.add(simplified);
  }
  for (const [traditional, simplified] of found) {
    if (simplified.has(traditional)) continue;
    const [best] = [...simplified].sort((a, b) => (frequencies.get(b) ?? 0) - (frequencies.get(a) ?? 0));
    forms[traditional.charCodeAt(0)] = best!.charCodeAt(0);
  }
  return forms;
}
