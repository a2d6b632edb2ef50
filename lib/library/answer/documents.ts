/** Answers that list documents and collections, and texts of several documents. */
import * as z from "zod";
import { type Language, message, printable } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import { type Metadata, metadataFields } from "#documents/mod.ts";
import type {
  CollectionInfo,
  DocumentList,
  DocumentPart,
  FacetCounts,
  ListedDocument,
} from "#library/search/mod.ts";
import { estimatedTokens } from "./estimated_tokens.ts";
import { type AnswerLimit, fittedPage, type Page, sentTokens, type TextAnswer } from "./shape.ts";
import { listedAnswer, quotedAnswer, type Quotes, untrusted } from "./quoted.ts";

/** Shape of `data` in the answer of `list_documents`. */
const DOCUMENTS_DATA = z.looseObject({
  documents: z.array(
    z.looseObject({ path: z.string(), state: z.string(), size: z.int(), modified: z.string() }),
  ),
  total: z.int(),
  next_cursor: z.string().optional(),
});

/** The answer with a page of documents: as many as fit its limit, at least one. */
export function documentsAnswer(
  { documents, total, facets }: DocumentList,
  { language, ...page }: Page & { readonly language: Language },
): TextAnswer<z.output<typeof DOCUMENTS_DATA>> {
  const { offset } = page;
  return fittedPage(documents, total, page, (shown, cursor) =>
    listedAnswer({
      data: present({
        documents: shown.map(listed),
        total,
        facets: facets && facetsData(facets),
        next_cursor: cursor,
      }),
      head: (quotes) => [
        ...(facets ?? []).map((facet) => facetLine(facet, language, quotes.name)),
        message(language, total === 0 ? "documents_none" : "documents_summary", {
          from: Math.min(offset + 1, total),
          to: offset + shown.length,
          total,
        }),
      ],
      text: shown.map((document) => line(document, language)).join("\n") || undefined,
      after: cursorLine(cursor, language),
    }, language));
}

function cursorLine(cursor: string | undefined, language: Language): string[] {
  return cursor === undefined ? [] : [message(language, "more_with_cursor", { cursor })];
}

/** `modified` is the time of the file; `metadata` what the document says about itself. */
function listed(document: ListedDocument) {
  const { path, state, reason, title, format, language, size, modified, pages, chunks, metadata } = document;
  const times = { modified: modified.toISOString() };
  const about = metadata && metadataFields(metadata);
  return present({
    path,
    state,
    reason,
    title,
    format,
    language,
    size,
    ...times,
    pages,
    chunks,
    metadata: about,
  });
}

function line(document: ListedDocument, language: Language): string {
  const { path, state, reason, title, format, language: written, size, modified, pages, chunks } = document;
  const { tags = [], accessLevel, status } = document.metadata ?? {};
  const facts = [
    ...[title, format, written].filter((fact) => fact !== undefined),
    ...(pages === undefined ? [] : [message(language, "document_page_total", { count: pages })]),
    message(language, "document_bytes", { size }),
    modified.toISOString().slice(0, 10),
    state === "indexed"
      ? message(language, "document_chunks", { count: chunks })
      : message(language, `document_${state}`),
    ...(reason === undefined ? [] : [reason]),
    ...originFacts(document.metadata, language),
    ...some(tags).map((tag) => `#${tag}`),
    ...[accessLevel, status].filter((fact) => fact !== undefined),
  ];
  return `${path} (${facts.join(message(language, "list_comma"))})`;
}

/** The authors and the date of a document, by its own account. */
export function originFacts({ authors = [], created }: Metadata = {}, language: Language): string[] {
  return [
    ...(authors.length === 0
      ? []
      : [message(language, "document_by", { authors: some(authors).join("; ") })]),
    ...(created === undefined ? [] : [message(language, "document_created", { date: created.slice(0, 10) })]),
  ];
}

/** Authors and tags in a line of the list. */
const MOST_NAMED = 5;

function some(values: readonly string[]): readonly string[] {
  return values.length <= MOST_NAMED ? values : [...values.slice(0, MOST_NAMED), "…"];
}

