/** Characters of a server's own words that are shown. */
const SHOWN_CHARS = 200;

/** More of what it says is not looked at. */
const READ_CHARS = 8 * 1024;

/** A script or a style sheet, to the end where it is not closed, or a tag. Whatever it is tried on, no place is read twice. */
const MARKUP = /<(script|style)\b[\s\S]*?(?:<\/\1>|$)|<[^<>]*>/gi;

/** Keys as OpenAI and its likes make them, whole or partly blotted out. */
const KEY = /\b(?:sk|pk|ak)-[\w*.-]{4,}|\bBearer\s+\S+/gi;

/** What a server says of an error, on one line and without secrets; empty if it says nothing. */
export function serverWords(body: string, secrets: readonly string[]): string {
  const message = messageIn(body);
  let words = message ?? body;
  // before anything is cut: half a secret would not be found
  for (const secret of secrets) words = words.replaceAll(secret, "****");
  words = words.slice(0, READ_CHARS);
  if (message === undefined) words = words.replace(MARKUP, " ");
  // deno-lint-ignore no-control-regex -- a server may send anything
  const line = words.replace(KEY, "****").replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  if (!/\p{L}/u.test(line)) return "";
  const characters = Array.from(line);
  return characters.length > SHOWN_CHARS ? `${characters.slice(0, SHOWN_CHARS).join("")}…` : line;
}

/** The message in the JSON of an error, wherever servers put it; `undefined` for what is no JSON. */
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
