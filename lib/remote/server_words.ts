/** Characters of a server's message that are shown. */
const SHOWN_CHARS = 200;

/** UTF-16 units of a server's message that are read. */
const READ_CHARS = 8 * 1024;

/** A script or style sheet, which may be unclosed, or a tag. Matches in linear time. */
const MARKUP = /<(script|style)\b[\s\S]*?(?:<\/\1>|$)|<[^<>]*>/gi;

/** Keys in the form of OpenAI and similar services, complete or partly masked. */
const KEY = /\b(?:sk|pk|ak)-[\w*.-]{4,}|\bBearer\s+\S+/gi;

/** Returns the message in a server's error, on one line and without secrets; empty if there is none. */
export function serverWords(body: string, secrets: readonly string[]): string {
  const message = messageIn(body);
  let words = message ?? body;
  // Secrets first: a secret that was cut in half would not be found.
  for (const secret of secrets) words = words.replaceAll(secret, "****");
  words = words.slice(0, READ_CHARS);
  if (message === undefined) words = words.replace(MARKUP, " ");
  // deno-lint-ignore no-control-regex -- a server may send any character
  const line = words.replace(KEY, "****").replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  if (!/\p{L}/u.test(line)) return "";
  const characters = Array.from(line);
  return characters.length > SHOWN_CHARS ? `${characters.slice(0, SHOWN_CHARS).join("")}…` : line;
}

/** Returns the message in the JSON of an error, in any of the fields that servers use; `undefined` if `body` is not JSON. */
function messageIn(body: string): string | undefined {
  try {
    return textOf(JSON.parse(body), 3);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth === 0) return undefined;
  const fields = value as Record<string, unknown>;
  for (const name of ["message", "error", "detail", "msg", "0"]) {
    const text = textOf(fields[name], depth - 1);
    if (text !== undefined) return text;
  }
  return undefined;
}
