import type { Token } from "./tokens.ts";

/** A use of what reaches files, programs or code that is none of the program's. */
export interface Use {
  /** Counted from 1. */
  readonly line: number;
  /** `Deno.open`, `globalThis as a whole` … */
  readonly what: string;
}

/** The parts of `Deno` that reach no file and start nothing, types among them. */
const OF_DENO = new Set([
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
  "memoryUsage",
  "exit",
  "permissions",
  "pid",
  "removeSignalListener",
  "stderr",
  "stdin",
  "stdout",
  "unrefTimer",
  "version",
]);

/** The parts of Node's `process` that reach no file, start nothing and load nothing. */
export const OF_PROCESS: ReadonlySet<string> = new Set([
  "env",
  "exit",
  "exitCode",
  "off",
  "on",
  "once",
  "stderr",
  "stdin",
  "stdout",
]);

/** The runtime's names for the object that holds everything: by `globalThis[name]` all can be had. */
const GLOBALS = new Set(["global", "globalThis", "self", "window"]);

/** Names by which Node's other modules, or code from a text, can be had, whatever object they are of. */
const BACK_DOORS = new Set([
  "_linkedBinding",
  "createRequire",
  "dlopen",
  "eval",
  "getBuiltinModule",
  "require",
]);

/** Functions that take an address, which may be one of a file. */
const BY_ADDRESS = new Set(["Worker", "fetch"]);

/** The names in a source that give access to something harmful. Local names are not told from global ones. */
export function usesOfWords(all: readonly Token[]): Use[] {
  const found: Use[] = [];
  for (const [at, { kind, text, line }] of all.entries()) {
    if (kind === "mark" && text === "\\") found.push({ line, what: "an escape in a name" });
    const what = kind === "word" ? useOf(all, at) : undefined;
    if (what !== undefined) found.push({ line, what });
  }
  return found;
}

function useOf(all: readonly Token[], at: number): string | undefined {
  const { text } = all[at]!;
  const [before, next] = [all[at - 1], all[at + 1]];
  const isProperty = isMark(before, ".") && !isMark(all[at - 2], ".");
  const owner = isProperty ? all[at - 2]?.text : undefined;
  const isGlobal = !isProperty || GLOBALS.has(owner ?? "");
  // `typeof globalThis.fetch` is a type, or the name of one
  const isType = isWord(isGlobal && isProperty ? all[at - 3] : before, /^typeof$/);
  const member = isMark(next, ".") && all[at + 2]?.kind === "word" ? all[at + 2]!.text : undefined;
  const orWhole = (harmless: ReadonlySet<string>) =>
    member === undefined ? `${text} as a whole` : harmless.has(member) ? undefined : `${text}.${member}`;

  // a property too: `self.self.Deno` is it again
  if (text === "Deno") return orWhole(OF_DENO);
  if (GLOBALS.has(text)) return isWhole(text, isGlobal, isKey(before, next), next, member);
  if (isProperty && owner === "Deno") return undefined;
  if (text === "constructor") return isProperty ? ".constructor" : undefined;
  if (BACK_DOORS.has(text) && !isKey(before, next)) return text;
  if (!isGlobal || isKey(before, next) || isType) return undefined;
  if (BY_ADDRESS.has(text) && !isMark(before, "#")) return text;
  if (text === "Function" && !isWord(before, /^instanceof$/)) return text;
  if (text === "process" && !isImported(before, next)) return orWhole(OF_PROCESS);
  return undefined;
}

/** `window` is no name of Deno's any more, and of the program's own: only what can mean nothing else is refused. */
function isWhole(
  text: string,
  isGlobal: boolean,
  isKey: boolean,
  next: Token | undefined,
  member: string | undefined,
): string | undefined {
  if (text === "window") return isMark(next, "[") ? "window[…]" : undefined;
  return isGlobal && !isKey && member === undefined ? `${text} as a whole` : undefined;
}

/** Whether the word between two tokens is the name of a value in an object or type, and not a use of it. */
function isKey(before: Token | undefined, next: Token | undefined): boolean {
  return isMark(next, ":") && /^[({,;]$/.test(before?.text ?? "");
}

/** Whether the word between two tokens is what `import process from` gives a name to: that is looked at for itself. */
function isImported(before: Token | undefined, next: Token | undefined): boolean {
  return isWord(before, /^import$/) && isWord(next, /^from$/);
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === "mark" && token.text === text;
}

function isWord(token: Token | undefined, text: RegExp): boolean {
  return token?.kind === "word" && text.test(token.text);
}
