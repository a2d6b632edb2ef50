import { UserError } from "../errors.ts";
import { readIgnoreFiles } from "./_ignore_files.ts";
import { isMediaKind } from "./classify.ts";
import { NameRules, type RuleOptions } from "./_name_rules.ts";
import type { SkipReason } from "./types.ts";

/**
 * Why a walk of `root` would leave out the file at `path` (`/` between its parts) on somebody's word: the program's own,
 * hidden, ignored or excluded, the file or a folder it is in; or because an ignore file on the way cannot be obeyed. Null if
 * it would not; a file that only is of no text type is not left out here.
 */
export async function leftOut(
  root: string,
  path: string,
  options: RuleOptions,
): Promise<SkipReason | "ignore_file_unusable" | null> {
  const parts = path.split("/");
  let rules = NameRules.of(root, options);
  for (const [depth, name] of parts.entries()) {
    if (options.ignoreFiles) {
      try {
        const ignored = await readIgnoreFiles(root, parts.slice(0, depth).join("/"));
        if (ignored !== null) rules = rules.withIgnored(ignored);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return "ignore_file_unusable";
      }
    }
    const isFile = depth === parts.length - 1;
    const reason = rules.byName({ name, isFile, isDirectory: !isFile }, parts.slice(0, depth + 1).join("/"));
    if (reason !== null && !isByType(reason)) return reason;
    if (!isFile) rules = rules.below(name);
  }
  return null;
}

/** Whether a file is left out for what it is, not for what somebody said. */
function isByType(reason: SkipReason): boolean {
  return reason === "binary_type" || reason === "no_loader" || isMediaKind(reason);
}
