import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { Lines, ServedDocument } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { DOCUMENT_INFO, documentInfo, scannedPagesLines } from "./document_info.ts";
import { quotedAnswer, quotedText } from "./quoted.ts";
import { UNTRUSTED, untrusted } from "./untrusted.ts";

/** Sections in one answer; more would fill a model's context. */
const MAX_LISTED = 300;

const SECTION = z.object({
  level: z.int(),
  title: z.string(),
  page: z.int().optional(),
  start_line: z.int(),
  end_line: z.int(),
});

type ListedSection = z.output<typeof SECTION>;

/** Shape of `data` in an answer of `list_document_sections`. */
export const DOCUMENT_SECTIONS_DATA = z.object({
  ...UNTRUSTED,
  sections: z.array(SECTION),
  section_count: z.int(),
  truncated: z.boolean(),
  total_lines: z.int(),
  file_info: DOCUMENT_INFO,
});

/** The part of {@linkcode DOCUMENT_SECTIONS_DATA} that the tool declares. */
export const DECLARED_SECTIONS_DATA = z.looseObject({
  sections: z.array(z.looseObject({ level: z.int(), title: z.string(), start_line: z.int() })),
});

/** The answer with a document's sections that have a title. `lines` are those of its text. */
export function documentSectionsAnswer(
  served: ServedDocument,
  lines: Lines,
  language: Language,
): TextAnswer<z.output<typeof DOCUMENT_SECTIONS_DATA>> {
  const { document, format, path } = served;
  const titled = document.sections.filter(({ title }) => title !== "");
  const listed = titled.slice(0, MAX_LISTED).map(({ level, title, start, end }): ListedSection => {
    const page = document.pages?.findLast((page) => page.start <= start)?.number;
    return {
      level,
      title,
      ...(page === undefined ? {} : { page }),
      start_line: lines.at(start),
      end_line: lines.at(Math.max(start, end - 1)),
    };
  });
  const isCut = listed.length < titled.length;
  const ok = message(language, "read_ok");
  return {
    code: 200,
    message: ok,
    data: untrusted({
      sections: listed,
      section_count: titled.length,
      truncated: isCut,
      total_lines: lines.count,
      file_info: documentInfo(served),
    }, language),
    text: quotedAnswer((quotes) =>
      quotedText(quotes, language, {
        before: [
          message(language, "document_outline", {
            message: ok,
            path: quotes.name(path),
            format,
            total: lines.count,
            pages: document.pages === undefined
              ? ""
              : message(language, "document_page_count", { count: document.pages.length }),
            count: titled.length,
          }),
          ...scannedPagesLines(document, language),
        ],
        text: listed.map((section) => sectionLine(section, language)).join("\n"),
        after: isCut ? [message(language, "document_outline_cut", { shown: listed.length })] : [],
      })
    ),
  };
}

/** `title  start-end  page`, indented by the level. */
function sectionLine(section: ListedSection, language: Language): string {
  const { level, title, page, start_line: start, end_line: end } = section;
  const indented = `${"  ".repeat(level - 1)}${title}  ${start}-${end}`;
  return page === undefined ? indented : `${indented}  ${message(language, "page_number", { page })}`;
}
