/** The choice between the rerankers: which one a configuration names, and which files it may read. */
import type { Config } from "#foundation/configuration/mod.ts";
import type { LanguageModel } from "#models/language/mod.ts";
import { modelFilePaths } from "#models/neural/mod.ts";
import type { Reranker } from "./reranker.ts";

/**
 * Returns the reranker that a configuration names, or `undefined` for `none` and for `maxsim`, which is a part of the
 * ranking. Sends nothing. The SDK for language models is loaded only for `llm`. `prompts`: the folder of the user's prompts.
 */
export async function createReranker(
  rerank: Config["rerank"],
  prompts: string | null = null,
): Promise<Reranker | undefined> {
  const { provider } = rerank;
  switch (provider) {
    case "none":
    case "maxsim":
      return undefined;
    case "local":
      return new (await import("./local.ts")).LocalReranker(rerank.path ?? "");
    case "remote":
      return new (await import("./remote.ts")).RemoteReranker(rerank);
    case "llm":
      return new (await import("./llm.ts")).LlmReranker(rerank, prompts);
    default:
      return provider satisfies never;
  }
}

/** Returns the reranker by the task `rerank` of a language model. `prompts`: the folder of the user's prompts. */
export async function taskReranker(model: LanguageModel, prompts: string | null): Promise<Reranker> {
  return new (await import("./task.ts")).TaskReranker(model, prompts);
}

/** Returns the paths of files that the reranker of a configuration may read. */
export function rerankModelPaths({ provider, path }: Config["rerank"]): string[] {
  return provider === "local" && path !== null ? modelFilePaths(path) : [];
}
