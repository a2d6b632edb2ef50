import type { EmbeddingProvider } from "./provider.ts";

/** The languages that a local model can be for. */
export type NeuralLanguage = "zh" | "en";

/** Local models, of which each text uses those of its languages. Vectors of different models must not be compared. */
export interface NeuralModels {
  /** At most one model for each language. */
  readonly providers: ReadonlyMap<NeuralLanguage, EmbeddingProvider>;
  /** Returns the languages whose models a text is given to: several for a mixed text. */
  readonly routesOf: (text: string) => readonly NeuralLanguage[];
}
