import { join, posix } from "node:path";

/** A rule broken. */
export interface Violation {
  /** Path relative to the project, `/` between its parts. */
  readonly file: string;
  readonly line: number;
  readonly problem: string;
}

/** The sources of the program, `main.ts` and all of `lib/` of the project in `root`, by their paths relative to it. */
export async function programSources(root: string): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  sources.set("main.ts", await Deno.readTextFile(join(root, "main.ts")));
  await readSources(root, "lib", sources);
  return sources;
}

/** Broken rules in the order of files and lines. */
export function inOrder(violations: readonly Violation[]): Violation[] {
  return violations.toSorted((a, b) => a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line);
}

/** Says what is wrong, a line each, and ends the process: with 1 if anything is. */
export function reportAndExit(violations: readonly Violation[]): never {
  const lines = violations.map(({ file, line, problem }) => `${file}:${line} ${problem}\n`).join("");
  Deno.stdout.writeSync(new TextEncoder().encode(lines));
  Deno.exit(violations.length === 0 ? 0 : 1);
}

async function readSources(root: string, folder: string, into: Map<string, string>): Promise<void> {
  for await (const entry of Deno.readDir(join(root, folder))) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory) await readSources(root, path, into);
    else if (entry.name.endsWith(".ts")) into.set(path, await Deno.readTextFile(join(root, path)));
  }
}
