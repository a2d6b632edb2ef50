/** The language model of a server: which files it may answer questions from. It is loaded where a model is configured. */
import { sep } from "node:path";
import { serverAddress } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { Answering } from "#server/mod.ts";
import type { Session } from "../../request.ts";

/**
 * Returns the language model that answers questions from the folders whose texts may be sent to it; `undefined` without a model or
 * without such folders. The first question opens it. It is asked as many questions at a time as the configuration says.
 */
export function answeringOf(
  { config: { llm }, consented, roots, languageModels, traces }: Session,
): Answering | undefined {
  const address = serverAddress(llm);
  if (address === undefined) return undefined;
  const { origin } = new URL(address);
  const allowed = roots.filter((root) => consented[root]?.includes(origin));
  if (allowed.length === 0) return undefined;
  return {
    model: async () => {
      const model = await (await languageModels())?.model("llm", allowed);
      if (model === undefined) throw new UserError("ask_no_model");
      return model;
    },
    mayBeSent: (path) => {
      const root = innermost(path, roots);
      return root !== undefined && allowed.includes(root);
    },
    prompts: llm.prompts,
    maxOutputTokens: llm.max_output_tokens,
    traces,
  };
}

/** The folder that a file belongs to: the innermost of those around it. */
function innermost(path: string, roots: readonly string[]): string | undefined {
  const around = roots.filter((root) => path.startsWith(root.endsWith(sep) ? root : root + sep));
  return around.toSorted((a, b) => b.length - a.length)[0];
}
