import { posix } from "node:path";
import { visitImports } from "./imports.ts";
import { programFile } from "./_program_file.ts";

/** Folders of `lib/` in the order in which data flows. Each may import from the folders before it. */
const ORDER = [
  "sandbox",
  "registry",
  "corpus",
  "document",
  "extract",
  "chunk",
  "remote",
  "neural",
  "models",
  "embedding",
  "rerank",
  "index",
  "store",
  "ingest",
  "search",
  "evaluate",
  "answer",
  "mcp",
  "launch",
  "cli",
  "worker",
  "main",
] as const;

/** Modules that all others may import; they import only each other. */
const COMMON: readonly string[] = [
  "messages",
  "errors",
  "program_root",
  "runtime",
  "open_addressing",
  "edit_distance",
  "constants",
  "simplified",
  "traditional_characters",
];

/** Folders that all others except `sandbox` may import; they may import `sandbox`. */
const SHARED: readonly string[] = ["config", "log"];

/** Folders that come earlier in the order but must not be imported. The engine knows no files and no configuration. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  index: ["corpus", "sandbox", "config"],
  sandbox: SHARED,
};

/**
 * Lint rule: a folder of `lib/` imports only the folders below it in {@linkcode ORDER}, and only through their `mod.ts` or
 * `types.ts`. Packages are imported by their name in the import map. Computed dynamic imports are refused: in an executable
 * they escape Deno's permissions.
 */
export const importDirection: Deno.lint.Rule = {
  create(context) {
    const file = programFile(context.filename);
    if (file === undefined) return {};
    return visitImports(({ node, specifier }) => {
      const problem = problemOf(file, specifier);
      if (problem !== undefined) context.report({ node, message: problem });
    });
  },
};

function problemOf(file: string, specifier: string | undefined): string | undefined {
  if (specifier === undefined) return "The specifier of a dynamic import must be a literal";
  if (/^(npm|jsr|https?|file|data):/.test(specifier) || specifier.startsWith("/")) {
    return `${specifier} must be named in the import map of deno.json`;
  }
  if (!specifier.startsWith(".") || !specifier.endsWith(".ts")) return undefined;
  return directionProblem(file, posix.normalize(posix.join(posix.dirname(file), specifier)));
}

/** Returns the name of a file's folder in `lib/`, or the name of the file if it is in `lib/` itself. */
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
      return `${station} is not in the order of folders (scripts/lint/import_direction.ts)`;
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
