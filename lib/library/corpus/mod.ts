/** Lists the files of a folder, tells text from other files, and decodes text. */
export * from "./read.ts";
export * from "./types.ts";
export { junkReason } from "./junk.ts";
export { type InnerFile, type KnownFiles, walk, type WalkOptions, walkOptions } from "./walk.ts";
export { archivePrefixes, CurrentRules, isLeftOutByName, type LookedFolders } from "./current_rules.ts";
export { excludingRule, ignoringRule } from "./deciding_rule.ts";
export { PathTree } from "./path_tree.ts";
export { isIgnoreFile } from "./rules.ts";
export { emptyPagesText, type FileKind, isMissed, isUnread, kindsOf, kindText } from "./unread.ts";
