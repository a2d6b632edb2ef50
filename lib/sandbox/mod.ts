/**
 * Access to files. Only this folder may name a function of the system that takes a path (the lint rule `file-access`). The
 * four kinds of files have rules of their own:
 *
 * | files | read | written | links |
 * |---|---|---|---|
 * | the user's documents | `resolveInside`, `openInside`, `listFolder` | never | followed only within the allowed folders |
 * | the program's data: `.muxue_rag`, the list of folders, logs | `OwnFolder` | `OwnFolder`, `LogFolder` | never followed |
 * | files that the user names: configuration, backup, test data | `…Named` | `writeNamed` | followed |
 * | the program's files and temporary files | `openProgramFile`, `openFileApart` | `TemporaryFolder` | no links there |
 *
 * A whole file is written beside its place and then renamed ({@linkcode replaceFile}).
 * @module
 */
export * from "./file_apart.ts";
export * from "./file_error.ts";
export * from "./holds_too_much.ts";
export * from "./hostile.ts";
export { addressesOf, clientAddress, type HttpListener, isLoopback, listenHttp } from "./http_listener.ts";
export { type HttpReply, type HttpRequest, TOO_LARGE } from "./http_connection.ts";
export * from "./list_folder.ts";
export * from "./log_folder.ts";
export * from "./look.ts";
export type { ReadableFile } from "./_open_to_read.ts";
export * from "./named.ts";
export * from "./open_inside.ts";
export * from "./own_folder.ts";
export * from "./own_process.ts";
export * from "./paths.ts";
export * from "./permissions.ts";
export * from "./program_file.ts";
export * from "./remove_abandoned.ts";
export { type ReplaceOptions, TEMPORARY_END, temporaryBeside, type Write } from "./replace_file.ts";
export * from "./resolve.ts";
export * from "./sensitive.ts";
export * from "./system_error.ts";
export * from "./target.ts";
export * from "./temporary_folder.ts";
export * from "./try_lock.ts";
export * from "./unwritable.ts";
export * from "./watch_folder.ts";
export * from "./watch_thread.ts";
export * from "./whole.ts";
export * from "./why_no_logs.ts";
