import { comparable } from "../sandbox/mod.ts";
import type { OpenIndex } from "./index_store.ts";

/** Whether an index was made for the folder `root`, a real path. */
export function isMadeFor({ meta }: Pick<OpenIndex, "meta">, root: string): boolean {
  return comparable(meta.root) === comparable(root);
}

/** Says in English for which folder an index was made. */
export function movedFrom({ meta }: Pick<OpenIndex, "meta">): string {
  return `made for ${meta.root}`;
}
