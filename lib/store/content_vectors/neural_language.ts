import type { NeuralLanguage } from "../../embedding/mod.ts";
import { LANGUAGE_CODES } from "../../index/mod.ts";

/**
 * Returns the language whose model makes a vector of every chunk of a language of `LANGUAGE_CODES`: a model for all languages of
 * any chunk; otherwise Chinese for `zh`, English for all others, and `undefined` for chunks without letters.
 */
export function neuralLanguageOf(
  code: number,
  models: { has(language: NeuralLanguage): boolean },
): NeuralLanguage | undefined {
  if (models.has("all")) return "all";
  if (code === LANGUAGE_CODES.other) return undefined;
  return code === LANGUAGE_CODES.zh ? "zh" : "en";
}
