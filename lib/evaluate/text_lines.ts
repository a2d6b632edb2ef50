import { reasonOf, UsageError } from "../errors.ts";
import { openNamed } from "../sandbox/mod.ts";

/**
 * The lines of a UTF-8 file that are not blank, numbered from 1, without their ends. Only line feeds end a line:
 * U+2028 may stand in a JSON string as it is. Throws `UsageError` `eval_unreadable`.
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
