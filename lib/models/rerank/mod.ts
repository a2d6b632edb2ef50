/**
 * Judging how well passages answer a question: the interface of a reranker (`reranker.ts`) and its implementations.
 * @module
 */
export { createReranker, rerankModelPaths, taskReranker } from "./create_reranker.ts";
export { type Reranker, RerankFailure } from "./reranker.ts";
