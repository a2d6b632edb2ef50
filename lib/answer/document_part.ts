import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { DocumentPart, ServedDocument } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { DOCUMENT_INFO, documentInfo, scannedPagesLines } from "./document_info.ts";
import { quotedAnswer, quotedText } from "./quoted.ts";
import { UNTRUSTED, untrusted } from "./untrusted.ts";

/** Shape of `data` in an answer of `get_document_content`. */
export const DOCUMENT_PART_DATA = z.object({
  ...UNTRUSTED,
  content: z.string(),
  start_line: z.int(),
  end_line: z.int(),
  total_lines: z.int(),
  first_page: z.int().optional(),
  last_page: z.int().optional(),
  section: z.array(z.string()).optional(),
  truncated: z.boolean(),
  next_line: z.int().optional(),
  next_column: z.int().optional(),
  file_info: DOCUMENT_INFO,
});

/** The part of {@linkcode DOCUMENT_PART_DATA} that the tool declares. */
export const DECLARED_PART_DATA = z.looseObject({
  content: z.string(),
  next_line: z.int().optional(),
});

/** Returns the answer with a part of a document's text. Unless the part is the last, its first line says where to continue. */
export function documentPartAnswer(
  served: ServedDocument,
  part: DocumentPart,
  language: Language,
): TextAnswer<z.output<typeof DOCUMENT_PART_DATA>> {
  const { document, format, path } = served;
  const ok = message(language, "read_ok");
  const place = part.pages === undefined || document.pages === undefined
    ? ""
    : pagesText(part.pages, document.pages.length, language);
  return {
    code: 200,
    message: ok,
    data: untrusted({
      content: part.text,
      start_line: part.startLine,
      end_line: part.endLine,
      total_lines: part.totalLines,
      ...(part.pages === undefined ? {} : { first_page: part.pages[0], last_page: part.pages[1] }),
      ...(part.section.length > 0 && { section: [...part.section] }),
      truncated: part.nextLine !== undefined,
      ...(part.nextLine === undefined ? {} : { next_line: part.nextLine }),
      ...(part.nextColumn === undefined ? {} : { next_column: part.nextColumn }),
      file_info: documentInfo(served),
    }, language),
    text: quotedAnswer((quotes) =>
      quotedText(quotes, language, {
        before: [
          ...continuation(part, language),
          message(language, "document_summary", {
            message: ok,
            path: quotes.name(path),
            format,
            start: part.startLine,
            end: part.endLine,
            total: part.totalLines,
            place,
          }),
          ...(part.section.length > 0
            ? [message(language, "document_section", { section: quotes.name(part.section.join(" > ")) })]
            : []),
          ...scannedPagesLines(document, language),
        ],
        text: part.text,
        after: [],
      })
    ),
  };
}

function pagesText([first, last]: readonly [number, number], count: number, language: Language): string {
  return first === last
    ? message(language, "document_page", { page: first, count })
    : message(language, "document_pages", { first, last, count });
}

function continuation({ nextLine: line, nextColumn: column }: DocumentPart, language: Language): string[] {
  if (line === undefined) return [];
  return column === undefined
    ? [message(language, "document_continues", { line })]
    : [message(language, "document_continues_inside", { line, column })];
}
