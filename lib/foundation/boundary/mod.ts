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
export * from "./named.ts";
export * from "./watch_thread.ts";
export {
  type FilePart,
  MARK,
  MARK_BYTES,
  openFileApart,
  openProgramFile,
  readProgramBytes,
  readProgramFile,
  runtimePartOf,
  TemporaryFolder,
  temporaryPath,
} from "./program_files.ts";
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
  holdsTooMuch,
  type LogPlaceOptions,
  resolveTarget,
  type SensitiveOptions,
  type SensitiveReason,
  sensitiveReason,
  sensitiveReasons,
  type TargetOptions,
  whyNoLogs,
} from "./sensitive.ts";
export {
  comparable,
  expandHome,
  HOST_STYLE,
  isFullPath,
  isHostilePath,
  isInside,
  isNetworkPath,
  pathModule,
  type PathStyle,
  toPortable,
} from "./paths.ts";
export {
  addressesOf,
  clientAddress,
  type HttpListener,
  isLoopbackAddress,
  listenHttp,
} from "./http_listener.ts";
export { type HttpReply, type HttpRequest, TOO_LARGE } from "./http_connection.ts";
export {
  findEntries,
  linkLeadsOut,
  linkTargetInside,
  listFolder,
  openInside,
  type Resolved,
  resolveFolderInside,
  resolveInside,
} from "./inside.ts";
export { LogFolder, OwnFolder } from "./own_folder.ts";
export {
  asDenoError,
  exists,
  isMissing,
  isReal,
  isSameFile,
  isSystemError,
  lookAt,
  lookAtSync,
} from "./look.ts";
export {
  type Connection,
  type ConnectionEvents,
  type OpenConnection,
  ownProcess,
  type PermissionNeeds,
  permissionsFor,
  processOf,
  type RunPlaces,
} from "./permissions.ts";
export {
  removeAbandoned,
  type ReplaceOptions,
  TEMPORARY_END,
  temporaryBeside,
  type Write,
} from "./replace_file.ts";
export { WATCHES_SUBFOLDERS, watchFolder, type WatchOptions } from "./watch_folder.ts";
