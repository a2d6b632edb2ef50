import type { Sink, TextFormatter } from "@logtape/logtape";
import { JWT_PATTERN, redactByField, redactByPattern } from "@logtape/redaction";

/** What stands for a secret in the log. */
const REDACTED = "[redacted]";

// Words that end the name of a secret: `api_key`, `x-api-key`, `access_token`, but not `max_tokens`.
const SECRET_NAME =
  "(?:api[_-]?key|secret[_-]?key|private[_-]?key|access[_-]?key|authorization|token|secret|password|passwd|passphrase|credentials?|cookie)";

const SECRET_FIELD = new RegExp(`${SECRET_NAME}$`, "i");

/** The patterns work on a finished JSON line: none may eat a quote, or the line is broken. */
const PATTERNS = [
  // Keys as OpenAI and its likes make them.
  { pattern: /\bsk-[A-Za-z0-9_-]{6,}/g, replacement: REDACTED },
  { pattern: /\b(Bearer|Basic)\s+[^\s"'\\,;]+/gi, replacement: `$1 ${REDACTED}` },
  { pattern: /\benc:v1:[^\s"'\\,;]*/g, replacement: REDACTED },
  JWT_PATTERN,
  // https://user:password@host
  { pattern: /:\/\/[^\s/@"\\]*:[^\s/@"\\]+@/g, replacement: `://${REDACTED}@` },
  // Fields the rule by name does not reach: those of errors and other objects with a JSON form of their own.
  {
    pattern: new RegExp(`("[^"\\\\]*${SECRET_NAME}"):"(?:[^"\\\\]|\\\\.)*"`, "gi"),
    replacement: `$1:"${REDACTED}"`,
  },
  // The same quoted in a text, {\"password\": \"two words\"}, to the closing quote of the same depth.
  {
    pattern: new RegExp(`(${SECRET_NAME}(\\\\+)"\\s*[:=]\\s*\\2")(?:(?!\\2").)*`, "gi"),
    replacement: `$1${REDACTED}`,
  },
  // api_key=… in a text, with single quotes too.
  {
    pattern: new RegExp(
      `(${SECRET_NAME}(?:\\\\+["']|')?\\s*[:=]\\s*(?:\\\\+["']|')?)(?!null(?:[\\s"'\\\\,;&}[\\]]|$))[^\\s"'\\\\,;&}[\\]]+`,
      "gi",
    ),
    replacement: `$1${REDACTED}`,
  },
];

/** `sink` behind a wall: the values of secret fields are replaced before it sees them. One that is not set is none. */
export function redactFields(sink: Sink): Sink {
  return redactByField(sink, {
    fieldPatterns: [SECRET_FIELD],
    action: (value) => value === null ? null : REDACTED,
  });
}

/**
 * `formatter` with everything that looks like a secret replaced in its output.
 *
 * @param secrets values known to be secret; those under 6 characters would hit too much else and are left out
 */
export function redactText(formatter: TextFormatter, secrets: readonly string[]): TextFormatter {
  const known = secrets.filter((secret) => secret.length >= 6).map((secret) => ({
    pattern: new RegExp(RegExp.escape(JSON.stringify(secret).slice(1, -1)), "g"),
    replacement: () => REDACTED,
  }));
  return redactByPattern(formatter, [...known, ...PATTERNS]);
}
