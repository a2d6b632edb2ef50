import { UserError } from "../errors.ts";
import { readIgnoreFiles } from "./_ignore_files.ts";
import { isMediaKind } from "./classify.ts";
import { NameRules, type RuleOptions } from "./_name_rules.ts";
import type { SkipReason } from "./types.ts";

/**
 * Why a walk of `root` would skip the file at `path` (separated by `/`) by a rule: the file or one of its folders is the
 * program's own, hidden, ignored or excluded, or an ignore file on the way is unusable. Null if no rule excludes it. The
 * type of the file does not count.
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

/** Whether the names of the file at `path` and of its folders are excluded by the options, without any ignore file. */
export function isLeftOutByName(root: string, path: string, options: RuleOptions): boolean {
  const parts = path.split("/");
  let rules = NameRules.of(root, options);
  return parts.some((name, depth) => {
    const isFile = depth === parts.length - 1;
    const reason = rules.byName({ name, isFile, isDirectory: !isFile }, parts.slice(0, depth + 1).join("/"));
    if (!isFile) rules = rules.below(name);
    return reason !== null && !isByType(reason);
  });
}

/** Whether the reason is the type of the file, not a rule. */
function isByType(reason: SkipReason): boolean {
  return reason === "binary_type" || reason === "no_loader" || isMediaKind(reason);
}
