/** Lists the files of a folder, tells text from other files, and decodes text. */
export * from "./classify.ts";
export * from "./decode.ts";
export { junkReason } from "./junk.ts";
export * from "./left_out.ts";
export { PathTree } from "./path_tree.ts";
export { Patterns } from "./patterns.ts";
export * from "./read.ts";
export { isIgnoreFile } from "./_ignore_files.ts";
export { mediaByContent } from "./_signatures.ts";
export * from "./types.ts";
export * from "./walk.ts";
