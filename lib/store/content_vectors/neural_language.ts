import type { NeuralLanguage } from "../../embedding/mod.ts";
import { LANGUAGE_CODES } from "../../index/mod.ts";

/**
 * Returns the language whose model makes a vector of every chunk of a language of `LANGUAGE_CODES`: Chinese for `zh`, English
 * for all others; `undefined` for chunks without letters.
 */
export function neuralLanguageOf(code: number): NeuralLanguage | undefined {
  if (code === LANGUAGE_CODES.other) return undefined;
  return code === LANGUAGE_CODES.zh ? "zh" : "en";
}
