/** The rule that leaves a path out: its pattern, and the file and the line where it stands. */
import { HOST_STYLE, pathModule, portablePattern } from "#foundation/boundary/mod.ts";
import { Patterns } from "#foundation/patterns.ts";
import { ignoreLines, IGNORES_CASE, type RuleOptions } from "./rules.ts";

const { join } = pathModule(HOST_STYLE);

/** A rule of an ignore file, or of the configuration. */
export interface DecidingRule {
  readonly pattern: string;
  /** Full path of the ignore file, and the number of the line, counted from 1. Absent for the configuration. */
  readonly file?: string;
  readonly line?: number;
  /** The path that it leaves out, relative to the folder: that of the file, or of a folder around it. */
  readonly path: string;
}

/**
 * Returns the rule of an ignore file that leaves out the file at `path` (relative to `root`, separated by `/`) or a folder around it, the
 * outermost first; `undefined` if there is none. Takes time linear in the length of the ignore files on the way.
 */
export async function ignoringRule(root: string, path: string): Promise<DecidingRule | undefined> {
  const names = path.split("/");
  const layers: { readonly depth: number; readonly file: string; readonly lines: readonly string[] }[] = [];
  for (let depth = 0; depth < names.length; depth++) {
    const folder = names.slice(0, depth).join("/");
    for (const { file, lines } of await ignoreLines(root, folder)) {
      layers.push({ depth, file: join(root, folder, file), lines });
    }
    const isFolder = depth < names.length - 1;
    for (const { depth: from, file, lines } of layers.toReversed()) {
      const below = names.slice(from, depth + 1);
      const found = decidingLine(lines, below, isFolder, IGNORES_CASE);
      if (found === undefined) continue;
      if (!found.leavesOut) break;
      return { pattern: found.pattern, file, line: found.line, path: names.slice(0, depth + 1).join("/") };
    }
  }
  return undefined;
}

/** Returns the pattern of `files.exclude` that leaves out the file at `path` or a folder around it. */
export function excludingRule(
  path: string,
  { exclude }: Pick<RuleOptions, "exclude">,
): DecidingRule | undefined {
  const names = path.split("/");
  const patterns = exclude.map((pattern) => portablePattern(pattern));
  for (let depth = 0; depth < names.length; depth++) {
    const found = decidingLine(patterns, names.slice(0, depth + 1), depth < names.length - 1, true);
    if (found?.leavesOut) return { pattern: found.pattern, path: names.slice(0, depth + 1).join("/") };
  }
  return undefined;
}

/** Returns the last line that matches a path, given by its names. */
function decidingLine(
  lines: readonly string[],
  names: readonly string[],
  isFolder: boolean,
  ignoreCase: boolean,
): { readonly pattern: string; readonly line: number; readonly leavesOut: boolean } | undefined {
  for (let at = lines.length - 1; at >= 0; at--) {
    const pattern = lines[at]!;
    if (pattern === "" || pattern.startsWith("#")) continue;
    let rules = Patterns.of([pattern], { ignoreCase });
    for (const name of names.slice(0, -1)) rules = rules.below(name);
    const verdict = rules.verdict(names.at(-1)!, isFolder);
    if (verdict !== undefined) return { pattern, line: at + 1, leavesOut: verdict };
  }
  return undefined;
}
