/**
 * Files apart from the runtime's part of an executable, for threads that may open nothing: the executable is opened when this module
 * is loaded, and the thread then gives up the permission to read it.
 */
import { FILES_ARE_APART, PROGRAM_FILES, revokeAllBut } from "#foundation/runtime.ts";
import { partApart, readPart } from "./program_files.ts";

const EXECUTABLE = FILES_ARE_APART ? Deno.openSync(PROGRAM_FILES) : undefined;

/** The bytes of a file apart, by its name; `undefined` if the runtime's part contains it. */
export function bytesApart(name: string): Uint8Array<ArrayBuffer> | undefined {
  if (EXECUTABLE === undefined) return undefined;
  const part = partApart(EXECUTABLE, name);
  return readPart(part, 0, new Uint8Array(part.length));
}

/** Leaves a thread that began with `mayLoadCode()` no permission, except from source, where its modules are files. */
export function giveUpReading(): void {
  if (FILES_ARE_APART) revokeAllBut([]);
}
