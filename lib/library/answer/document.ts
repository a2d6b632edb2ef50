/**
 * Answers about one document: a part, its sections, a summary, the raw file. Each `DECLARED_…` is the part of the shape of `data` that the
 * tool declares, because a client may give the schema to a model; the guide describes all of it.
 */
import * as z from "zod";
import { type Language, message, pageList } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import type {
  DocumentPart,
  DocumentRelations,
  Lines,
  RawPart,
  ServedDocument,
  Summary,
} from "#library/search/mod.ts";
import { type AnswerLimit, fittedPage, isWithin, type Page, type TextAnswer } from "./shape.ts";
import { imageRefs } from "./pictures.ts";
import { partLines } from "./search_answer.ts";
import { listedAnswer } from "./quoted.ts";
import { originFacts } from "./documents.ts";
import { metadataFields, recognisedImages, type Section } from "#documents/mod.ts";

/** The facts about a document that its answers give beside its text. */
function documentInfo(served: ServedDocument) {
  const { document, format, path, name, size, modified } = served;
  const { title, metadata, pages, emptyPages, recognised, images } = document;
  const created = creationOf(served);
  return present({
    file_path: path,
    file_name: name,
    format,
    file_size: size,
    modify_time: modified.toISOString(),
    create_time: created?.time,
    create_time_by: created?.by,
    title,
    ...metadataFields(metadata),
    pages: pages?.length,
    empty_pages: emptyPages,
    recognised_pages: recognised,
    recognised_images: recognisedImages(images),
    from_index: served.isStored,
  });
}

/** When a document was created in ISO 8601: the file by the file system, else the document by its own account. */
function creationOf({ created, document }: ServedDocument) {
  if (created !== undefined) return { time: created.toISOString(), by: "file_system" as const };
  const time = document.metadata?.created;
  return time === undefined ? undefined : { time, by: "document" as const };
}

/** Lines that name the pages without text, which may be scans, and the pages and pictures whose text was recognised. */
function scannedPagesLines(
  { emptyPages, recognised, images }: ServedDocument["document"],
  language: Language,
): string[] {
  const line = (key: "document_empty_pages" | "document_recognised_pages", pages: readonly number[] = []) =>
    pages.length === 0 ? [] : [message(language, key, { pages: pageList(pages) })];
  const found = recognisedImages(images);
  return [
    ...line("document_empty_pages", emptyPages),
    ...line("document_recognised_pages", recognised),
    ...(found === undefined
      ? []
      : [message(language, "document_recognised_images", { images: pageList(found), count: found.length })]),
  ];
}

export const DECLARED_PART_DATA = z.looseObject({ content: z.string(), next_line: z.int().optional() });

/** Returns the answer with a part of a document's text. Unless the part is the last, its first line says where to continue. */
export function documentPartAnswer(
  served: ServedDocument,
  part: DocumentPart,
  language: Language,
): TextAnswer<z.output<typeof DECLARED_PART_DATA>> {
  const { document, format, path } = served;
  const { startLine, endLine, totalLines, pages, section } = part;
  const place = pages === undefined || document.pages === undefined
    ? ""
    : pagesText(pages, document.pages.length, language);
  return listedAnswer({
    data: present({
      content: part.text,
      start_line: startLine,
      end_line: endLine,
      total_lines: totalLines,
      first_page: pages?.[0],
      last_page: pages?.[1],
      section: section.length > 0 ? section : undefined,
      rows: part.rows?.join("-"),
      image_refs: imageRefs(path, present({ images: part.images, sha256: served.sha256 })),
      truncated: part.nextLine !== undefined,
      next_line: part.nextLine,
      next_column: part.nextColumn,
      file_info: documentInfo(served),
    }),
    head: (quotes) => [
      ...continuation(part, language),
      message(language, "document_summary", {
        message: message(language, "read_ok"),
        path: quotes.name(path),
        format,
        start: startLine,
        end: endLine,
        total: totalLines,
        place,
      }),
      ...(section.length > 0
        ? [message(language, "document_section", { section: quotes.name(section.join(" > ")) })]
        : []),
      ...partLines(part, language),
      ...scannedPagesLines(document, language),
      ...storedLines(served, language),
    ],
    text: part.text,
  }, language);
}

