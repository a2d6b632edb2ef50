/** Lists the files of a folder, tells text from other files, and decodes text. */
export * from "./read.ts";
export * from "./types.ts";
export {
  binaryReason,
  isMediaKind,
  isPictureName,
  looksBinary,
  mediaByContent,
  mediaByName,
  type NameType,
  typeByName,
} from "./classify.ts";
export { decode, type Decoded } from "./decode.ts";
export { junkReason } from "./junk.ts";
export {
  CurrentRules,
  isLeftOutByName,
  leftOut,
  PathTree,
  walk,
  type WalkOptions,
  walkOptions,
} from "./walk.ts";
export { Patterns } from "./patterns.ts";
export { isIgnoreFile } from "./rules.ts";
