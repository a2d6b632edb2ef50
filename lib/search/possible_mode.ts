import type { Config } from "../config/mod.ts";
import { BUILTIN_ID } from "../embedding/mod.ts";
import { UserError } from "../errors.ts";
import { message } from "../messages.ts";
import type { QueryVector } from "./query_vectors.ts";
import type { SearchedFolder } from "./searched_folders.ts";
import type { SearchMode } from "./types.ts";

/** Facts that decide in which mode a search is possible. */
export interface ModeRequest {
  /** The requested mode, and whether the request itself names it. */
  readonly mode: SearchMode;
  readonly isNamed: boolean;
  /** The embedding model that is set, if any. */
  readonly model: string | undefined;
  readonly vector: QueryVector;
  readonly config: Config;
}

/** Whether a folder's vectors are of a model. */
export function hasVectorsOf({ index }: SearchedFolder, model: string | undefined): boolean {
  return model !== undefined && index.vectors?.model === model;
}

/**
 * Returns the mode that the folders can answer in, with notices about it. Throws `UserError` `mode_without_vectors`, or why
 * the question has no vector, where `semantic` is not possible.
 */
export function possibleMode(
  { mode, isNamed, model, vector: { vector, problem: unanswered }, config: { language, embedding } }:
    ModeRequest,
  folders: readonly SearchedFolder[],
): { mode: SearchMode; notices: string[] } {
  if (mode === "keyword") return { mode, notices: [] };
  // vectors of an outside model that came after the question was sent to nobody have nothing to be compared with
  const comparable = vector !== undefined || model === BUILTIN_ID;
  const ours = comparable ? folders.filter((folder) => hasVectorsOf(folder, model)) : [];
  const problem = unanswered ?? otherDimensions(ours, vector, embedding.model ?? "");
  if (problem !== undefined) {
    if (mode === "semantic") throw problem;
    const text = message(language, problem.key, problem.params);
    return { mode: "keyword", notices: [message(language, "hybrid_by_keywords", { problem: text })] };
  }
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

/** The error if the server now gives vectors of another length than those of the indexes. */
function otherDimensions(
  ours: readonly SearchedFolder[],
  vector: Float32Array | undefined,
  model: string,
): UserError | undefined {
  const dimensions = ours.map(({ index }) => index.vectors!.dimensions);
  const [expected] = dimensions;
  if (vector === undefined || expected === undefined || dimensions.includes(vector.length)) return undefined;
  return new UserError("embedding_wrong_dimensions", { model, expected, found: vector.length });
}
