import type { Config } from "../config/mod.ts";
import { createReranker, type Reranker } from "../rerank/mod.ts";
import type { RerankOptions } from "./reranking.ts";

export type { RerankOptions };

/** The reranker of a configuration, made at the first search and kept, because it remembers its server's dialect. */
export class RerankerChoice {
  readonly #rerank: Config["rerank"];
  /** The section `search`, with `rerank` false if nothing is reranked. */
  readonly search: Config["search"];
  #reranker: Promise<Reranker | undefined> | undefined;

  constructor({ search, rerank }: Config) {
    this.#rerank = search.rerank ? rerank : { ...rerank, provider: "none" };
    this.search = { ...search, rerank: this.#rerank.provider !== "none" };
  }

  /** Returns the reranker with its limits; `undefined` for `none` and `maxsim`. `signal` aborts the search. */
  async options(signal: AbortSignal | undefined): Promise<RerankOptions | undefined> {
    const { top_m: topM, timeout_seconds: timeoutSeconds } = this.#rerank;
    const reranker = await (this.#reranker ??= createReranker(this.#rerank));
    return reranker === undefined ? undefined : { reranker, topM, timeoutSeconds, signal };
  }

  /** Frees what the reranker holds. */
  close(): void {
    this.#reranker?.then((reranker) => reranker?.close?.()).catch(() => {});
    this.#reranker = undefined;
  }
}
