import type { Found } from "./answer.ts";
import type { NeuralAnswer } from "./neural/neural_search.ts";
import type { ParsedQuery } from "./query/mod.ts";
import type { RerankOptions } from "./reranker_choice.ts";
import type { Below } from "./scope.ts";
import type { SearchedFolder } from "./searched_folders.ts";
import type { SearchMode, SearchRequest } from "./types.ts";

/** A parsed search request. */
export interface Asked {
  readonly request: SearchRequest;
  readonly query: ParsedQuery;
  /** The requested mode. */
  readonly mode: SearchMode;
  readonly below: Below;
  readonly neural: NeuralAnswer | undefined;
  readonly rerank: RerankOptions | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The result of a search with its notices and the folders searched. */
export interface Answered {
  readonly found: Found;
  readonly notices: readonly string[];
  readonly folders: readonly SearchedFolder[];
}
