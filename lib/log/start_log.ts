import { compareLogLevel, getJsonLinesFormatter } from "@logtape/logtape";
import { type Language, message } from "../messages.ts";
import { type DailyFile, openDailyFile } from "./_daily_file.ts";
import { redactFields, redactText } from "./_redact.ts";
import { NO_LOG } from "./no_log.ts";
import type { Log, LogLevel, LogProperties } from "./types.ts";
import { reasonOf, UserError } from "../errors.ts";

/** Options of {@linkcode startLog}. */
export interface LogOptions {
  /** Real path of the log folder; `null` if there is no folder to write to. */
  readonly dir: string | null;
  readonly level: LogLevel;
  /** Days that a file is kept after its own day. */
  readonly retentionDays: number;
  /** The configured secrets; they are replaced wherever they occur. */
  readonly secrets?: readonly string[];
  /** Language of {@linkcode Log.problem}. Default: Chinese. */
  readonly language?: Language;
  /** Default: the current time. */
  readonly clock?: () => Date;
}

/**
 * Starts a log of JSON lines, `{"@timestamp","level","message","logger","properties"}`, in one file a day. If the folder
 * cannot be written or is not safe to use, the program continues without a log, and `problem` says why.
 *
 * LogTape formats and redacts the records. Its global `configure()` is not called, so that a log is an ordinary value;
 * loggers that are not configured print nothing to the terminal.
 */
export function startLog(options: LogOptions): Promise<Log> {
  const { dir, level, retentionDays, secrets = [], language = "zh", clock = () => new Date() } = options;
  if (dir === null) return Promise.resolve({ ...NO_LOG, problem: message(language, "log_no_folder") });

  let problem: string | undefined;
  let file: DailyFile | undefined;
  let closed = false;
  const attempt = (work: () => void) => {
    try {
      work();
      problem = undefined;
    } catch (error) {
      problem = error instanceof UserError
        ? message(language, error.key, error.params)
        : message(language, "log_unwritable", { path: dir, reason: reasonOf(error) });
    }
  };

  const format = redactText(getJsonLinesFormatter(), secrets);
  const lineOf = (level: LogLevel, event: string, properties: LogProperties): string => {
    let line = "";
    const sink = redactFields((record) => {
      line = format(record);
    });
    sink({
      category: ["muxue_rag"],
      level,
      message: [event],
      rawMessage: event,
      timestamp: clock().getTime(),
      // Several processes write to the same file.
      properties: { pid: Deno.pid, ...properties },
    });
    return line;
  };
  const write = (recordLevel: LogLevel, event: string, properties: LogProperties = {}) => {
    if (closed || compareLogLevel(recordLevel, level) < 0) return;
    let line: string;
    try {
      line = lineOf(recordLevel, event, properties);
    } catch {
      // A getter or `toJSON` of a property may throw. The event is logged without its properties.
      line = lineOf(recordLevel, event, { unwritable: true });
    }
    attempt(() => {
      file ??= openDailyFile(dir, retentionDays, clock);
      file.append(line);
    });
  };
  attempt(() => {
    file = openDailyFile(dir, retentionDays, clock);
  });

  return Promise.resolve({
    level,
    get problem() {
      return problem;
    },
    debug: (event, properties) => write("debug", event, properties),
    info: (event, properties) => write("info", event, properties),
    warning: (event, properties) => write("warning", event, properties),
    error: (event, properties) => write("error", event, properties),
    close: () => {
      closed = true;
      file?.[Symbol.dispose]();
      file = undefined;
      return Promise.resolve();
    },
  });
}
