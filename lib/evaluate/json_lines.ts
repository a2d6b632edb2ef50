import { reasonOf, UsageError } from "../errors.ts";
import { textLines } from "./text_lines.ts";

/** A line of a JSONL file. */
export interface JsonLine {
  /** Counted from 1. */
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * The objects of a JSONL file; blank lines are passed over. Throws `UsageError` `eval_not_json` for a line that is
 * no JSON object, and what `textLines` throws.
 */
export async function* jsonLines(path: string): AsyncGenerator<JsonLine> {
  for await (const { line, text } of textLines(path)) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new UsageError("eval_not_json", { path, line, reason: reasonOf(error) }, { cause: error });
    }
    if (!isRecord(value)) throw new UsageError("eval_bad_line", { path, line, expected: "{…}" });
    yield { line, value };
  }
}

/** Whether a JSON value is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
