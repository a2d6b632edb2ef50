/**
 * The program's log: one file a day, with a record for each event. Writing to it never throws and never touches stdout
 * or stderr. `log_lines.ts` makes the lines.
 */
import { LogFolder, sha256Hex } from "#foundation/boundary/mod.ts";
import { reasonOf, UserError } from "./errors.ts";
import type { LogRecord } from "./log_lines.ts";

/** Levels of log records, from most to least verbose. */
const LEVELS = ["debug", "info", "warning", "error"] as const;

/** One of {@linkcode LEVELS}. */
type LogLevel = typeof LEVELS[number];

/** Facts about an event. Secrets in them are replaced before they are written. */
type LogProperties = Readonly<Record<string, unknown>>;

/** The program's log. Writing to it never throws and never touches stdout or stderr. */
export interface Log {
  /** The lowest level that is written. */
  readonly level: LogLevel;
  /** Why nothing can be written; absent while the log is well. */
  readonly problem?: UserError | undefined;
  /** `event` is a short constant name, such as `search` or `file_failed`; everything variable goes into the properties. */
  debug(event: string, properties?: LogProperties): void;
  info(event: string, properties?: LogProperties): void;
  warning(event: string, properties?: LogProperties): void;
  error(event: string, properties?: LogProperties): void;
  /** Closes the file. Later records are dropped. */
  close(): Promise<void>;
}

/** Options of {@linkcode startLog}. */
export interface LogOptions {
  /** Real path of the log folder; `null` if there is no folder to write to. */
  readonly dir: string | null;
  readonly level: LogLevel;
  /** Days that a file is kept after its own day. */
  readonly retentionDays: number;
  /** The configured secrets; they are replaced wherever they occur. */
  readonly secrets?: readonly string[];
  /** Default: the current time. */
  readonly clock?: () => Date;
  /** Milliseconds for which records are held, while a start goes on without the code that makes lines. Default: 0. */
  readonly heldMs?: number;
}

/**
 * Starts a log of JSON lines, `{"@timestamp","level","message","logger","properties"}`, in one file a day. If the folder
 * cannot be written or is not safe to use, the program continues without a log, and `problem` says why.
 */
export async function startLog(options: LogOptions): Promise<Log> {
  const { dir, level, retentionDays, secrets = [], clock = () => new Date(), heldMs = 0 } = options;
  if (dir === null) return { ...NO_LOG, problem: new UserError("log_no_folder") };

  let problem: UserError | undefined;
  let file: DailyFile | undefined;
  let closed = false;
  let lineOf: ((record: LogRecord) => string) | undefined;
  const held: LogRecord[] = [];
  const attempt = (work: () => void) => {
    try {
      work();
      problem = undefined;
    } catch (error) {
      problem = error instanceof UserError
        ? error
        : new UserError("log_unwritable", { path: dir, reason: reasonOf(error) });
    }
  };
  const append = (line: string) =>
    attempt(() => {
      file ??= openDailyFile(dir, retentionDays, clock);
      file.append(line);
    });
  /** Loads the code that makes lines, and writes what was held until then. */
  const release = async () => {
    const { lineWriter } = await import("./log_lines.ts");
    const line = lineOf ??= lineWriter(secrets);
    for (const record of held.splice(0)) append(line(record));
  };
  const write = (recordLevel: LogLevel, event: string, properties: LogProperties = {}) => {
    if (closed || LEVELS.indexOf(recordLevel) < LEVELS.indexOf(level)) return;
    const record = { level: recordLevel, event, timestamp: clock().getTime(), properties };
    if (lineOf === undefined) held.push(record);
    else append(lineOf(record));
  };
  attempt(() => {
    file = openDailyFile(dir, retentionDays, clock);
  });
  const timer = heldMs > 0 ? setTimeout(release, heldMs) : undefined;
  if (timer === undefined) await release();

  return {
    level,
    get problem() {
      return problem;
    },
    debug: (event, properties) => write("debug", event, properties),
    info: (event, properties) => write("info", event, properties),
    warning: (event, properties) => write("warning", event, properties),
    error: (event, properties) => write("error", event, properties),
    close: async () => {
      closed = true;
      clearTimeout(timer);
      if (held.length > 0) await release();
      file?.[Symbol.dispose]();
      file = undefined;
    },
  };
}

