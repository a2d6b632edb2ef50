import type { OperatorList } from "./rules.ts";

/** The fields of a glyph in the operator list of pdf.js that the loader uses. */
interface Glyph {
  readonly unicode?: string;
}

/** Most glyphs of a word. */
const LONGEST = 60;
const ARABIC_OR_HEBREW = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/**
 * Returns the words whose ligatures pdf.js reverses, mapped to the correct words. A page draws right-to-left glyphs from
 * left to right. pdf.js reverses the characters, including those of a glyph that stands for several: لا becomes ال. The
 * glyphs in the operator list show where this happened.
 */
export function turnedWords(
  { fnArray, argsArray }: OperatorList,
  ops: { readonly showText: number },
): Map<string, string> {
  const words = new Map<string, string>();
  const note = (glyphs: readonly string[]) => {
    if (!glyphs.some((glyph) => glyph.length > 1) || glyphs.length > LONGEST) return;
    const right = glyphs.toReversed().join("").normalize("NFKC");
    const wrong = Array.from(glyphs.join("").normalize("NFKC")).reverse().join("");
    if (right !== wrong) words.set(wrong, right);
  };
  // A word may be drawn in several parts. pdf.js returns it as a whole or in these parts.
  let word: string[] = [], part: string[] = [];
  for (let i = 0; i < fnArray.length; i++) {
    if (fnArray[i] !== ops.showText || !Array.isArray(argsArray[i]?.[0])) continue;
    for (const glyph of argsArray[i][0] as (Glyph | number | null)[]) {
      if (typeof glyph !== "object" || glyph === null) continue;
      const text = glyph.unicode ?? "";
      if (ARABIC_OR_HEBREW.test(text)) {
        word.push(text);
        part.push(text);
      } else {
        note(word);
        note(part);
        word = [];
        part = [];
      }
    }
    note(part);
    part = [];
  }
  note(word);
  return words;
}
