import type { Config } from "../config/mod.ts";
import { UserError } from "../errors.ts";
import { message } from "../messages.ts";
import type { SearchedFolder } from "./searched_folders.ts";
import type { SearchMode } from "./types.ts";

/** Facts that decide in which mode a search is possible. */
export interface ModeRequest {
  /** The requested mode, and whether the request itself names it. */
  readonly mode: SearchMode;
  readonly isNamed: boolean;
  /** The embedding model that is set, if any. */
  readonly model: string | undefined;
  readonly language: Config["language"];
}

/** Whether a folder's index has vectors of a model. */
function hasVectorsOf({ index }: SearchedFolder, model: string | undefined): boolean {
  return model !== undefined && index.vectors?.model === model;
}

/**
 * Returns the mode that the folders can answer in, with notices about it. Throws `UserError` `mode_without_vectors` where
 * `semantic` is not possible.
 */
export function possibleMode(
  { mode, isNamed, model, language }: ModeRequest,
  folders: readonly SearchedFolder[],
): { mode: SearchMode; notices: string[] } {
  if (mode === "keyword") return { mode, notices: [] };
  const ours = folders.filter((folder) => hasVectorsOf(folder, model));
  if (ours.length > 0) {
    const others = folders.filter((folder) => !ours.includes(folder));
    return {
      mode,
      notices: others.map(({ folder: { root } }) =>
        message(language, "folder_of_other_model", { path: root })
      ),
    };
  }
  if (mode === "semantic") throw new UserError("mode_without_vectors");
  // a user who has switched the vectors off is not told
  const isSurprising = isNamed || model !== undefined;
  return { mode: "keyword", notices: isSurprising ? [message(language, "hybrid_without_vectors")] : [] };
}