/** The lines with the counts of a facet: values with the numbers of their documents. */
function facetLine(
  { facet, values, more, without }: FacetCounts,
  language: Language,
  quote: Quotes["name"],
  name: string = facet,
): string {
  const counts = values.map(({ value, count }) => `${quote(value)} ${count}`);
  const others = [
    ...(more > 0 ? [message(language, "facet_more", { count: more })] : []),
    ...(without > 0 ? [message(language, "facet_without", { count: without })] : []),
  ];
  return `${name}: ${[...counts, ...others].join(message(language, "list_comma"))}`;
}

/**
 * Returns the lines with the counts of facets for a terminal: fewer values, which are not quoted, and the name of the facet in the
 * language of the reader, as a query takes it.
 */
export function facetLines(facets: readonly FacetCounts[], language: Language): string[] {
  return facets.map((one) => {
    const { facet, values, more } = one;
    const name = message(language, `facet_${facet}`);
    const shown = values.slice(0, MOST_VALUES);
    const rest = more + values.length - shown.length;
    return facetLine({ ...one, values: shown, more: rest }, language, printable, name);
  });
}

/** Values of a facet that a terminal shows. */
const MOST_VALUES = 20;

/** Returns the counts of facets by their names: `{tag: {values: [{value, count}], more, without}}`. */
export function facetsData(facets: readonly FacetCounts[]) {
  return Object.fromEntries(facets.map(({ facet, ...counts }) => [facet, counts]));
}

/** Shape of `data` in the answer of `read_documents`. */
export const DOCUMENTS_TEXT_DATA = z.looseObject({
  documents: z.array(z.looseObject({ file_path: z.string(), content: z.string().optional() })),
});

/**
 * A document that was asked for: a function that returns its beginning, of at most so many UTF-16 units, and the last line
 * wanted if that is not the end of the document; or why it has none.
 */
export type AskedDocument =
  | { readonly path: string; readonly part: (chars: number) => DocumentPart; readonly lastLine?: number }
  | { readonly path: string; readonly problem: string };

/** UTF-16 units of a part, at least and, before the limit is applied, at most. */
const LEAST = 200;
const MOST = 200_000;

const TRIES = 8;

/** The limit of an answer, and the name of the tool that reads on inside a line, if the client has it. */
interface DocumentsLimit extends AnswerLimit {
  readonly reader: string | undefined;
}

/** The answer with the beginnings of several documents, which share one limit: the longest are cut to the same length. */
export function documentsTextAnswer(
  asked: readonly AskedDocument[],
  language: Language,
  { shape, maxTokens, reader }: DocumentsLimit,
): TextAnswer<z.output<typeof DOCUMENTS_TEXT_DATA>> {
  for (let chars = MOST, i = 0;; i++) {
    const answer = answerWith(asked, chars, reader, language);
    const sent = sentTokens(answer, shape);
    if (sent <= maxTokens || chars <= LEAST || i === TRIES) return answer;
    const contents = answer.data.documents.map(({ content = "" }) => content);
    const longest = Math.max(1, ...contents.map(({ length }) => length));
    const texts = contents.reduce((sum, content) => sum + estimatedTokens(content), 1);
    const share = Math.max(0.05, 1 - (sent - maxTokens) / Math.max(texts, 1) / (shape === "both" ? 2 : 1));
    chars = Math.max(LEAST, Math.floor(Math.min(chars, longest) * Math.min(0.95, share)));
  }
}

function answerWith(
  asked: readonly AskedDocument[],
  chars: number,
  reader: string | undefined,
  language: Language,
): TextAnswer<z.output<typeof DOCUMENTS_TEXT_DATA>> {
  const parts = asked.map((one) => "part" in one ? { ...one, part: one.part(chars) } : one);
  const documents = parts.map((one) =>
    "problem" in one ? { file_path: one.path, problem: one.problem } : present({
      file_path: one.path,
      content: one.part.text,
      start_line: one.part.startLine,
      end_line: one.part.endLine,
      total_lines: one.part.totalLines,
      next_line: one.part.nextLine,
      next_column: one.part.nextColumn,
    })
  );
  return {
    code: 200,
    message: message(language, "read_ok"),
    data: untrusted({ documents }, language),
    text: quotedAnswer((quotes) =>
      [
        message(language, "quoted_content", { tag: quotes.tag }),
        ...parts.map((one) =>
          "problem" in one ? `${quotes.name(one.path)}: ${quotes.name(one.problem)}` : [
            quotes.name(`${one.path}:${one.part.startLine}-${one.part.endLine}`),
            quotes.text(one.part.text),
            ...continuation(one, reader, quotes, language),
          ].join("\n")
        ),
      ].join("\n\n")
    ),
  };
}

