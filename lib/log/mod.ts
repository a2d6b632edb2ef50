/** The program's log: JSON lines, one file a day, with secrets removed. */
export { isLogFile } from "./_daily_file.ts";
export { NO_LOG } from "./no_log.ts";
export { logSearch } from "./log_search.ts";
export { type LogOptions, startLog } from "./start_log.ts";
export type { Log } from "./types.ts";