/** A log that drops every record. */
export const NO_LOG: Log = Object.freeze({
  level: "error",
  debug: () => {},
  info: () => {},
  warning: () => {},
  error: () => {},
  close: () => Promise.resolve(),
});

/** The part of a search's answer that is logged. */
interface AnsweredSearch {
  readonly hits: readonly { readonly filePath: string }[];
  readonly seconds: number;
}

/**
 * Logs a search: the length of the query in Unicode characters, the first 12 hexadecimal digits of the SHA-256 of its UTF-8,
 * the number of hits and files, and the seconds. The hash shows that two queries were the same, but not what they were. The
 * text of the query is logged at the level `debug` only.
 */
export function logSearch(log: Log, query: string, { hits, seconds }: AnsweredSearch): void {
  log.info("search", {
    length: Array.from(query).length,
    sha256: sha256Hex(query).slice(0, 12),
    ...(log.level === "debug" && { text: query }),
    hits: hits.length,
    files: new Set(hits.map((hit) => hit.filePath)).size,
    seconds,
  });
}

const LOG_NAME = /^muxue_rag-(\d{4}-\d{2}-\d{2})\.jsonl$/;

/** A text file for each day, in one folder. */
interface DailyFile extends Disposable {
  /** Appends `text` to the file of the day. Throws the error of the system; the next call opens the file again. */
  append(text: string): void;
}

/**
 * Opens `dir`, a real path, for one file a day (local time), `muxue_rag-YYYY-MM-DD.jsonl`. Creates the folder if it is
 * missing, and deletes files that are more than `retentionDays` days old, now and at every change of day. Each text is
 * written by one call to a file in append mode, so that the lines of several processes do not mix.
 *
 * `@logtape/file` has a similar sink, but it either syncs the disk after each line or holds lines back until the next one. A
 * sync costs 75 times a write on a disk that ignores it, and milliseconds on a disk that does not, in the middle of a
 * search. Also, if the folder vanishes at midnight, an unhandled rejection ends the program.
 */
function openDailyFile(dir: string, retentionDays: number, clock: () => Date): DailyFile {
  const encoder = new TextEncoder();
  const folder = new LogFolder(dir);
  let day = "";
  let file: Deno.FsFile | undefined;

  const close = () => {
    file?.close();
    file = undefined;
  };
  const open = (): Deno.FsFile => {
    const today = dayOf(clock());
    if (file !== undefined && day === today) return file;
    close();
    file = folder.openToAppend(`muxue_rag-${today}.jsonl`);
    day = today;
    removeOld(folder, retentionDays, clock());
    return file;
  };
  open();
  return {
    append(text) {
      let rest = encoder.encode(text);
      try {
        while (rest.length > 0) rest = rest.subarray(open().writeSync(rest));
      } catch (error) {
        close();
        throw error;
      }
    },
    [Symbol.dispose]: close,
  };
}

/** Whether a file with this name is a log. */
export function isLogFile(name: string): boolean {
  return LOG_NAME.test(name);
}

function removeOld(folder: LogFolder, retentionDays: number, now: Date): void {
  const oldest = dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - retentionDays));
  for (const name of folder.names()) {
    const day = LOG_NAME.exec(name)?.[1];
    if (day === undefined || day >= oldest) continue;
    try {
      folder.remove(name);
    } catch (error) {
      // The folder was replaced.
      if (error instanceof UserError) throw error;
      // Another process deleted the file, or has it open. It is deleted the next time.
    }
  }
}

/** `YYYY-MM-DD` in local time. */
function dayOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
