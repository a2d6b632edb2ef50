import { PROGRAM_ROOT } from "../program_root.ts";

/** A part of a file that is open for reading. */
export interface FilePart {
  readonly file: Deno.FsFile;
  readonly offset: number;
  readonly length: number;
}

/** Opens a whole file of the program. `name`: see {@linkcode readProgramFile}. Throws the errors of the system. */
export function openProgramFile(name: string): FilePart {
  const file = Deno.openSync(new URL(name, PROGRAM_ROOT));
  // Files inside an executable have no statSync().
  return { file, offset: 0, length: file.seekSync(0, Deno.SeekMode.End) };
}

/** The bytes of a file of the program, `undefined` if there is none. `name`: see {@linkcode readProgramFile}. */
export async function readProgramBytes(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await Deno.readFile(new URL(name, PROGRAM_ROOT));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * The text of a file of the program. `name` is its path below {@linkcode PROGRAM_ROOT}, with `/` as separator. In an
 * executable these files support neither `stat` nor real paths.
 */
export async function readProgramFile(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(name, PROGRAM_ROOT));
}