/** A line for reading on: a path for `read_documents`, or arguments of the tool that can start inside a line. */
function continuation(
  { path, part, lastLine }: {
    readonly path: string;
    readonly part: DocumentPart;
    readonly lastLine?: number;
  },
  reader: string | undefined,
  quotes: Quotes,
  language: Language,
): string[] {
  const { nextLine: line, nextColumn: column, totalLines } = part;
  const last = Math.min(lastLine ?? totalLines, totalLines);
  if (line === undefined) return [];
  return [
    column === undefined
      ? message(language, "documents_continue", { path: quotes.name(`${path}:${line}-${last}`) })
      : reader === undefined
      ? message(language, "document_continues_inside", { line, column })
      : message(language, "documents_continue_inside", { read: reader, line, column }),
  ];
}

/** Shape of `data` in the answer of `list_collections`. */
const COLLECTIONS_DATA = z.looseObject({
  collections: z.array(
    z.looseObject({ name: z.string(), path: z.string(), documents: z.int(), chunks: z.int() }),
  ),
});

/** The answer with the served folders, or a page of them. */
export function collectionsAnswer(
  collections: readonly CollectionInfo[],
  language: Language,
  page: Page,
): TextAnswer<z.output<typeof COLLECTIONS_DATA>> {
  return fittedPage(
    collections.slice(page.offset),
    collections.length,
    page,
    (shown, cursor) =>
      listedAnswer({
        data: present({ collections: shown.map(collectionData), next_cursor: cursor }),
        head: () => [message(language, "collections_summary", { count: collections.length })],
        text: shown.map((one) => collectionLine(one, language)).join("\n") || undefined,
        after: cursorLine(cursor, language),
      }, language),
  );
}

/** The fields about a served folder. */
function collectionData(info: CollectionInfo) {
  const { name, description, state, documents, chunks, languages, model } = info;
  return present({
    name,
    description,
    path: info.root,
    state,
    documents,
    chunks,
    not_indexed: info.notIndexed,
    languages,
    model,
    updated: info.indexedAt?.toISOString(),
    newer_files: info.newerFiles,
  });
}

/** One line about a served folder. */
function collectionLine(
  { name, description, root, state, documents, chunks, languages, indexedAt, newerFiles = 0 }: CollectionInfo,
  language: Language,
): string {
  return message(language, "collection_line", {
    name,
    path: root,
    documents,
    chunks,
    description: description === undefined ? "" : message(language, "collection_about", { description }),
    state: state === "ready" ? "" : ` (${message(language, `collection_${state}`)})`,
    languages: languages.join(", "),
    updated: indexedAt?.toISOString() ?? "-",
    newer: newerFiles === 0 ? "" : message(language, "collection_newer", { count: newerFiles }),
  });
}

/** Shape of `data` in the answer of `index_status`. */
export const STATUS_DATA = z.looseObject({
  collections: z.array(z.looseObject({ path: z.string(), state: z.string() })),
  failed: z.array(z.looseObject({ path: z.string() })),
  failed_count: z.int(),
});

/** The answer with the states of the indexes. `failed`: the first of the files that could not be read. */
export function statusAnswer(
  collections: readonly CollectionInfo[],
  failed: DocumentList,
  language: Language,
  page: Page,
): TextAnswer<z.output<typeof STATUS_DATA>> {
  const files = failed.documents.map(({ path, reason = "" }) => ({ path, reason }));
  return fittedPage(
    collections.slice(page.offset),
    collections.length,
    page,
    (shown, cursor) =>
      listedAnswer({
        data: present({
          collections: shown.map(collectionData),
          failed: files,
          failed_count: failed.total,
          next_cursor: cursor,
        }),
        head: () => [
          message(language, "collections_summary", { count: collections.length }),
          message(language, "failed_summary", { count: failed.total }),
        ],
        text: [
          ...shown.map((one) => collectionLine(one, language)),
          ...files.map(({ path, reason }) => `${path}: ${reason}`),
          ...(failed.total > files.length ? ["…"] : []),
        ].join("\n") || undefined,
        after: cursorLine(cursor, language),
      }, language),
  );
}
