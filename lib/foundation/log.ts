/**
 * The program's log: JSON lines, one file a day, with secrets removed. Writing to it never throws and never touches stdout or
 * stderr.
 */
import { compareLogLevel, getJsonLinesFormatter, type Sink, type TextFormatter } from "@logtape/logtape";
import { createHash } from "node:crypto";
import { JWT_PATTERN, redactByField, redactByPattern } from "@logtape/redaction";
import { type Language, message } from "#foundation/messages/mod.ts";
import { reasonOf, UserError } from "./errors.ts";
import { PROCESS_ID } from "./runtime.ts";
import { LogFolder } from "#foundation/boundary/mod.ts";

/** Levels of log records, from most to least verbose. */
type LogLevel = "debug" | "info" | "warning" | "error";

/** Facts about an event. Secrets in them are replaced before they are written. */
type LogProperties = Readonly<Record<string, unknown>>;

/** The program's log. Writing to it never throws and never touches stdout or stderr. */
export interface Log {
  /** The lowest level that is written. */
  readonly level: LogLevel;
  /** A message for the user if nothing can be written. */
  readonly problem?: string | undefined;
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
      properties: { pid: PROCESS_ID, ...properties },
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
    sha256: createHash("sha256").update(query).digest("hex").slice(0, 12),
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

/** Replaces a secret in the log. */
const REDACTED = "[redacted]";

// Words at the end of the name of a secret: `api_key`, `x-api-key`, `access_token`, but not `max_tokens`.
const SECRET_NAME =
  "(?:api[_-]?key|secret[_-]?key|private[_-]?key|access[_-]?key|authorization|token|secret|password|passwd|passphrase|credentials?|cookie)";

const SECRET_FIELD = new RegExp(`${SECRET_NAME}$`, "i");

/** Patterns of secrets in a finished JSON line. A pattern must not match a quote, which would break the line. */
const PATTERNS = [
  // Keys in the style of OpenAI.
  { pattern: /\bsk-[A-Za-z0-9_-]{6,}/g, replacement: REDACTED },
  { pattern: /\b(Bearer|Basic)\s+[^\s"'\\,;]+/gi, replacement: `$1 ${REDACTED}` },
  { pattern: /\benc:v1:[^\s"'\\,;]*/g, replacement: REDACTED },
  JWT_PATTERN,
  // https://user:password@host
  { pattern: /:\/\/[^\s/@"\\]*:[^\s/@"\\]+@/g, replacement: `://${REDACTED}@` },
  // Fields that `redactFields()` does not reach: those of errors and of objects with a `toJSON` method.
  {
    pattern: new RegExp(`("[^"\\\\]*${SECRET_NAME}"):"(?:[^"\\\\]|\\\\.)*"`, "gi"),
    replacement: `$1:"${REDACTED}"`,
  },
  // The same inside a string, {\"password\": \"two words\"}, up to the closing quote of the same depth.
  {
    pattern: new RegExp(`(${SECRET_NAME}(\\\\+)"\\s*[:=]\\s*\\2")(?:(?!\\2").)*`, "gi"),
    replacement: `$1${REDACTED}`,
  },
  // api_key=… in a text, also with single quotes.
  {
    pattern: new RegExp(
      `(${SECRET_NAME}(?:\\\\+["']|')?\\s*[:=]\\s*(?:\\\\+["']|')?)(?!null(?:[\\s"'\\\\,;&}[\\]]|$))[^\\s"'\\\\,;&}[\\]]+`,
      "gi",
    ),
    replacement: `$1${REDACTED}`,
  },
];

/**
 * Returns a sink that replaces the values of secret fields before it calls `sink`. `null` is kept: the secret is not set.
 */
function redactFields(sink: Sink): Sink {
  return redactByField(sink, {
    fieldPatterns: [SECRET_FIELD],
    action: (value) => value === null ? null : REDACTED,
  });
}

/**
 * Returns a formatter that replaces everything that looks like a secret in the output of `formatter`.
 *
 * @param secrets values known to be secret; values of fewer than 6 characters are ignored, because they match too much else
 */
function redactText(formatter: TextFormatter, secrets: readonly string[]): TextFormatter {
  const known = secrets.filter((secret) => secret.length >= 6).map((secret) => ({
    pattern: new RegExp(RegExp.escape(JSON.stringify(secret).slice(1, -1)), "g"),
    replacement: () => REDACTED,
  }));
  return redactByPattern(formatter, [...known, ...PATTERNS]);
}
