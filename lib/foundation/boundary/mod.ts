/**
 * Access to files. Only this folder may name a function of the system that takes a path (the lint rule `file-access`). The
 * four kinds of files have rules of their own:
 *
 * | files | read | written | links |
 * |---|---|---|---|
 * | the user's documents | `resolveInside`, `openInside`, `openTogether`, `listFolder` | never | followed only within the allowed folders |
 * | the program's data: `.muxue_rag`, the list of folders, logs | `OwnFolder` | `OwnFolder`, `LogFolder` | never followed |
 * | files that the user names: configuration, backup, test data | `…Named` | `writeNamed` | followed |
 * | the program's files and temporary files | `openProgramFile`, `openFileApart` | `TemporaryFolder` | no links there |
 *
 * `http_listener.ts` and `show.ts` are apart, since few runs need them. A whole file is written beside its place and then renamed
 * ({@linkcode replaceFile}). `README.md` says in which order to read the files.
 * @module
 */
export * from "./inside.ts";
export * from "./named.ts";
export * from "./own_folder.ts";
export * from "./paths.ts";
export * from "./permissions.ts";
export * from "./process.ts";
export * from "./program_files.ts";
export * from "./sensitive.ts";
export * from "./watch.ts";
export {
  fileError,
  fill,
  fillSync,
  isDiskFull,
  type ReadableFile,
  tryLock,
  unwritable,
  writeAll,
  writeAllSync,
} from "./open_file.ts";
export {
  nameOfLeft,
  removeAbandoned,
  type ReplaceOptions,
  restoreLeft,
  TEMPORARY_END,
  temporaryBeside,
  type Write,
} from "./replace_file.ts";
