import { PROGRAM_ROOT } from "../program_root.ts";

/**
 * Opens a file that comes with the program for reading; `name`: its path below {@linkcode PROGRAM_ROOT}, `/` between the
 * parts. Inside an executable, files know neither `stat` nor real paths. Throws what the system throws.
 */
export function openProgramFile(name: string): Deno.FsFile {
  return Deno.openSync(new URL(name, PROGRAM_ROOT));
}

/** The text of a file that comes with the program, see {@linkcode openProgramFile}. */
export async function readProgramFile(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(name, PROGRAM_ROOT));
}
