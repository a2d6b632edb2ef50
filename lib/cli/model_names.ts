import { UsageError } from "../errors.ts";
import { MODEL_IDS, type ModelId } from "../models/types.ts";

/** The word that stands for all models. */
const ALL = "all";

/** The models that the words of a command line name, each once. Throws `UsageError` `cli_model_unknown`. */
export function modelsNamed(words: readonly string[]): ModelId[] {
  const ids: readonly string[] = MODEL_IDS;
  for (const name of words) {
    if (name !== ALL && !ids.includes(name)) {
      throw new UsageError("cli_model_unknown", { name, names: [...ids, ALL].join(", ") });
    }
  }
  return MODEL_IDS.filter((id) => words.includes(ALL) || words.includes(id));
}
