/** How each file of a folder ended in a run: exactly one end for each, so that their numbers add up. */
import { join } from "node:path";
import type { StoredFile } from "#engine/index/mod.ts";
import { lookAtSync } from "#foundation/boundary/mod.ts";
import { present } from "#foundation/present.ts";
import type { FileEnd } from "./types.ts";
import { isFailure, type UpdatePlan } from "./update_plan.ts";

/** The input of {@linkcode fileEnds}. */
interface EndedRun {
  readonly root: string;
  readonly plan: Pick<UpdatePlan, "walked">;
  /** The files of the index before the run, and after it. */
  readonly before: readonly StoredFile[];
  readonly after: readonly StoredFile[];
}

/**
 * The ends of the files of a folder, in the order of their paths. A file whose text is that of an earlier run, because it cannot be
 * read now, has `failed`. A folder that is skipped as a whole counts once; its path ends with `/`.
 */
export function fileEnds({ root, plan, before, after }: EndedRun): FileEnd[] {
  const old = new Map<string, StoredFile>();
  for (const file of before) old.set(file.path, file);
  const skipped = new Map<string, FileEnd>();
  for (const [path, reason] of plan.walked.skipped) {
    const shown = isFolder(root, path) ? `${path}/` : path;
    skipped.set(path, { path: shown, end: "skipped", reason });
  }
  const ends = after.map((file): FileEnd => {
    const { path, status, reason, detail } = file;
    const known = old.get(path);
    old.delete(path);
    skipped.delete(path);
    const isSame = known?.status === "indexed" && known.sha256 === file.sha256;
    const end: FileEnd["end"] = isFailure(file)
      ? "failed"
      : status !== "indexed"
      ? status
      : isSame
      ? "unchanged"
      : "indexed";
    return reason === undefined && detail === undefined
      ? { path, end }
      : present({ path, end, reason, detail });
  });
  for (const { path, status } of old.values()) {
    if (status === "indexed" && !skipped.has(path)) ends.push({ path, end: "removed" });
  }
  ends.push(...skipped.values());
  return ends.sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

function isFolder(root: string, path: string): boolean {
  try {
    return lookAtSync(join(root, ...path.split("/")))?.isDirectory === true;
  } catch {
    return false;
  }
}
