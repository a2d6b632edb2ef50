import type { EmbeddingProvider } from "./provider.ts";

/** The languages that a local model can be for. */
export type LocalLanguage = "zh" | "en";

/** The languages that a model is for: one of those that there are local models for, or `all`, by a model on a server. */
export type NeuralLanguage = LocalLanguage | "all";

/** How a server is asked for vectors. */
export interface ServerRequests {
  /** Texts in one request. */
  readonly texts: number;
  /** Requests under way at once, at most. */
  readonly atOnce: number;
}

/** Neural models, of which each text uses those of its languages. Vectors of different models must not be compared. */
export interface NeuralModels {
  /** At most one model for each language; a model for `all` is the only one. */
  readonly providers: ReadonlyMap<NeuralLanguage, EmbeddingProvider>;
  /** Returns the languages whose models a text is given to: several for a mixed text. */
  readonly routesOf: (text: string) => readonly NeuralLanguage[];
  /** Set for a model on a server, which answers late or not at all, and whose vectors were paid for. */
  readonly server?: ServerRequests;
}