/** A line that says that the text comes from the index. */
function storedLines({ isStored }: Pick<ServedDocument, "isStored">, language: Language): string[] {
  return isStored ? [message(language, "document_from_index")] : [];
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

export const DECLARED_SECTIONS_DATA = z.looseObject({
  sections: z.array(z.looseObject({ level: z.int(), title: z.string(), start_line: z.int() })),
});

/** Options of {@linkcode documentSectionsAnswer}. */
interface DocumentSectionsOptions extends Page {
  readonly language: Language;
  /** Only sections with text between these offsets are listed. Default: all. */
  readonly within?: readonly [from: number, to: number];
}

/**
 * The answer with a document's sections that have a title: as many as fit its limit, at least one. `lines` are those of its
 * text.
 */
export function documentSectionsAnswer(
  served: ServedDocument,
  lines: Lines,
  { language, within: [from, to] = [0, Infinity], ...page }: DocumentSectionsOptions,
): TextAnswer<z.output<typeof DECLARED_SECTIONS_DATA>> {
  const { document, format, path } = served;
  const { offset } = page;
  const titled = document.sections.filter(({ title, start, end }) =>
    title !== "" && start < to && end > from
  );
  const total = titled.length;
  const sections = titled.slice(offset, offset + MAX_LISTED)
    .map((section) => listedSection(section, served, lines));
  return fittedPage(sections, total, page, (shown, cursor) =>
    listedAnswer({
      data: present({
        sections: [...shown],
        section_count: total,
        truncated: cursor !== undefined,
        next_cursor: cursor,
        total_lines: lines.count,
        file_info: documentInfo(served),
      }),
      head: (quotes) => [
        message(language, "document_outline", {
          message: message(language, "read_ok"),
          path: quotes.name(path),
          format,
          total: lines.count,
          pages: document.pages === undefined
            ? ""
            : message(language, "document_page_count", { count: document.pages.length }),
          count: total,
        }),
        ...scannedPagesLines(document, language),
      ],
      text: shown.map((section) => sectionLine(section, language)).join("\n"),
      after: [
        ...(shown.length < total
          ? [
            message(language, "document_outline_part", {
              from: Math.min(offset + 1, total),
              to: offset + shown.length,
              total,
            }),
          ]
          : []),
        ...(cursor === undefined ? [] : [message(language, "more_with_cursor", { cursor })]),
      ],
    }, language));
}

function listedSection({ level, title, start, end }: Section, { document }: ServedDocument, lines: Lines) {
  return present({
    level,
    title,
    page: document.pages?.findLast((page) => page.start <= start)?.number,
    start_line: lines.at(start),
    end_line: lines.at(Math.max(start, end - 1)),
  });
}

/** `title  start-end  page`, indented by the level. */
function sectionLine(section: ReturnType<typeof listedSection>, language: Language): string {
  const { level, title, page, start_line: start, end_line: end } = section;
  const indented = `${"  ".repeat(level - 1)}${title}  ${start}-${end}`;
  return page === undefined ? indented : `${indented}  ${message(language, "page_number", { page })}`;
}

/** Sections that a summary names, and links in each direction. */
const MAX_SECTIONS = 30, MAX_LINKS = 30;

export const DECLARED_SUMMARY_DATA = z.looseObject({ title: z.string(), summary: z.string() });

/** The parts of a summary, which are cut in this order. */
interface SummaryParts extends Summary {
  readonly chapters: readonly string[];
  /** Paths of the documents that it links to, and links that lead to none, as written. */
  readonly links: readonly string[];
  /** Paths of the documents that link to it. */
  readonly backlinks: readonly string[];
}

/**
 * The answer with the summary of a document. Where it does not fit the limit, it names fewer chapters, then fewer sentences and
 * terms. `…` stands for chapters left out, and `data.section_count` counts all.
 */
export function summaryAnswer(
  served: ServedDocument,
  { sentences, tags }: Summary,
  { language, limit, relations }: {
    readonly language: Language;
    readonly limit: AnswerLimit;
    readonly relations?: DocumentRelations;
  },
): TextAnswer<z.output<typeof DECLARED_SUMMARY_DATA>> {
  const chapters = chaptersOf(served.document);
  const { links = [], unresolved = [], backlinks = [] } = relations ?? {};
  const parts = {
    chapters: chapters.slice(0, MAX_SECTIONS),
    sentences,
    tags,
    links: [...links, ...unresolved].slice(0, MAX_LINKS),
    backlinks: backlinks.slice(0, MAX_LINKS),
  };
  for (;;) {
    const answer = answerOf(served, parts, chapters.length, language);
    const cut = (["links", "backlinks", "chapters", "sentences", "tags"] as const)
      .find((name) => parts[name].length > (name === "sentences" ? 1 : 0));
    if (cut === undefined || isWithin(answer, limit)) return answer;
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

function answerOf(
  served: ServedDocument,
  { chapters, sentences, tags, links, backlinks }: SummaryParts,
  chapterCount: number,
  language: Language,
) {
  const { document, path, name, size, modified } = served;
  const title = document.title ?? document.sections.find((section) => section.title !== "")?.title ?? name;
  const isChinese = /\p{Script=Han}/u.test(sentences[0] ?? "");
  const summary = sentences.join(isChinese ? "" : " ");
  const shownChapters = chapters.length < chapterCount ? [...chapters, "…"] : chapters;
  const created = creationOf(served);
  const comma = message(language, "list_comma");
  const { tags: ownTags = [], accessLevel, status, extra = {} } = document.metadata ?? {};
  const says = [...originFacts(document.metadata, language), accessLevel, status].filter((fact) =>
    fact !== undefined
  );
  const aliases = [extra["aliases"] ?? extra["alias"] ?? []].flat().map(String);
  const named = (
    key: "document_aliases" | "document_links" | "document_backlinks",
    values: readonly string[],
  ) => values.length === 0 ? [] : [message(language, key, { names: values.join(comma) })];
  return listedAnswer({
    data: present({
      title,
      summary,
      tags,
      aliases: aliases.length === 0 ? undefined : aliases,
      links: links.length === 0 ? undefined : links,
      backlinks: backlinks.length === 0 ? undefined : backlinks,
      sections: chapters,
      section_count: chapterCount,
      file_info: documentInfo(served),
    }),
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
      ...(says.length === 0 ? [] : [message(language, "document_says", { facts: says.join(comma) })]),
      ...(tags.length === 0 ? [] : [message(language, "document_tags", { tags: tags.join(comma) })]),
      ...(ownTags.length === 0
        ? []
        : [message(language, "document_own_tags", { tags: ownTags.join(comma) })]),
      ...named("document_aliases", aliases),
      ...named("document_links", links),
      ...named("document_backlinks", backlinks),
      message(language, "document_chapters", { sections: shownChapters.join(comma) }),
    ].join("\n"),
  }, language);
}

export const DECLARED_RAW_DATA = z.looseObject({ raw_content: z.string(), next_line: z.int().optional() });

/**
 * The answer with the text of a file. Unless the part is the last, its first line says how much is missing and where to continue.
 * `isWhole`: the call asked for the whole file. `isConverted`: a loader reads this format, so that line numbers in search results count the
 * lines of the extracted text; the answer says so. `read`: name of the tool that reads those lines, if the client has it.
 */
export function rawFileAnswer(
  part: RawPart,
  { isConverted, isWhole, read }: {
    readonly isConverted: boolean;
    readonly isWhole: boolean;
    readonly read: string | undefined;
  },
  language: Language,
): TextAnswer<z.output<typeof DECLARED_RAW_DATA>> {
  const { path, size, encoding, startLine, endLine, totalLines } = part;
  const withTool = read === undefined ? "" : message(language, "raw_lines_read_with", { read });
  const shortened = shortenedLines(part, isWhole, language);
  const differs = isConverted ? [`${message(language, "raw_lines_differ")}${withTool}`] : [];
  const stored = storedLines(part, language);
  const notices = [...shortened, ...differs, ...stored];
  return listedAnswer({
    data: present({
      // Before the text, where a reader of a long answer sees them.
      notices: notices.length > 0 ? notices : undefined,
      raw_content: part.text,
      start_line: startLine,
      end_line: endLine,
      total_lines: totalLines,
      truncated: part.nextLine !== undefined,
      next_line: part.nextLine,
      next_column: part.nextColumn,
      encoding,
      file_info: present({
        file_path: path,
        file_size: size,
        modify_time: part.modified.toISOString(),
        from_index: part.isStored,
      }),
    }),
    head: (quotes) => [
      ...shortened,
      message(language, "read_summary", {
        message: message(language, "read_ok"),
        path: quotes.name(path),
        start: startLine,
        end: endLine,
        total: totalLines,
        size,
        encoding,
      }),
      ...differs,
      ...stored,
    ],
    text: part.text,
  }, language);
}

/** A line that says how much is missing and how to go on; no line if nothing is missing. */
function shortenedLines(part: RawPart, isWhole: boolean, language: Language): string[] {
  const { nextLine: line, nextColumn: column = 1, lastLine: last, missing } = part;
  if (line === undefined) return [];
  const percent = Math.max(1, Math.round(missing * 100));
  const goOn = part.nextColumn === undefined ? "read_go_on" : "read_go_on_inside";
  const next = message(language, goOn, { line, column });
  const whole = isWhole ? "" : message(language, "read_whole");
  return [message(language, "read_shortened", { line, last, percent, next, whole })];
}
