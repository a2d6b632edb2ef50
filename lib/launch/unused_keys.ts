import type { Preparation } from "../cli/mod.ts";
import type { LoadedConfig } from "../config/mod.ts";

/** The preparation without the embedding server's key, where a command with these permissions may not use the network. */
export function withoutUnusedKeys(
  preparation: Preparation,
  { net }: Deno.PermissionOptionsObject,
): Preparation {
  const strip = (loaded: LoadedConfig): LoadedConfig => {
    const { embedding } = loaded.config;
    const config = {
      ...loaded.config,
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
