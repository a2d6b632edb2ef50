import type { Preparation } from "../cli/mod.ts";
import type { LoadedConfig } from "../config/mod.ts";

/**
 * A preparation without the keys that a command with these permissions has no use for: that of the embedding server where it
 * may speak to none, and that of the language model, which nothing speaks to.
 */
export function withoutUnusedKeys(
  preparation: Preparation,
  { net }: Deno.PermissionOptionsObject,
): Preparation {
  const strip = (loaded: LoadedConfig): LoadedConfig => {
    const { llm, embedding } = loaded.config;
    const config = {
      ...loaded.config,
      llm: { ...llm, api_key: null },
      embedding: net === false ? { ...embedding, api_key: null } : embedding,
    };
    return { ...loaded, config };
  };
  const compared = Object.entries(preparation.compared).map(([name, loaded]) => [name, strip(loaded)]);
  return {
    ...preparation,
    configuration: strip(preparation.configuration),
    compared: Object.fromEntries(compared),
  };
}
