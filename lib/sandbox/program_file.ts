import { PROGRAM_ROOT } from "../program_root.ts";

/**
 * Opens a file of the program for reading. `name` is its path below {@linkcode PROGRAM_ROOT}, with `/` as separator. In an
 * executable these files support neither `stat` nor real paths. Throws the errors of the system.
 */
export function openProgramFile(name: string): Deno.FsFile {
  return Deno.openSync(new URL(name, PROGRAM_ROOT));
}

/** The text of a file of the program, see {@linkcode openProgramFile}. */
export async function readProgramFile(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(name, PROGRAM_ROOT));
}
