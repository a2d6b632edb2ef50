/** The program's log: JSON lines, one file a day, secrets blotted out. */
export { NO_LOG } from "./no_log.ts";
export { logSearch } from "./query.ts";
export type { AnsweredSearch } from "./query.ts";
export { startLog } from "./start_log.ts";
export type { LogOptions } from "./start_log.ts";
export type { Log, LogLevel, LogProperties } from "./types.ts";
