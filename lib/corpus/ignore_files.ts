import { HOST_STYLE, openInside, pathOf } from "../sandbox/mod.ts";
import { patternLines, Patterns } from "./patterns.ts";

/** In the order of their rules: the later file wins. */
const IGNORE_FILES = [".gitignore", ".muxueragignore"];
/** Larger ignore files are not read. */
const MAX_IGNORE_FILE = 1024 * 1024;
/** Git's own default (core.ignoreCase). */
const IGNORE_CASE = Deno.build.os !== "linux";

const { join } = pathOf(HOST_STYLE);

/** The rules that hold above a folder's own ignore files: none. */
export function noIgnoreRules(): Patterns {
  return Patterns.create({ ignoreCase: IGNORE_CASE, trusted: false });
}

/**
 * The rules that hold in the folder `path` below `root`: those inherited and those of its own ignore files. `files`, if
 * given, are the files known to be there. An ignore file that cannot be read has no rules.
 */
export async function withIgnoreFiles(
  root: string,
  path: string,
  inherited: Patterns,
  files?: ReadonlySet<string>,
): Promise<Patterns> {
  const lines: string[] = [];
  for (const name of IGNORE_FILES) {
    if (files?.has(name) ?? true) {
      lines.push(...patternLines(await readIgnoreFile(join(root, path, name))));
    }
  }
  return lines.length > 0 ? inherited.with(lines, path) : inherited;
}

async function readIgnoreFile(real: string): Promise<string> {
  try {
    using file = await openInside({ real });
    const { size } = await file.stat();
    if (size > MAX_IGNORE_FILE) return "";
    return await new Response(file.readable).text();
  } catch {
    return "";
  }
}
