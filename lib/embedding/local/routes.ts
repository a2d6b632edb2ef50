import type { LocalLanguage } from "../neural_models.ts";

const IDEOGRAPH = /\p{Script=Han}/gu;
/** A word in another script, however long. */
const WORD = /(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+/gu;

/** Ideographs that say as much as a word. */
const IDEOGRAPHS_A_WORD = 2;
/** Part of a text from which it counts as one in the language too. */
const SHARE = 0.25;

/**
 * Returns the languages whose models a text is embedded with: Chinese by its ideographs, English by its words in all other
 * scripts, and both where each has a quarter of the text. A text without letters counts as English.
 */
export function routesOf(text: string): readonly LocalLanguage[] {
  const chinese = (text.match(IDEOGRAPH)?.length ?? 0) / IDEOGRAPHS_A_WORD;
  const english = text.match(WORD)?.length ?? 0;
  const all = chinese + english;
  if (all === 0 || chinese < SHARE * all) return ["en"];
  return english < SHARE * all ? ["zh"] : ["zh", "en"];
}
