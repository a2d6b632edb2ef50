/**
 * The one door to files: nothing outside this folder may name a function of the system that takes a path
 * (scripts/lint/file_access.ts). Four kinds of files, each with rules of its own:
 *
 * | whose | read | write | links |
 * |---|---|---|---|
 * | the user's documents | `resolveInside`, `openInside`, `listFolder` | never | followed only within the allowed folders |
 * | the program's own data: `.muxue_rag`, the list of folders, logs | `OwnFolder` | `OwnFolder`, `LogFolder` | never followed |
 * | what the user named: configuration, backup, test data | `…Named` | `writeNamed` | followed |
 * | what comes with the program, what it makes for a moment | `openProgramFile` | `TemporaryFolder` | none |
 *
 * Whole files are written beside their place and renamed ({@linkcode replaceFile}).
 * @module
 */
export * from "./list_folder.ts";
export * from "./log_folder.ts";
export * from "./look.ts";
export * from "./named.ts";
export * from "./open_inside.ts";
export * from "./own_folder.ts";
export * from "./own_process.ts";
export * from "./program_file.ts";
export * from "./remove_abandoned.ts";
export { type ReplaceOptions, TEMPORARY_END, temporaryBeside, type Write } from "./replace_file.ts";
export * from "./resolve.ts";
export * from "./same_file.ts";
export * from "./temporary_folder.ts";
export * from "./try_lock.ts";
export * from "./whole.ts";
