import { parse } from "smol-toml";

/** A header or a pair of a TOML text, without blanks and comments around it. */
export interface Statement {
  /** Offset of its first character. */
  readonly start: number;
  /** Offset after its last character. */
  readonly end: number;
  readonly kind: "header" | "pair";
  /** The keys of a header (`["mcp_servers", "x"]`) or of a pair, outermost first. */
  readonly path: readonly string[];
}

const STRING = /"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/;

/** The statements of a valid TOML text, in order. A `[` inside a string or an array does not begin a header. */
export function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  let at = 0;
  while (at < text.length) {
    const blank = /(?:\s|#[^\n]*)*/y;
    blank.lastIndex = at;
    blank.exec(text);
    const start = blank.lastIndex;
    if (start >= text.length) break;
    const end = endOf(text, start);
    const source = text.slice(start, end);
    statements.push({ start, end, kind: source.startsWith("[") ? "header" : "pair", path: keysOf(source) });
    at = end;
  }
  return statements;
}

/** Offset after the last character of the statement that begins at `start`, before its comment or line end. */
function endOf(text: string, start: number): number {
  const string = new RegExp(STRING, "y");
  let depth = 0;
  let end = start;
  for (let at = start; at < text.length;) {
    const character = text.charAt(at);
    if (character === "\n" && depth === 0) break;
    if (character === "#") {
      const line = text.indexOf("\n", at);
      at = line < 0 ? text.length : line;
      continue;
    }
    string.lastIndex = at;
    const length = string.exec(text)?.[0].length ?? 1;
    if ("[{".includes(character)) depth++;
    if ("]}".includes(character)) depth--;
    at += length;
    if (character.trim() !== "") end = at;
  }
  return end;
}

/**
 * The keys of a statement, from the first key inwards. An inline table as value lengthens the path, so that such a pair
 * matches no path that is looked for.
 */
function keysOf(source: string): string[] {
  const keys: string[] = [];
  let value: unknown = parse(source, { integersAsBigInt: "asNeeded" });
  while (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const [pair] = Object.entries(value);
    if (pair === undefined) break;
    keys.push(pair[0]);
    value = pair[1];
  }
  return keys;
}
