/** The models that a library may ask for a session: opened when a search needs them, and only for folders that the user has agreed for. */
import type { LibraryOptions } from "#library/search/mod.ts";
import type { Session } from "./request.ts";

/** Returns the options of a library that searches for a session. */
export function libraryModels(
  session: Session,
): Pick<LibraryOptions, "languageModel" | "rewriter" | "rerankRefusal"> {
  const { config } = session;
  return {
    languageModel: async (task, roots) => await (await session.languageModels())?.forTask(task, roots),
    rewriter: config.llm.tasks.includes("rewrite")
      ? async (roots) => await (await session.languageModels())?.rewriter(roots)
      : undefined,
    rerankRefusal: config.rerank.provider === "llm"
      ? async (roots) => (await import("./consent.ts")).rerankRefusal(config, session, roots)
      : undefined,
  };
}
