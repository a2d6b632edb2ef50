/**
 * The folder of main.ts, as a URL that ends in a slash: what the program reads or starts at run time lies below it, in
 * an executable at the same paths as in the sources. There every module is bundled into that one folder
 * (scripts/compile.ts), so that a module's own `import.meta` tells nothing of where its source lay.
 */
export const PROGRAM_ROOT: URL = new URL(Deno.build.standalone ? "./" : "../", import.meta.url);
