import { reasonOf, UsageError } from "../errors.ts";
import { openNamed } from "../sandbox/mod.ts";

/** A line of a JSONL file and its object. */
export interface JsonLine {
  /** Counted from 1. */
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * Yields the objects of a JSONL file. Blank lines are skipped. Throws `UsageError` `eval_not_json` or `eval_bad_line` for a
 * line that is not a JSON object, and the errors of {@linkcode textLines}.
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

/**
 * Yields the lines of a UTF-8 file that are not blank, without their line ends. Only line feeds end a line, because a JSON
 * string may contain U+2028. Throws `UsageError` `eval_unreadable`.
 */
export async function* textLines(path: string): AsyncGenerator<{ line: number; text: string }> {
  try {
    using file = await openNamed(path);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const buffer = new Uint8Array(1 << 16);
    let rest = "";
    let line = 0;
    for (let size = await file.read(buffer);; size = await file.read(buffer)) {
      const lines = (rest + decoder.decode(buffer.subarray(0, size ?? 0), { stream: size !== null })).split(
        "\n",
      );
      rest = size === null ? "" : lines.pop()!;
      for (const text of lines) {
        line++;
        if (text.trim() !== "") yield { line, text };
      }
      if (size === null) return;
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("eval_unreadable", { path, reason: reasonOf(error) }, { cause: error });
  }
}
