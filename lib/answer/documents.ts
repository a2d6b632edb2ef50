import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { DocumentList, ListedDocument } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { listedAnswer } from "./listed_answer.ts";
import { type AnswerLimit, sentTokens } from "./shape.ts";

const DOCUMENT = z.looseObject({ path: z.string(), state: z.string(), size: z.int(), modified: z.string() });

/** Shape of `data` in the answer of `list_documents`. */
export const DOCUMENTS_DATA = z.looseObject({
  documents: z.array(DOCUMENT),
  total: z.int(),
  next_cursor: z.string().optional(),
});

/** Options of {@linkcode documentsAnswer}. */
export interface DocumentsOptions {
  readonly language: Language;
  readonly limit: AnswerLimit;
  /** Number of documents on the pages before. */
  readonly offset: number;
  /** Makes the argument `cursor` for the documents after the first `shown` of this page. */
  readonly cursorAfter: (shown: number) => string;
}

/** The answer with a page of documents: as many as fit its limit, at least one. */
export function documentsAnswer(
  { documents, total }: DocumentList,
  { language, limit, offset, cursorAfter }: DocumentsOptions,
): TextAnswer<z.output<typeof DOCUMENTS_DATA>> {
  for (let count = documents.length;; count = Math.max(1, Math.floor(count * 0.8))) {
    const shown = documents.slice(0, count);
    const cursor = offset + count < total ? cursorAfter(count) : undefined;
    const answer = listedAnswer({
      data: { documents: shown.map(listed), total, ...(cursor !== undefined && { next_cursor: cursor }) },
      head: () => [
        message(language, total === 0 ? "documents_none" : "documents_summary", {
          from: Math.min(offset + 1, total),
          to: offset + count,
          total,
        }),
      ],
      text: shown.map((document) => line(document, language)).join("\n"),
      after: cursor === undefined ? [] : [message(language, "more_with_cursor", { cursor })],
    }, language);
    if (count <= 1 || sentTokens(answer, limit.shape) <= limit.maxTokens) return answer;
  }
}

function listed(document: ListedDocument): z.output<typeof DOCUMENT> {
  const { path, state, reason, title, format, language, size, modified, pages, chunks } = document;
  return {
    path,
    state,
    ...(reason !== undefined && { reason }),
    ...(title !== undefined && { title }),
    ...(format !== undefined && { format }),
    ...(language !== undefined && { language }),
    size,
    modified: modified.toISOString(),
    ...(pages !== undefined && { pages }),
    chunks,
  };
}

function line(document: ListedDocument, language: Language): string {
  const { path, state, reason, title, format, language: written, size, modified, pages, chunks } = document;
  const facts = [
    ...[title, format, written].filter((fact) => fact !== undefined),
    ...(pages === undefined ? [] : [message(language, "document_page_total", { count: pages })]),
    message(language, "document_bytes", { size }),
    modified.toISOString().slice(0, 10),
    state === "indexed"
      ? message(language, "document_chunks", { count: chunks })
      : message(language, `document_${state}`),
    ...(reason === undefined ? [] : [reason]),
  ];
  return `${path} (${facts.join(message(language, "list_comma"))})`;
}
