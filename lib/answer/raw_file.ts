import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { RawFile } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { quotedAnswer, quotedText } from "./quoted.ts";
import { UNTRUSTED, untrusted } from "./untrusted.ts";

/** UTF-16 units of a file in the text; no model reads more, and the structured answer contains all of it. */
const MAX_TEXT_CHARS = 1_000_000;

/** Shape of `data` in an answer of `read_raw_file`. */
export const RAW_FILE_DATA = z.object({
  ...UNTRUSTED,
  raw_content: z.string(),
  file_info: z.object({ file_path: z.string(), file_size: z.int(), modify_time: z.string() }),
});

/**
 * The answer with the text of a file. `isConverted`: a loader reads this format, so that line numbers in search results
 * count the lines of the extracted text; the text says so.
 */
export function rawFileAnswer(
  file: RawFile,
  isConverted: boolean,
  language: Language,
): TextAnswer<z.output<typeof RAW_FILE_DATA>> {
  const ok = message(language, "read_ok");
  return {
    code: 200,
    message: ok,
    data: untrusted({
      raw_content: file.text,
      file_info: { file_path: file.path, file_size: file.size, modify_time: file.modified.toISOString() },
    }, language),
    text: quotedAnswer((quotes) =>
      quotedText(quotes, language, {
        before: [
          message(language, "read_summary", {
            message: ok,
            path: quotes.name(file.path),
            start: file.startLine,
            end: file.endLine,
            total: file.totalLines,
            size: file.size,
            encoding: file.encoding,
          }),
          ...(isConverted ? [message(language, "raw_lines_differ")] : []),
        ],
        text: file.text.slice(0, MAX_TEXT_CHARS),
        after: file.text.length <= MAX_TEXT_CHARS ? [] : [message(language, "read_cut")],
      })
    ),
  };
}
