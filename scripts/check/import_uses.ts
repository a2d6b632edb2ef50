import { isBuiltin } from "node:module";
import { importsOf } from "../check_imports.ts";
import type { Token } from "./tokens.ts";
import { OF_PROCESS, type Use } from "./word_uses.ts";

/** Modules of Node that compute and no more; `process` is looked at name by name. */
const HARMLESS_MODULES = new Set(["crypto", "os", "path", "process", "url", "util", "zlib"]);

/** What the imports of a source give access to that is not harmless. `all`: its tokens. */
export function usesOfImports(source: string, all: readonly Token[]): Use[] {
  const found: Use[] = [];
  for (const { line, specifier } of importsOf(source)) {
    if (specifier === undefined) continue;
    // what it is the runtime knows alone
    if (specifier.includes("\\")) found.push({ line, what: "an escape in a name" });
    if (isBuiltin(specifier) && !HARMLESS_MODULES.has(specifier.replace(/^node:/, ""))) {
      found.push({ line, what: specifier });
    }
  }
  for (const [at, { kind, text, line }] of all.entries()) {
    if (kind !== "string") continue;
    if (/^(?:node:)?process$/.test(text)) {
      for (const what of usesOfProcess(all, at)) found.push({ line, what });
    }
    const type = typeOf(all, at);
    if (type !== undefined && type !== "json") found.push({ line, what: `an import of type ${type}` });
  }
  return found;
}

/**
 * What is not harmless of an import of `process` whose specifier is at `at`: only `import process from`, the names of an
 * `import { … } from`, and those of `const { … } = await import(…)` can be told.
 */
function usesOfProcess(all: readonly Token[], at: number): string[] {
  const isDynamic = textAt(all, at - 1) === "(" && textAt(all, at - 2) === "import";
  if (!isDynamic && textAt(all, at - 1) !== "from") return [];
  if (endsWith(all, at, ["import", "process", "from"])) return [];
  const between = isDynamic ? ["=", "await", "import", "("] : ["from"];
  const close = at - between.length - 1;
  const open = all.findLastIndex(({ text }, place) => place < close && text === "{");
  const opener = textAt(all, open - 1) ?? "";
  const isPlain = endsWith(all, at, ["}", ...between]) && /^(?:import|export|const|let|var)$/.test(opener);
  if (!isPlain) return ["process as a whole"];
  // the first of `a`, `a as b`, `a: b`, each after `{` or `,`
  const names = all.slice(open, close).flatMap(({ text }, place) =>
    /^[{,]$/.test(text) ? textAt(all, open + place + 1) ?? [] : []
  );
  return names.filter((name) => name !== "}" && !OF_PROCESS.has(name)).map((name) => `process.${name}`);
}

/** Whether these texts come right before the token at `at`. */
function endsWith(all: readonly Token[], at: number, texts: readonly string[]): boolean {
  return texts.every((text, place) => textAt(all, at - texts.length + place) === text);
}

/**
 * The `type` that is said of the import whose specifier is at `at`; `undefined` if it is none or nothing is said. What
 * cannot be told is `?`.
 */
function typeOf(all: readonly Token[], at: number): string | undefined {
  const isDynamic = textAt(all, at - 1) === "(" && textAt(all, at - 2) === "import";
  let from = at + 1;
  if (isDynamic) {
    if (textAt(all, from) !== "," || textAt(all, from + 1) === ")") return undefined;
    for (const expected of [",", "{", "with", ":"]) if (textAt(all, from++) !== expected) return "?";
  } else if (textAt(all, from++) !== "with" || !/^(?:from|import)$/.test(textAt(all, at - 1) ?? "")) {
    return undefined;
  }
  const isPlain = ["{", "type", ":"].every((text, place) => textAt(all, from + place) === text) &&
    all[from + 3]?.kind === "string" && textAt(all, from + 4) === "}";
  return isPlain ? all[from + 3]!.text : "?";
}

function textAt(all: readonly Token[], at: number): string | undefined {
  return all[at]?.text;
}
