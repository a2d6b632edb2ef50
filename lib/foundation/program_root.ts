import { fileURLToPath } from "node:url";

/**
 * The folder of main.ts, as a URL that ends in a slash: what the program reads or starts at run time lies below it, in
 * an executable at the same paths as in the sources. There every module is bundled into that one folder
 * (scripts/compile.ts), so that a module's own `import.meta` tells nothing of where its source lay.
 */
export const PROGRAM_ROOT: URL = new URL(Deno.build.standalone ? "./" : "../../", import.meta.url);

/**
 * Whether the table of word vectors lies in front of the runtime's part of the executable. On Linux the runtime copies its
 * part into memory at every start, and the table is two thirds of it. The other systems map it.
 */
export const TABLE_IS_APART: boolean = Deno.build.standalone && Deno.build.os === "linux";

/**
 * Path of what a worker reads of the program's own files at run time: a folder, which in an executable is nowhere on the
 * disk, or the executable itself.
 */
export const PROGRAM_FILES: string = TABLE_IS_APART
  ? Deno.execPath()
  : fileURLToPath(new URL(Deno.build.standalone ? "./" : "lib/", PROGRAM_ROOT));
