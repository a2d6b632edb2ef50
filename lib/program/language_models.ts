/** The language models of a session, for the tasks and folders for which the user wants them. */
import {
  type Config,
  folderConfig,
  isLoopbackHost,
  serverAddress,
  usageDir,
} from "#foundation/configuration/mod.ts";
import type { Budget, LanguageModel, ModelTask } from "#models/language/mod.ts";
import type { Request, Session } from "./request.ts";

/** Returns the function that opens the models of a request. Nothing is loaded before a model is opened. */
export function languageModelsOf(request: Request): Session["languageModel"] {
  const opened = new Map<string, Promise<LanguageModel>>();
  let budget: Budget | undefined;
  const open = async (settings: Config["llm"] | Config["vision_llm"]) => {
    const { openLanguageModel, TokenBudget } = await import("#models/language/mod.ts");
    budget ??= new TokenBudget(request.config.llm.budget, usageDir(request.stateDir));
    return await openLanguageModel(settings, budget);
  };
  return async (task, roots, config = request.config) => {
    const settings = task === "caption" ? config.vision_llm : config.llm;
    if (!isWanted(task, roots, config) || !mayBeSent(settings, roots, request)) return undefined;
    const name = JSON.stringify(settings);
    const model = opened.get(name) ?? open(settings);
    opened.set(name, model);
    return await model;
  };
}

/** Whether each of these folders has the task. */
function isWanted(task: ModelTask, roots: readonly string[], config: Config): boolean {
  if (task === "answer" || task === "check") return true;
  const folders = roots.length === 0 ? [config] : roots.map((root) => folderConfig(config, root));
  return folders.every(({ llm }) => llm.tasks.includes(task));
}

/** Whether texts of all of these folders may be sent to the server of a section. */
function mayBeSent(
  settings: Config["llm"] | Config["vision_llm"],
  roots: readonly string[],
  { consented }: Pick<Request, "consented">,
): boolean {
  const address = serverAddress(settings);
  if (address === undefined) return false;
  const { origin, hostname } = new URL(address);
  if (isLoopbackHost(hostname)) return true;
  return roots.length > 0 && roots.every((root) => consented[root]?.includes(origin));
}
