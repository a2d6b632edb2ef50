import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { Section } from "../document/mod.ts";
import type { Lines, ServedDocument } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { DOCUMENT_INFO, documentInfo, scannedPagesLines } from "./document_info.ts";
import { quotedAnswer, quotedText } from "./quoted.ts";
import { type AnswerLimit, sentTokens } from "./shape.ts";
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
  next_cursor: z.string().optional(),
  total_lines: z.int(),
  file_info: DOCUMENT_INFO,
});

/** The part of {@linkcode DOCUMENT_SECTIONS_DATA} that the tool declares. */
export const DECLARED_SECTIONS_DATA = z.looseObject({
  sections: z.array(z.looseObject({ level: z.int(), title: z.string(), start_line: z.int() })),
});

/** Options of {@linkcode documentSectionsAnswer}. */
export interface DocumentSectionsOptions {
  readonly language: Language;
  readonly limit: AnswerLimit;
  /** Number of sections in earlier answers. */
  readonly offset: number;
  /** Only sections with text between these offsets are listed. Default: all. */
  readonly within?: readonly [from: number, to: number];
  /** Makes the argument `cursor` for the sections after the first `shown` of this answer. */
  readonly cursorAfter: (shown: number) => string;
}

/**
 * The answer with a document's sections that have a title: as many as fit its limit, at least one. `lines` are those of its
 * text.
 */
export function documentSectionsAnswer(
  served: ServedDocument,
  lines: Lines,
  { language, limit, offset, within: [from, to] = [0, Infinity], cursorAfter }: DocumentSectionsOptions,
): TextAnswer<z.output<typeof DOCUMENT_SECTIONS_DATA>> {
  const titled = served.document.sections.filter(({ title, start, end }) =>
    title !== "" && start < to && end > from
  );
  const page = titled.slice(offset, offset + MAX_LISTED).map((section) =>
    listedSection(section, served, lines)
  );
  for (let count = page.length;; count = Math.max(1, Math.floor(count * 0.8))) {
    const end = offset + count;
    const answer = answerWith(page.slice(0, count), {
      served,
      totalLines: lines.count,
      language,
      offset,
      total: titled.length,
      cursor: end < titled.length ? cursorAfter(count) : undefined,
    });
    if (count <= 1 || sentTokens(answer, limit.shape) <= limit.maxTokens) return answer;
  }
}

function listedSection(
  { level, title, start, end }: Section,
  { document }: ServedDocument,
  lines: Lines,
): ListedSection {
  const page = document.pages?.findLast((page) => page.start <= start)?.number;
  return {
    level,
    title,
    ...(page === undefined ? {} : { page }),
    start_line: lines.at(start),
    end_line: lines.at(Math.max(start, end - 1)),
  };
}

function answerWith(
  listed: readonly ListedSection[],
  { served, totalLines, language, offset, total, cursor }: {
    readonly served: ServedDocument;
    readonly totalLines: number;
    readonly language: Language;
    readonly offset: number;
    readonly total: number;
    readonly cursor: string | undefined;
  },
): TextAnswer<z.output<typeof DOCUMENT_SECTIONS_DATA>> {
  const { document, format, path } = served;
  const ok = message(language, "read_ok");
  return {
    code: 200,
    message: ok,
    data: untrusted({
      sections: [...listed],
      section_count: total,
      truncated: cursor !== undefined,
      ...(cursor !== undefined && { next_cursor: cursor }),
      total_lines: totalLines,
      file_info: documentInfo(served),
    }, language),
    text: quotedAnswer((quotes) =>
      quotedText(quotes, language, {
        before: [
          message(language, "document_outline", {
            message: ok,
            path: quotes.name(path),
            format,
            total: totalLines,
            pages: document.pages === undefined
              ? ""
              : message(language, "document_page_count", { count: document.pages.length }),
            count: total,
          }),
          ...scannedPagesLines(document, language),
        ],
        text: listed.map((section) => sectionLine(section, language)).join("\n"),
        after: [
          ...(listed.length < total
            ? [
              message(language, "document_outline_part", {
                from: Math.min(offset + 1, total),
                to: offset + listed.length,
                total,
              }),
            ]
            : []),
          ...(cursor === undefined ? [] : [message(language, "more_with_cursor", { cursor })]),
        ],
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
