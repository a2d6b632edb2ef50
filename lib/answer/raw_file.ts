import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { RawPart } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { quotedAnswer, quotedText } from "./quoted.ts";
import { UNTRUSTED, untrusted } from "./untrusted.ts";

/** Shape of `data` in an answer of `read_raw_file`. */
export const RAW_FILE_DATA = z.object({
  ...UNTRUSTED,
  raw_content: z.string(),
  start_line: z.int(),
  end_line: z.int(),
  total_lines: z.int(),
  truncated: z.boolean(),
  next_line: z.int().optional(),
  next_column: z.int().optional(),
  encoding: z.string(),
  file_info: z.object({ file_path: z.string(), file_size: z.int(), modify_time: z.string() }),
  notices: z.array(z.string()).optional(),
});

/** The part of {@linkcode RAW_FILE_DATA} that the tool declares. */
export const DECLARED_RAW_DATA = z.looseObject({ raw_content: z.string(), next_line: z.int().optional() });

/**
 * The answer with the text of a file. Unless the part is the last, it says where to continue. `isConverted`: a loader reads
 * this format, so that line numbers in search results count the lines of the extracted text; the answer says so. `read`: name of the tool
 * that reads those lines, if the client has it.
 */
export function rawFileAnswer(
  part: RawPart,
  { isConverted, read }: { readonly isConverted: boolean; readonly read: string | undefined },
  language: Language,
): TextAnswer<z.output<typeof RAW_FILE_DATA>> {
  const ok = message(language, "read_ok");
  const withTool = read === undefined ? "" : message(language, "raw_lines_read_with", { read });
  const notices = isConverted ? [`${message(language, "raw_lines_differ")}${withTool}`] : [];
  return {
    code: 200,
    message: ok,
    data: untrusted({
      raw_content: part.text,
      start_line: part.startLine,
      end_line: part.endLine,
      total_lines: part.totalLines,
      truncated: part.nextLine !== undefined,
      ...(part.nextLine !== undefined && { next_line: part.nextLine }),
      ...(part.nextColumn !== undefined && { next_column: part.nextColumn }),
      encoding: part.encoding,
      file_info: { file_path: part.path, file_size: part.size, modify_time: part.modified.toISOString() },
      ...(notices.length > 0 && { notices }),
    }, language),
    text: quotedAnswer((quotes) =>
      quotedText(quotes, language, {
        before: [
          message(language, "read_summary", {
            message: ok,
            path: quotes.name(part.path),
            start: part.startLine,
            end: part.endLine,
            total: part.totalLines,
            size: part.size,
            encoding: part.encoding,
          }),
          ...notices,
        ],
        text: part.text,
        after: continuation(part, language),
      })
    ),
  };
}

function continuation(part: RawPart, language: Language): string[] {
  const { startLine: start, endLine: end, totalLines: total, nextLine: line, nextColumn: column } = part;
  if (line === undefined) return [];
  return column === undefined
    ? [message(language, "read_cut", { start, end, total, line })]
    : [message(language, "read_cut_inside", { start, end, total, line, column })];
}
