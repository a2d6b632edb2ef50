import { noIgnoreRules, withIgnoreFiles } from "./ignore_files.ts";
import { NameRules, type RuleOptions } from "./rules.ts";
import type { SkipReason } from "./types.ts";

/**
 * Why a walk of `root` would leave out the file at `path` (`/` between its parts) on somebody's word: the program's own,
 * hidden, ignored or excluded, the file or a folder it is in. Null if it would not; a file that only is of no text type is
 * not left out here.
 */
export async function leftOut(root: string, path: string, options: RuleOptions): Promise<SkipReason | null> {
  const rules = new NameRules(root, options);
  const parts = path.split("/");
  let ignored = noIgnoreRules();
  for (const [depth, name] of parts.entries()) {
    if (options.ignoreFiles) ignored = await withIgnoreFiles(root, parts.slice(0, depth).join("/"), ignored);
    const isFile = depth === parts.length - 1;
    const reason = rules.byName(
      { name, isFile, isDirectory: !isFile },
      parts.slice(0, depth + 1).join("/"),
      ignored,
    );
    if (reason !== null && reason !== "binary_type") return reason;
  }
  return null;
}
