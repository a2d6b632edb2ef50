/**
 * The lines of the log: JSON with secrets removed. LogTape formats and redacts them.
 * It is apart from `log.ts`, since a start of the server goes on while it loads.
 */
import { getJsonLinesFormatter, type Sink, type TextFormatter } from "@logtape/logtape";
import { JWT_PATTERN, redactByField, type RedactionPattern } from "@logtape/redaction";
import { PROCESS_ID } from "./runtime.ts";

/** A record of the log. */
export interface LogRecord {
  readonly level: "debug" | "info" | "warning" | "error";
  readonly event: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * Returns the function that makes the line of a record, with its line end. LogTape's global `configure()` is not called, so
 * that a log is an ordinary value; loggers that are not configured print nothing to the terminal.
 */
export function lineWriter(secrets: readonly string[]): (record: LogRecord) => string {
  const format = redactText(getJsonLinesFormatter(), secrets);
  const lineOf = ({ level, event, timestamp, properties }: LogRecord): string => {
    let line = "";
    const sink = redactFields((record) => {
      line = format(record);
    });
    sink({
      category: ["muxue_rag"],
      level,
      message: [event],
      rawMessage: event,
      timestamp,
      // Several processes write to the same file.
      properties: { pid: PROCESS_ID, ...properties },
    });
    return line;
  };
  return (record) => {
    try {
      return lineOf(record);
    } catch {
      // A getter or `toJSON` of a property may throw. The event is logged without its properties.
      return lineOf({ ...record, properties: { unwritable: true } });
    }
  };
}

/** Replaces a secret in the log. */
const REDACTED = "[redacted]";

// Words at the end of the name of a secret: `api_key`, `x-api-key`, `access_token`, but not `max_tokens`.
const SECRET_NAME =
  "(?:api[_-]?key|secret[_-]?key|private[_-]?key|access[_-]?key|authorization|token|secret|password|passwd|passphrase|credentials?|cookie)";

const SECRET_WORD = new RegExp(SECRET_NAME, "i");
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
];

/** Those with the name of a secret. They take most of the time, and a line without such a name is not searched for them. */
const NAMED_PATTERNS = [
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

/** Returns a sink that replaces the values of secret fields before it calls `sink`. `null` is kept: the secret is not set. */
function redactFields(sink: Sink): Sink {
  return redactByField(sink, {
    fieldPatterns: [SECRET_FIELD],
    action: (value) => value === null ? null : REDACTED,
  });
}

/** Returns a formatter that replaces everything that looks like a secret in the output of `formatter`. */
function redactText(formatter: TextFormatter, secrets: readonly string[]): TextFormatter {
  const withoutSecrets = secretRemover(secrets);
  return (record) => withoutSecrets(formatter(record));
}

/**
 * Returns a function that replaces everything that looks like a secret in a line of JSON.
 *
 * @param secrets values known to be secret; values of fewer than 6 characters are ignored, because they match too much else
 */
export function secretRemover(secrets: readonly string[]): (line: string) => string {
  const known = secrets.filter((secret) => secret.length >= 6).map((secret) => ({
    pattern: new RegExp(RegExp.escape(JSON.stringify(secret).slice(1, -1)), "g"),
    replacement: () => REDACTED,
  }));
  const patterns: readonly RedactionPattern[] = [...known, ...PATTERNS];
  return (line) => {
    const text = replaced(line, patterns);
    return SECRET_WORD.test(text) ? replaced(text, NAMED_PATTERNS) : text;
  };
}

function replaced(line: string, patterns: readonly RedactionPattern[]): string {
  return patterns.reduce(
    (text, { pattern, replacement }) => text.replaceAll(pattern, replacement as string),
    line,
  );
}
