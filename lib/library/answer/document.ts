/**
 * Answers about one document: a part, its sections, a summary, the raw file.
 */
import * as z from "zod";
import { type Language, message, pageList } from "#foundation/messages/mod.ts";
import type { DocumentPart, Lines, RawPart, ServedDocument, Summary } from "#library/search/mod.ts";
import { type AnswerLimit, sentTokens, type TextAnswer } from "./shape.ts";
import { listedAnswer, quotedAnswer, quotedText, UNTRUSTED, untrusted } from "./quoted.ts";
import type { Section } from "#documents/mod.ts";

/** Shape of `file_info` in the answers about a document. */
const DOCUMENT_INFO = z.object({
  file_path: z.string(),
  file_name: z.string(),
  format: z.string(),
  file_size: z.int(),
  modify_time: z.string(),
  create_time: z.string().optional(),
  create_time_by: z.enum(["file_system", "document"]).optional(),
  title: z.string().optional(),
  author: z.string().optional(),
  date: z.string().optional(),
  language: z.string().optional(),
  tags: z.array(z.string()).optional(),
  description: z.string().optional(),
  pages: z.int().optional(),
  empty_pages: z.array(z.int()).optional(),
  recognised_pages: z.array(z.int()).optional(),
});

/** The facts about a document that its answers give beside its text. */
function documentInfo(served: ServedDocument): z.output<typeof DOCUMENT_INFO> {
  const { document, format, path, name, size, modified } = served;
  const { title, metadata = {}, pages, emptyPages, recognised } = document;
  const { tags, created: _, ...facts } = metadata;
  const created = creationOf(served);
  return {
    file_path: path,
    file_name: name,
    format,
    file_size: size,
    modify_time: modified.toISOString(),
    ...(created === undefined ? {} : { create_time: created.time, create_time_by: created.by }),
    ...(title === undefined ? {} : { title }),
    ...facts,
    ...(tags === undefined ? {} : { tags: [...tags] }),
    ...(pages === undefined ? {} : { pages: pages.length }),
    ...(emptyPages === undefined ? {} : { empty_pages: [...emptyPages] }),
    ...(recognised === undefined ? {} : { recognised_pages: [...recognised] }),
  };
}

/** When a document was created in ISO 8601: the file by the file system, else the document by its own account. */
function creationOf(
  { created, document }: ServedDocument,
): { readonly time: string; readonly by: "file_system" | "document" } | undefined {
  if (created !== undefined) return { time: created.toISOString(), by: "file_system" };
  const time = document.metadata?.created;
  return time === undefined ? undefined : { time, by: "document" };
}

/** A line that names the pages without text, which may be scans, and one for those whose text was recognised in scans. */
function scannedPagesLines(
  { emptyPages, recognised }: ServedDocument["document"],
  language: Language,
): string[] {
  const line = (key: "document_empty_pages" | "document_recognised_pages", pages: readonly number[] = []) =>
    pages.length === 0 ? [] : [message(language, key, { pages: pageList(pages) })];
  return [...line("document_empty_pages", emptyPages), ...line("document_recognised_pages", recognised)];
}

/** Shape of `data` in an answer of `get_document_content`. */
const DOCUMENT_PART_DATA = z.object({
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
const DOCUMENT_SECTIONS_DATA = z.object({
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
interface DocumentSectionsOptions {
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

/** Sections that a summary names. */
const MAX_SECTIONS = 30;

/** Shape of `data` in the answer of `get_document_summary`. */
const SUMMARY_DATA = z.looseObject({
  title: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  sections: z.array(z.string()),
  section_count: z.int(),
});

/** The part of {@linkcode SUMMARY_DATA} that the tool declares: a client may give the schema to a model. */
export const DECLARED_SUMMARY_DATA = z.looseObject({ title: z.string(), summary: z.string() });

/**
 * The answer with the summary of a document. Where it does not fit the limit, it names fewer chapters, then fewer sentences and
 * terms. `…` stands for chapters left out, and `data.section_count` counts all.
 */
export function summaryAnswer(
  served: ServedDocument,
  { sentences, tags }: Summary,
  { language, limit }: { readonly language: Language; readonly limit: AnswerLimit },
): TextAnswer<z.output<typeof SUMMARY_DATA>> {
  const chapters = chaptersOf(served.document);
  const parts: { -readonly [Name in keyof Parts]: Parts[Name] } = {
    chapters: chapters.slice(0, MAX_SECTIONS),
    sentences,
    tags,
  };
  for (;;) {
    const answer = answerOf(served, parts, chapters.length, language);
    const cut = (["chapters", "sentences", "tags"] as const)
      .find((name) => parts[name].length > (name === "sentences" ? 1 : 0));
    if (cut === undefined || sentTokens(answer, limit.shape) <= limit.maxTokens) return answer;
    parts[cut] = parts[cut].slice(0, Math.floor(parts[cut].length * 0.8));
  }
}

/** The titles of the highest level that divides the document. */
function chaptersOf({ sections }: ServedDocument["document"]): string[] {
  const titled = sections.filter(({ title }) => title !== "");
  // A call with so many arguments as a document may have headings would overflow the stack.
  const top = titled.reduce((least, { level }) => Math.min(least, level), Infinity);
  // A document with one title has its chapters a level below.
  const most = titled.filter(({ level }) => level === top).length === 1 ? top + 1 : top;
  return titled.filter(({ level }) => level <= most).map(({ title }) => title);
}

interface Parts {
  readonly chapters: readonly string[];
  readonly sentences: readonly string[];
  readonly tags: readonly string[];
}

function answerOf(
  served: ServedDocument,
  { chapters, sentences, tags }: Parts,
  chapterCount: number,
  language: Language,
): TextAnswer<z.output<typeof SUMMARY_DATA>> {
  const { document, path, name, size, modified } = served;
  const title = document.title ?? document.sections.find((section) => section.title !== "")?.title ?? name;
  const isChinese = /\p{Script=Han}/u.test(sentences[0] ?? "");
  const summary = sentences.join(isChinese ? "" : " ");
  const shownChapters = chapters.length < chapterCount ? [...chapters, "…"] : chapters;
  const created = creationOf(served);
  return listedAnswer({
    data: {
      title,
      summary,
      tags: [...tags],
      sections: [...chapters],
      section_count: chapterCount,
      file_info: documentInfo(served),
    },
    head: (quotes) => [
      message(language, "document_summarised", {
        path: quotes.name(path),
        size,
        modified: modified.toISOString().slice(0, 10),
        created: created === undefined
          ? ""
          : message(language, `document_created_by_${created.by}`, { created: created.time.slice(0, 10) }),
      }),
    ],
    text: [
      title,
      "",
      summary,
      "",
      message(language, "document_tags", { tags: tags.join(message(language, "list_comma")) }),
      message(language, "document_chapters", {
        sections: shownChapters.join(message(language, "list_comma")),
      }),
    ].join("\n"),
  }, language);
}

/** Shape of `data` in an answer of `read_raw_file`. */
const RAW_FILE_DATA = z.object({
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
