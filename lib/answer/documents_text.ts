import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { DocumentPart } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { estimatedTokens } from "./estimated_tokens.ts";
import { quotedAnswer, type Quotes } from "./quoted.ts";
import { type AnswerLimit, sentTokens } from "./shape.ts";
import { untrusted } from "./untrusted.ts";

const DOCUMENT = z.looseObject({ file_path: z.string(), content: z.string().optional() });

/** Shape of `data` in the answer of `read_documents`. */
export const DOCUMENTS_TEXT_DATA = z.looseObject({ documents: z.array(DOCUMENT) });

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
export interface DocumentsLimit extends AnswerLimit {
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
    const longest = Math.max(1, ...answer.data.documents.map(({ content = "" }) => content.length));
    const texts = answer.data.documents.reduce((sum, { content = "" }) => sum + estimatedTokens(content), 1);
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
  const parts = asked.map((one) =>
    "part" in one ? { path: one.path, part: one.part(chars), lastLine: one.lastLine } : one
  );
  const documents = parts.map((one) =>
    "problem" in one ? { file_path: one.path, problem: one.problem } : {
      file_path: one.path,
      content: one.part.text,
      start_line: one.part.startLine,
      end_line: one.part.endLine,
      total_lines: one.part.totalLines,
      ...(one.part.nextLine !== undefined && { next_line: one.part.nextLine }),
      ...(one.part.nextColumn !== undefined && { next_column: one.part.nextColumn }),
    }
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
    readonly lastLine: number | undefined;
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
