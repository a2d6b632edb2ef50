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
 * The answer with the text of a file. Unless the part is the last, its first line says how much is missing and where to continue.
 * `isWhole`: the call asked for the whole file. `isConverted`: a loader reads
 * this format, so that line numbers in search results count the lines of the extracted text; the answer says so. `read`: name of the tool
 * that reads those lines, if the client has it.
 */
export function rawFileAnswer(
  part: RawPart,
  { isConverted, isWhole, read }: {
    readonly isConverted: boolean;
    readonly isWhole: boolean;
    readonly read: string | undefined;
  },
  language: Language,
): TextAnswer<z.output<typeof RAW_FILE_DATA>> {
  const ok = message(language, "read_ok");
  const withTool = read === undefined ? "" : message(language, "raw_lines_read_with", { read });
  const shortened = shortenedLines(part, isWhole, language);
  const differs = isConverted ? [`${message(language, "raw_lines_differ")}${withTool}`] : [];
  const notices = [...shortened, ...differs];
  return {
    code: 200,
    message: ok,
    data: untrusted({
      // Before the text, where a reader of a long answer sees them.
      ...(notices.length > 0 && { notices }),
      raw_content: part.text,
      start_line: part.startLine,
      end_line: part.endLine,
      total_lines: part.totalLines,
      truncated: part.nextLine !== undefined,
      ...(part.nextLine !== undefined && { next_line: part.nextLine }),
      ...(part.nextColumn !== undefined && { next_column: part.nextColumn }),
      encoding: part.encoding,
      file_info: { file_path: part.path, file_size: part.size, modify_time: part.modified.toISOString() },
    }, language),
    text: quotedAnswer((quotes) =>
      quotedText(quotes, language, {
        before: [
          ...shortened,
          message(language, "read_summary", {
            message: ok,
            path: quotes.name(part.path),
            start: part.startLine,
            end: part.endLine,
            total: part.totalLines,
            size: part.size,
            encoding: part.encoding,
          }),
          ...differs,
        ],
        text: part.text,
        after: [],
      })
    ),
  };
}

/** A line that says how much is missing and how to go on; no line if nothing is missing. */
function shortenedLines(part: RawPart, isWhole: boolean, language: Language): string[] {
  const { nextLine: line, nextColumn: column, lastLine: last, missing } = part;
  if (line === undefined) return [];
  const percent = Math.max(1, Math.round(missing * 100));
  const next = message(language, column === undefined ? "read_go_on" : "read_go_on_inside", {
    line,
    column: column ?? 1,
  });
  const whole = isWhole ? "" : message(language, "read_whole");
  return [message(language, "read_shortened", { line, last, percent, next, whole })];
}
