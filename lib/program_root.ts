import { fileURLToPath } from "node:url";

/**
 * The folder of main.ts, as a URL that ends in a slash: what the program reads or starts at run time lies below it, in
 * an executable at the same paths as in the sources. There every module is bundled into that one folder
 * (scripts/compile.ts), so that a module's own `import.meta` tells nothing of where its source lay.
 */
export const PROGRAM_ROOT: URL = new URL(Deno.build.standalone ? "./" : "../", import.meta.url);

/** Path of what the program reads of its own files at run time; in an executable that folder is nowhere on the disk. */
export const PROGRAM_FILES: string = fileURLToPath(
  new URL(Deno.build.standalone ? "./" : "lib/", PROGRAM_ROOT),
);
