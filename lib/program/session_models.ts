/** The models that a session opens when a search or an update needs them: neural ones, and those that a library may ask for. */
import type { Config } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { LibraryOptions } from "#library/search/mod.ts";
import type { NeuralModels } from "#models/embedding/mod.ts";
import { MODEL_THREADS } from "./context.ts";
import type { Request, Session } from "./request.ts";

/** Commands that answer questions while vectors are made. */
const ANSWERING: ReadonlySet<string> = new Set(["serve", "search"]);

/** Neural models, with their threads if they have some. */
export type OpenedModels = NeuralModels & Partial<Disposable>;

/** Opens neural models; `undefined` where they cannot be used, and `warn` is told why in the user's language. */
export async function openModels(
  embedding: Config["embedding"],
  { command, language, modelsDir }: Request,
  warn: (text: string) => void,
): Promise<OpenedModels | undefined> {
  const { printableMessage } = await import("./say.ts");
  const onProblem = ({ key, params }: UserError) => warn(printableMessage(language, key, params));
  try {
    const { openNeuralModels } = await import("#models/embedding/mod.ts");
    // A second thread does not help where the program itself needs a core, and takes the model's memory again.
    const workers = ANSWERING.has(command) ? 1 : MODEL_THREADS;
    return await openNeuralModels(embedding, { modelsDir, workers, onProblem });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    onProblem(error);
    return undefined;
  }
}

/** Returns the options of a library that searches for a session. It asks models only about folders that the user has agreed for. */
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
