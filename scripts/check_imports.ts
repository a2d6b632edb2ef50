/**
 * Keeps the house in order: imports go down the folders only, enter a folder by its `mod.ts`, and never in
 * circles. Computed dynamic imports are refused, because in a compiled program they escape its permissions.
 *
 *     deno run --allow-read scripts/check_imports.ts
 */

import { dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { inOrder, programSources, reportAndExit, type Violation } from "./check/sources.ts";
import { type Token, tokens } from "./check/tokens.ts";

/** Stations on the data's way; each may import from itself and from those before it. */
const ORDER = [
  "sandbox",
  "registry",
  "corpus",
  "document",
  "extract",
  "chunk",
  "embedding",
  "index",
  "store",
  "ingest",
  "search",
  "evaluate",
  "answer",
  "mcp",
  "cli",
  "launch",
  "worker",
  "main",
] as const;

/** Those all may import, and which import only each other. */
const COMMON: readonly string[] = ["messages", "errors", "program_root"];

/** Those all may import but the door to files, which they need as well. */
const SHARED: readonly string[] = ["config", "log"];

/** The engine knows nothing of files or configuration, though both lie below it. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  index: ["corpus", "sandbox", "config"],
  sandbox: SHARED,
};

/** One `import` or `export … from` of a source text. */
export interface Import {
  /** Counted from 1. */
  readonly line: number;
  /** The text in the quotes; `undefined` for a computed dynamic import. */
  readonly specifier: string | undefined;
}

/** Every static, literal dynamic and computed dynamic import of a TypeScript source, in its order. */
export function importsOf(source: string): Import[] {
  const all = tokens(source);
  const imports: Import[] = [];
  for (const [at, token] of all.entries()) {
    if (token.kind !== "word" || all[at - 1]?.text === ".") continue;
    const next = all[at + 1];
    if (token.text === "import" && next?.text === "(" && next.kind === "mark") {
      const argument = all[at + 2];
      const after = all[at + 3]?.text;
      const literal = argument?.kind === "string" && (after === ")" || after === ",");
      imports.push({ line: token.line, specifier: literal ? argument.text : undefined });
    } else if (token.text === "import" && next?.kind === "string") {
      imports.push({ line: token.line, specifier: next.text });
    } else if (
      token.text === "import" || (token.text === "export" && /^([{*]|type)$/.test(next?.text ?? ""))
    ) {
      const specifier = fromClause(all, at + 1);
      if (specifier !== undefined) imports.push({ line: token.line, specifier });
    }
  }
  return imports;
}

/** The specifier of the `from "…"` that ends the clause starting at `at`, if it is one. */
function fromClause(all: readonly Token[], at: number): string | undefined {
  for (let i = at; i < all.length; i++) {
    const token = all[i];
    const next = all[i + 1];
    if (token?.kind === "word" && token.text === "from" && next?.kind === "string") return next.text;
    // a name may be a string: `import { "a" as b } from`
    const isName = token?.kind === "string" && (next?.text === "as" || all[i - 1]?.text === "as");
    if ((token?.kind === "string" && !isName) || (token?.kind === "mark" && !/[{},*]/.test(token.text))) {
      return undefined;
    }
  }
  return undefined;
}

/** The station a file belongs to: its folder under `lib/`, or its own name where it lies in `lib/` itself. */
function stationOf(file: string): string {
  const parts = file.split("/");
  if (parts[0] !== "lib") return "main";
  return (parts[1] ?? "").replace(/\.ts$/, "");
}

function directionProblem(from: string, to: string): string | undefined {
  const [source, target] = [stationOf(from), stationOf(to)];
  if (source === target) return undefined;
  const order: readonly string[] = ORDER;
  for (const station of [source, target]) {
    if (![...COMMON, ...SHARED, ...order].includes(station)) {
      return `${station} has no place in the order of folders (scripts/check_imports.ts)`;
    }
  }
  if (FORBIDDEN[source]?.includes(target) || !mayImport(source, target)) {
    const isAbove = order.includes(source) && order.indexOf(target) > order.indexOf(source);
    return `${source} may not import ${target}${isAbove ? ", which lies above it" : ""}`;
  }
  const inside = to.split("/").slice(2).join("/");
  if (inside !== "" && inside !== "mod.ts" && inside !== "types.ts") {
    return `${to} is inside ${target}: import lib/${target}/mod.ts`;
  }
  return undefined;
}

function mayImport(source: string, target: string): boolean {
  if (COMMON.includes(target)) return true;
  if (COMMON.includes(source)) return false;
  if (SHARED.includes(target)) return true;
  if (SHARED.includes(source)) return target === "sandbox";
  const order: readonly string[] = ORDER;
  return order.indexOf(target) < order.indexOf(source);
}

/** Every circle once, named by its first file in the order of `graph`. */
function cycles(graph: ReadonlyMap<string, readonly { to: string; line: number }[]>): Violation[] {
  const found: Violation[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string) => {
    path.push(file);
    for (const { to, line } of graph.get(file) ?? []) {
      const start = path.indexOf(to);
      if (start >= 0) {
        found.push({
          file,
          line,
          problem: `a circle of imports: ${[...path.slice(start), to].join(" -> ")}`,
        });
      } else if (!done.has(to)) visit(to);
    }
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) if (!done.has(file)) visit(file);
  return found;
}

/** Checks source texts by their path relative to the project (`main.ts`, `lib/cli/run.ts` …). */
export function checkSources(sources: ReadonlyMap<string, string>): Violation[] {
  const violations: Violation[] = [];
  const graph = new Map<string, { to: string; line: number }[]>();
  for (const [file, source] of sources) {
    const edges: { to: string; line: number }[] = [];
    graph.set(file, edges);
    for (const { line, specifier } of importsOf(source)) {
      if (specifier === undefined) {
        violations.push({
          file,
          line,
          problem: "a computed dynamic import: its specifier must be a literal",
        });
      } else if (/^(npm|jsr|https?|file|data):/.test(specifier) || specifier.startsWith("/")) {
        violations.push({ file, line, problem: `${specifier} must be named in the import map of deno.json` });
      } else if (specifier.startsWith(".") && specifier.endsWith(".ts")) {
        const to = posix.normalize(posix.join(posix.dirname(file), specifier));
        const problem = directionProblem(file, to);
        if (problem !== undefined) violations.push({ file, line, problem });
        if (sources.has(to)) edges.push({ to, line });
        else violations.push({ file, line, problem: `${to} does not exist` });
      }
    }
  }
  return inOrder([...violations, ...cycles(graph)]);
}

/** Checks `main.ts` and all of `lib/` of the project in `root`. */
export async function checkImports(root: string): Promise<Violation[]> {
  return checkSources(await programSources(root));
}

if (import.meta.main) reportAndExit(await checkImports(dirname(dirname(fileURLToPath(import.meta.url)))));
