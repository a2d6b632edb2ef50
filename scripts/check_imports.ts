/**
 * Keeps the house in order: imports go down the folders only, enter a folder by its `mod.ts`, and never in
 * circles. Computed dynamic imports are refused, because in a compiled program they escape its permissions.
 *
 *     deno run --allow-read scripts/check_imports.ts
 */

import { dirname, join, posix } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Stations on the data's way; each may import from itself and from those before it. */
const ORDER = [
  "sandbox",
  "corpus",
  "document",
  "chunk",
  "embedding",
  "index",
  "store",
  "ingest",
  "search",
  "evaluate",
  "mcp",
  "cli",
  "main",
] as const;

/** Those all may import, and which import only each other. */
const COMMON: readonly string[] = ["config", "log", "messages", "errors", "program_root"];

/** The engine knows nothing of files or configuration, though both lie below it. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = { index: ["corpus", "sandbox", "config"] };

/** One `import` or `export … from` of a source text. */
export interface Import {
  /** Counted from 1. */
  readonly line: number;
  /** What stands in the quotes; `undefined` for a computed dynamic import. */
  readonly specifier: string | undefined;
}

/** A rule broken. */
export interface Violation {
  /** Path relative to the project, `/` between its parts. */
  readonly file: string;
  readonly line: number;
  readonly problem: string;
}

interface Token {
  readonly kind: "word" | "string" | "mark";
  readonly text: string;
  readonly line: number;
}

/** Comments, strings, templates and regular expressions hide imports that are none, so they are told apart. */
function tokens(source: string): Token[] {
  const found: Token[] = [];
  // Every open `${` of a template keeps the number of `{` opened since.
  const templates: number[] = [];
  let line = 1;
  let at = 0;
  const skipTo = (end: number) => {
    for (; at < end && at < source.length; at++) if (source[at] === "\n") line++;
  };
  const skipTemplate = () => {
    while (at < source.length) {
      if (source[at] === "\\") skipTo(at + 2);
      else if (source[at] === "`") return skipTo(at + 1);
      else if (source.startsWith("${", at)) {
        templates.push(0);
        return skipTo(at + 2);
      } else skipTo(at + 1);
    }
  };
  while (at < source.length) {
    const char = source[at] ?? "";
    if (source.startsWith("//", at)) {
      const end = source.indexOf("\n", at);
      skipTo(end < 0 ? source.length : end);
    } else if (source.startsWith("/*", at)) {
      const end = source.indexOf("*/", at + 2);
      skipTo(end < 0 ? source.length : end + 2);
    } else if (char === '"' || char === "'") {
      const start = line;
      let end = at + 1;
      while (end < source.length && source[end] !== char) end += source[end] === "\\" ? 2 : 1;
      found.push({ kind: "string", text: source.slice(at + 1, end), line: start });
      skipTo(end + 1);
    } else if (char === "`") {
      found.push({ kind: "mark", text: "`", line });
      skipTo(at + 1);
      skipTemplate();
    } else if (char === "}" && templates.at(-1) === 0) {
      templates.pop();
      skipTo(at + 1);
      skipTemplate();
    } else if (char === "/" && startsRegExp(found.at(-1))) {
      skipTo(regExpEnd(source, at));
      found.push({ kind: "mark", text: "/", line });
    } else if (/[\w$]/.test(char)) {
      const word = /[\w$]+/y;
      word.lastIndex = at;
      const text = word.exec(source)?.[0] ?? char;
      found.push({ kind: "word", text, line });
      skipTo(at + text.length);
    } else {
      const open = templates.length - 1;
      if (open >= 0 && char === "{") templates[open] = (templates[open] ?? 0) + 1;
      if (open >= 0 && char === "}") templates[open] = (templates[open] ?? 0) - 1;
      if (/\S/.test(char)) found.push({ kind: "mark", text: char, line });
      skipTo(at + 1);
    }
  }
  return found;
}

/** A slash divides after a value, and opens a regular expression anywhere else. */
function startsRegExp(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === "word") return /^(return|typeof|case|in|of|await|yield|void|else)$/.test(before.text);
  return before.kind === "mark" && !/[)\]}`/]/.test(before.text);
}

function regExpEnd(source: string, start: number): number {
  let inClass = false;
  let at = start + 1;
  for (; at < source.length && source[at] !== "\n"; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === "[") inClass = true;
    else if (source[at] === "]") inClass = false;
    else if (source[at] === "/" && !inClass) break;
  }
  return at + 1;
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
    if (token?.kind === "string" || (token?.kind === "mark" && !/[{},*]/.test(token.text))) return undefined;
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
    if (!COMMON.includes(station) && !order.includes(station)) {
      return `${station} has no place in the order of folders (scripts/check_imports.ts)`;
    }
  }
  if (COMMON.includes(source) && !COMMON.includes(target)) return `${source} may not import ${target}`;
  if (FORBIDDEN[source]?.includes(target)) return `${source} may not import ${target}`;
  if (!COMMON.includes(target) && order.indexOf(target) > order.indexOf(source)) {
    return `${source} may not import ${target}, which lies above it`;
  }
  const inside = to.split("/").slice(2).join("/");
  if (inside !== "" && inside !== "mod.ts" && inside !== "types.ts") {
    return `${to} is inside ${target}: import lib/${target}/mod.ts`;
  }
  return undefined;
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
  return [...violations, ...cycles(graph)]
    .sort((a, b) => a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line);
}

async function readSources(root: string, folder: string, into: Map<string, string>): Promise<void> {
  for await (const entry of Deno.readDir(join(root, folder))) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory) await readSources(root, path, into);
    else if (entry.name.endsWith(".ts")) into.set(path, await Deno.readTextFile(join(root, path)));
  }
}

/** Checks `main.ts` and all of `lib/` of the project in `root`. */
export async function checkImports(root: string): Promise<Violation[]> {
  const sources = new Map<string, string>();
  sources.set("main.ts", await Deno.readTextFile(join(root, "main.ts")));
  await readSources(root, "lib", sources);
  return checkSources(sources);
}

if (import.meta.main) {
  const violations = await checkImports(dirname(dirname(fileURLToPath(import.meta.url))));
  for (const { file, line, problem } of violations) {
    process.stdout.write(`${file}:${line} ${problem}\n`);
  }
  Deno.exit(violations.length === 0 ? 0 : 1);
}
