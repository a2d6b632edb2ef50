/** The language model that rewrites the questions of a session, where the configuration has the task `rewrite`. */
import type { LibraryOptions } from "#library/search/mod.ts";
import type { Session } from "./request.ts";

/** Seconds that a search waits for a question to be rewritten, at most. */
const MOST_SECONDS = 5;

/** Returns what opens the model for the folders of a search; `undefined` where no question is rewritten. Nothing is loaded before. */
export function rewriterOf({ config, languageModels }: Session): LibraryOptions["rewriter"] {
  const { tasks, timeout_seconds: seconds } = config.llm;
  if (!tasks.includes("rewrite")) return undefined;
  return async (roots) => {
    const models = await languageModels();
    const [root] = roots;
    if (root === undefined || await models?.forTask("rewrite", roots) === undefined) return undefined;
    const generator = await models!.generator(root, "llm");
    if (generator === undefined) return undefined;
    const { ModelRewriter } = await import("#library/search/model_rewriter.ts");
    return new ModelRewriter(generator, Math.min(seconds, MOST_SECONDS));
  };
}
