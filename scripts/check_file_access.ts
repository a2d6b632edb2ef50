/**
 * Keeps the one door to files (lib/sandbox/boundary.ts) the only one: the rest of the program may name no function of the
 * runtime that takes a path, starts a program, or loads a library or code. What it may name is listed (scripts/check/
 * word_uses.ts, import_uses.ts); all else is refused.
 *
 *     deno run --allow-read scripts/check_file_access.ts
 */

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { usesOfImports } from "./check/import_uses.ts";
import { inOrder, programSources, reportAndExit, type Violation } from "./check/sources.ts";
import { tokens } from "./check/tokens.ts";
import { usesOfWords } from "./check/word_uses.ts";

/** The folder whose files may do all this. */
const DOOR = "lib/sandbox/";

/** Exceptions for a few files outside of it, each by an address that is a constant, or an `http` one that was looked at. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  Worker: ["lib/embedding/builtin/pool.ts", "lib/extract/process.ts", "lib/launch/locked_worker.ts"],
  fetch: ["lib/embedding/remote/guarded_fetch.ts"],
  "an import of type text": ["lib/config/init.ts"],
};

/** Every use in a source of what only the door may use, or another file than `file`. */
export function fileAccessOf(source: string, file = ""): Omit<Violation, "file">[] {
  const all = tokens(source);
  return [...usesOfImports(source, all), ...usesOfWords(all)].flatMap(({ line, what }) => {
    const allowed = ALLOWED[what] ?? [];
    return allowed.includes(file)
      ? []
      : { line, problem: `${what}: only ${[DOOR, ...allowed].join(", ")} may` };
  });
}

/** Checks source texts by their path relative to the project (`main.ts`, `lib/cli/run.ts` …). */
export function checkFileAccessOf(sources: ReadonlyMap<string, string>): Violation[] {
  const violations: Violation[] = [];
  for (const [file, source] of sources) {
    if (file.startsWith(DOOR)) continue;
    for (const each of fileAccessOf(source, file)) violations.push({ file, ...each });
  }
  return inOrder(violations);
}

/** Checks `main.ts` and all of `lib/` of the project in `root`. */
export async function checkFileAccess(root: string): Promise<Violation[]> {
  return checkFileAccessOf(await programSources(root));
}

if (import.meta.main) {
  reportAndExit(await checkFileAccess(dirname(dirname(fileURLToPath(import.meta.url)))));
}
