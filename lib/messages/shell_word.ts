/** Characters that no shell acts on. */
const PLAIN = /^[\p{L}\p{M}\p{N}@%+=:,./_-]+$/u;

/**
 * Returns a text as one word of a command line, in quotes where the system's shell needs them.
 *
 * ```ts
 * import { shellWord } from "./shell_word.ts";
 * import { equal } from "node:assert/strict";
 *
 * equal(shellWord("/笔记", "linux"), "/笔记");
 * equal(shellWord("/it's my notes", "linux"), "'/it'\\''s my notes'");
 * equal(shellWord("D:\\my notes", "windows"), '"D:\\my notes"');
 * ```
 */
export function shellWord(text: string, os: typeof Deno.build.os = Deno.build.os): string {
  if (os === "windows") return PLAIN.test(text.replaceAll("\\", "/")) ? text : `"${text}"`;
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
