import type { ParseError } from "jsonc-parser";
import type { MessageKey } from "../messages.ts";
import type { Phrase, PositionAt, Problem } from "./_given_value.ts";

/** The missing element for each error code of `jsonc-parser`. */
const JSON_EXPECTED: Readonly<Record<string, MessageKey>> = {
  ValueExpected: "config_json_value",
  PropertyNameExpected: "config_json_key",
  ColonExpected: "config_json_colon",
  CommaExpected: "config_json_comma",
  CloseBraceExpected: "config_json_brace",
  CloseBracketExpected: "config_json_bracket",
  EndOfFileExpected: "config_json_end",
  UnexpectedEndOfNumber: "config_json_digit",
};

/** Messages of its codes for faults inside a token. The others are characters that JSON does not have. */
const JSON_FAULTS: Readonly<Record<string, MessageKey>> = {
  UnexpectedEndOfString: "config_yaml_unclosed",
  InvalidEscapeCharacter: "config_json_escape",
  InvalidUnicode: "config_json_escape",
  InvalidCharacter: "config_json_control",
};

/**
 * The first syntax error of a JSON text. The YAML parser also accepts comments, trailing commas and bare words, and
 * `JSON.parse` does not always say where it stopped.
 */
export async function jsonProblems(text: string, positionAt: PositionAt): Promise<Problem[]> {
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowEmptyContent: true });
  } catch (error) {
    // A text this deep overflows the YAML parser too, which reports it.
    if (error instanceof RangeError) return [];
    throw error;
  }
  const [first] = errors;
  if (first === undefined) return [];
  const code = printParseErrorCode(first.error);
  const offset = code === "UnexpectedEndOfNumber" ? first.offset + first.length : first.offset;
  const character = text.codePointAt(offset);
  // The token as a whole could be a secret without quotes.
  const found: Phrase = character === undefined
    ? { key: "config_json_end" }
    : { key: "config_found_plain", params: { value: String.fromCodePoint(character) } };
  const expected = JSON_EXPECTED[code];
  const phrase: Phrase = expected === undefined
    ? { key: JSON_FAULTS[code] ?? "config_json_symbol", params: { found } }
    : { key: "config_json_syntax", params: { expected: { key: expected }, found } };
  return [{ position: positionAt(offset), path: "", phrase }];
}
