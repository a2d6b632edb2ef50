/**
 * Keeps the one door to files (lib/sandbox/boundary.ts) the only one: the rest of the program may name no function of the
 * runtime that takes a path, starts a program or loads a library. What it may name is listed here; all else is refused.
 *
 *     deno run --allow-read scripts/check_file_access.ts
 */

import { isBuiltin } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { inOrder, programSources, reportAndExit, type Violation } from "./check/sources.ts";
import { type Token, tokens } from "./check/tokens.ts";
import { importsOf } from "./check_imports.ts";

/** The folder whose files may do all this. */
const DOOR = "lib/sandbox/";

/** What of `Deno` reaches no file and starts nothing, types among it. */
const HARMLESS = new Set([
  "DirEntry",
  "FileInfo",
  "FsFile",
  "PermissionDescriptor",
  "PermissionName",
  "PermissionOptionsObject",
  "SeekMode",
  "Signal",
  "addSignalListener",
  "args",
  "build",
  "cwd",
  "env",
  "errors",
  "execPath",
  "exit",
  "permissions",
  "pid",
  "removeSignalListener",
  "stderr",
  "stdin",
  "stdout",
  "version",
]);

/** Modules of Node that compute and no more; `process` without {@linkcode BACK_DOORS}. */
const HARMLESS_MODULES = new Set(["crypto", "os", "path", "process", "url", "util", "zlib"]);

/** Names by which Node's other modules, or code from a text, can be had. */
const BACK_DOORS = new Set(["_linkedBinding", "createRequire", "dlopen", "eval", "getBuiltinModule"]);

/** Every use in a source of what only the door may use. */
export function fileAccessOf(source: string): Omit<Violation, "file">[] {
  const all = tokens(source);
  const found: Omit<Violation, "file">[] = [];
  for (const { line, specifier } of importsOf(source)) {
    if (specifier === undefined || !isBuiltin(specifier)) continue;
    if (!HARMLESS_MODULES.has(specifier.replace(/^node:/, ""))) {
      found.push({ line, problem: `${specifier}: only ${DOOR} may import it` });
    }
  }
  for (const [at, { kind, text, line }] of all.entries()) {
    if (kind === "mark" && text === "\\") found.push({ line, problem: "an escape in a name" });
    const used = kind === "word" ? usedBy(all, at) : undefined;
    if (used !== undefined) found.push({ line, problem: `${used}: only ${DOOR} may use it` });
  }
  return found;
}

/** What the word at `at` gives access to that is not harmless. */
function usedBy(all: readonly Token[], at: number): string | undefined {
  const { text } = all[at]!;
  const [next, after] = [all[at + 1], all[at + 2]];
  const isProperty = all[at - 1]?.text === "." && all[at - 2]?.text !== ".";
  const member = next?.text === "." && next.kind === "mark" && after?.kind === "word"
    ? after.text
    : undefined;
  if (text === "Deno" && (!isProperty || all[at - 2]?.text === "globalThis")) {
    if (member === undefined) return "Deno as a whole";
    return HARMLESS.has(member) ? undefined : `Deno.${member}`;
  }
  // by `globalThis[name]` everything can be had
  if (text === "globalThis" && member === undefined) return "globalThis as a whole";
  if ((text === "self" || text === "window") && next?.text === "[") return `${text}[…]`;
  if (text === "Function" && next?.text === "(") return "Function()";
  if (isProperty && all[at - 2]?.text === "Deno") return undefined;
  return BACK_DOORS.has(text) && !isKey(all[at - 1], next) ? text : undefined;
}

/** Whether the word between two tokens is the name of a value in an object or type, and not a use of it. */
function isKey(before: Token | undefined, next: Token | undefined): boolean {
  return next?.text === ":" && /^[{,;]$/.test(before?.text ?? "");
}

/** Checks source texts by their path relative to the project (`main.ts`, `lib/cli/run.ts` …). */
export function checkFileAccessOf(sources: ReadonlyMap<string, string>): Violation[] {
  const violations: Violation[] = [];
  for (const [file, source] of sources) {
    if (file.startsWith(DOOR)) continue;
    for (const each of fileAccessOf(source)) violations.push({ file, ...each });
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
