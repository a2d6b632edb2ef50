import type { MessageKey } from "../messages.ts";

/** The first place where a text stops being JSON. */
export interface JsonSyntaxError {
  /** UTF-16 offset. */
  readonly offset: number;
  /** What could have stood there. */
  readonly expected: MessageKey;
}

const SPACE = /[ \t\n\r]*/y;

const TOKEN =
  // deno-lint-ignore no-control-regex
  /[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * Where `text` breaks the grammar of JSON (RFC 8259), or null when it does not. The YAML reader takes more than JSON
 * (comments, trailing commas, bare words), and `JSON.parse` does not always say where it stopped.
 */
export function jsonSyntaxError(text: string): JsonSyntaxError | null {
  const open: ("{" | "[")[] = [];
  let expected: MessageKey = "config_json_value";
  let offset = 0;
  while (true) {
    SPACE.lastIndex = offset;
    offset += SPACE.exec(text)?.[0].length ?? 0;
    if (offset === text.length) return expected === "config_json_end" ? null : { offset, expected };
    TOKEN.lastIndex = offset;
    const token = TOKEN.exec(text)?.[0];
    const next: MessageKey | undefined = token === undefined ? undefined : step(expected, token, open);
    if (token === undefined || next === undefined) return { offset, expected };
    expected = next;
    offset += token.length;
  }
}

/** What may follow `token`, or `undefined` when it may not stand where `expected` is. Keeps `open` up to date. */
function step(expected: MessageKey, token: string, open: ("{" | "[")[]): MessageKey | undefined {
  const afterValue = (): MessageKey => {
    const around = open.at(-1);
    if (around === undefined) return "config_json_end";
    return around === "{" ? "config_json_comma_or_brace" : "config_json_comma_or_bracket";
  };
  const close = (bracket: "{" | "["): MessageKey | undefined => {
    if (open.at(-1) !== bracket) return undefined;
    open.pop();
    return afterValue();
  };
  const value = (): MessageKey | undefined => {
    if (token === "{" || token === "[") {
      open.push(token);
      return token === "{" ? "config_json_key_or_end" : "config_json_value_or_end";
    }
    return /^[}\],:]/.test(token) ? undefined : afterValue();
  };
  switch (expected) {
    case "config_json_value":
      return value();
    case "config_json_value_or_end":
      return token === "]" ? close("[") : value();
    case "config_json_key":
      return token.startsWith('"') ? "config_json_colon" : undefined;
    case "config_json_key_or_end":
      if (token === "}") return close("{");
      return token.startsWith('"') ? "config_json_colon" : undefined;
    case "config_json_colon":
      return token === ":" ? "config_json_value" : undefined;
    case "config_json_comma_or_brace":
      return token === "," ? "config_json_key" : token === "}" ? close("{") : undefined;
    case "config_json_comma_or_bracket":
      return token === "," ? "config_json_value" : token === "]" ? close("[") : undefined;
    default:
      return undefined;
  }
}
