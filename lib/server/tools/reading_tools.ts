/**
 * The tools that read documents.
 */
import * as z from "zod";
import { pathToFileURL } from "node:url";
import { basename } from "node:path";
import {
  type AnswerShape,
  chunkContextAnswer,
  DECLARED_PART_DATA,
  DECLARED_RAW_DATA,
  DECLARED_SECTIONS_DATA,
  DECLARED_SUMMARY_DATA,
  DECLARED_TABLE_DATA,
  documentPartAnswer,
  DOCUMENTS_TEXT_DATA,
  documentSectionsAnswer,
  documentsTextAnswer,
  errorLine,
  fittedText,
  quotedAnswer,
  rawFileAnswer,
  shortened,
  summaryAnswer,
  tableAnswer,
} from "#library/answer/mod.ts";
import {
  answerLimit,
  argument,
  cursorAfter,
  defineTool,
  entriesBefore,
  MAX_TOKENS,
  MAX_TOKENS_OR_ALL,
  READ_TOKENS,
  searchModules,
  type ToolCall,
  UNLISTED_MAX_TOKENS,
  UNLISTED_PAGE,
} from "../tool.ts";
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import { message } from "#foundation/messages/mod.ts";
import { mediaTypeOf } from "../resources.ts";

/**
 * Most bytes of an answer, both forms together. Official clients close the connection to a server at 10 MiB; the rest is for what is
 * around the text.
 */
const MAX_BYTES = 9.5 * 1024 * 1024;

/** The text of one file: whole, some of its lines, or as much as fits an answer of up to `mcp.max_read_chars`. */
export const readRawFile = defineTool({
  input: {
    file_path: argument(z.string().min(1), "arg_file_path"),
    start_line: argument(z.int().min(1).optional(), "arg_start_line"),
    // An answer that needs it names it.
    start_column: z.int().min(1).optional(),
    end_line: argument(z.int().min(1).optional(), "arg_end_line"),
    ...MAX_TOKENS_OR_ALL,
  },
  output: DECLARED_RAW_DATA,
  async run(input, call, signal) {
    const { library, language, log, config } = call;
    const { file_path: path, start_line: startLine, end_line: endLine, start_column: startColumn } = input;
    const range = present({ startLine, endLine });
    const file = await withReadProgress(library.readRawFile(path, range, signal), path, call);
    const { rawPart } = await searchModules();
    const { formatByName } = await import("#documents/mod.ts");
    const limit = answerLimit(call, input.max_tokens, READ_TOKENS);
    const isWhole = input.max_tokens === 0;
    const isConverted = !file.isStored && formatByName(file.path) !== undefined;
    const kind = { isConverted, read: call.extractedReader, isWhole };
    const make = (chars: number) => rawFileAnswer(rawPart(file, chars, startColumn), kind, language);
    const answer = isWhole && limit.maxTokens === Infinity
      ? withinBytes(make, file.text.length, call.shape)
      : fittedText(make, ({ data }) => data.raw_content, config.max_read_chars, limit);
    const { start_line: first, end_line: last } = answer.data;
    log.info("read", { path: file.path, bytes: file.size, lines: [first, last] });
    return answer;
  },
});

/** The answer with as much of a text as a client can take in one message. */
function withinBytes<Answer extends { readonly text: string }>(
  make: (chars: number) => Answer,
  length: number,
  shape: AnswerShape,
): Answer {
  for (let chars = length;;) {
    const answer = make(chars);
    const { text, ...structured } = answer;
    const sent = JSON.stringify(structured) + (shape === "structured" ? "" : JSON.stringify(text));
    // A UTF-16 unit has at most three bytes.
    const bytes = sent.length * 3 <= MAX_BYTES ? 0 : new TextEncoder().encode(sent).length;
    if (bytes <= MAX_BYTES) return answer;
    chars = Math.floor(chars * 0.98 * MAX_BYTES / bytes);
  }
}

const MOST = 20;

/** UTF-16 units of the documents that are kept until the answer is made. Above it, no other document is read. */
const MOST_KEPT = 20_000_000;

/** The texts of several documents or of ranges of their lines, within one limit. */
export const readDocuments = defineTool({
  input: {
    paths: argument(z.array(z.string().min(1)).min(1).max(MOST), "arg_paths"),
    ...MAX_TOKENS,
  },
  output: DOCUMENTS_TEXT_DATA,
  async run({ paths, max_tokens: asked }, call, signal) {
    const { library, language, config } = call;
    const { documentPart } = await searchModules();
    const read = [];
    const total = paths.length;
    let kept = 0;
    for (const [done, path] of paths.entries()) {
      if (kept > MOST_KEPT) {
        read.push({ path: shortened(path), problem: message(language, "documents_too_long_together") });
        continue;
      }
      const reading = () => withReadProgress(library.readDocument(path, signal), path, call, { done, total });
      try {
        const served = await reading();
        const { document, cited, path: real } = served;
        kept += document.text.length;
        const { path: _, ...range } = cited ?? {};
        const part = (chars: number) =>
          documentPart(document, range, Math.min(chars, config.document_chars), path);
        const lastLine = cited?.pages === undefined
          ? cited?.endLine
          : documentPart(document, range, Infinity, path).endLine;
        read.push(present({ path: real, part, lastLine }));
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        read.push({ path: shortened(path), problem: await errorLine(error, language, call.extractedReader) });
      }
    }
    return documentsTextAnswer(read, language, {
      ...answerLimit(call, asked, READ_TOKENS),
      // The other tools for documents cannot start inside a line.
      reader: call.extractedReader === "get_document_content" ? call.extractedReader : undefined,
    });
  },
});

/** The text of a document as it is indexed, whole or in part, up to `mcp.document_chars`. */
export const getDocumentContent = defineTool({
  input: {
    file_path: argument(z.string().min(1), "arg_file_path"),
    start_line: argument(z.int().min(1).optional(), "arg_start_line"),
    // An answer that needs it names it.
    start_column: z.int().min(1).optional(),
    end_line: argument(z.int().min(1).optional(), "arg_end_line"),
    // One page of `pages`, as earlier versions had it.
    page: z.int().min(1).optional(),
    pages: argument(z.string().min(1).optional(), "arg_pages"),
    section: argument(z.string().min(1).optional(), "arg_section"),
    ...MAX_TOKENS,
  },
  output: DECLARED_PART_DATA,
  async run({ file_path: path, page, pages, section, ...range }, call, signal) {
    const { library, language, log, config } = call;
    const { start_line: startLine, end_line: endLine, start_column: startColumn } = range;
    const served = await withReadProgress(library.readDocument(path, signal), path, call);
    const { path: _, ...cited } = served.cited ?? { path };
    const isRange = [startLine, endLine, page, pages, section].some((value) => value !== undefined);
    const asked = present({ startLine, endLine, startColumn, page, pages, section });
    const request = isRange ? asked : { ...cited, ...asked };
    const { documentPart } = await searchModules();
    const answer = fittedText(
      (chars) => documentPartAnswer(served, documentPart(served.document, request, chars, path), language),
      ({ data }) => data.content,
      config.document_chars,
      answerLimit(call, range.max_tokens, READ_TOKENS),
    );
    const { start_line: first, end_line: last } = answer.data;
    log.info("read_document", { path: served.path, format: served.format, lines: [first, last] });
    return answer;
  },
});

/** The bytes of a file as an embedded resource, up to `mcp.original_mb`. */
export const getDocumentOriginal = defineTool({
  input: { file_path: argument(z.string().min(1), "arg_file_path") },
  output: z.object({
    file_info: z.looseObject({ file_path: z.string(), media_type: z.string() }),
  }),
  async run({ file_path: asked }, { library, language, log, config }, signal) {
    const maxBytes = config.original_mb * 1_000_000;
    const original = await library.readOriginal(asked, maxBytes, signal).catch(ofThisTool);
    const { bytes, path, name, size, modified } = original;
    const type = mediaTypeOf(name);
    log.info("read_original", { path, bytes: size });
    const ok = message(language, "read_ok");
    return {
      code: 200,
      message: ok,
      data: {
        file_info: {
          file_path: path,
          file_name: name,
          file_size: size,
          modify_time: modified.toISOString(),
          media_type: type,
        },
      },
      text: quotedAnswer((quotes) =>
        message(language, "original_given", { message: ok, path: quotes.name(path), type, size })
      ),
      more: [{
        type: "resource",
        resource: { uri: pathToFileURL(path).href, mimeType: type, blob: bytes.toBase64() },
      }],
    };
  },
});

/** Rethrows the error for a large file with the setting that limits this tool. */
function ofThisTool(error: unknown): never {
  const isTooLarge = error instanceof UserError && error.key === "file_too_large";
  throw isTooLarge ? new UserError("original_too_large", error.params, { cause: error }) : error;
}

/** Title, central sentences, salient terms and sections of a document. */
export const getDocumentSummary = defineTool({
  input: { "doc_id": argument(z.string().min(1), "arg_file_path"), ...UNLISTED_MAX_TOKENS },
  output: DECLARED_SUMMARY_DATA,
  async run({ doc_id: path, max_tokens: asked }, call, signal) {
    const { library, language } = call;
    const served = await withReadProgress(library.readDocument(path, signal), path, call);
    const { summaryOf, wordsOf } = await searchModules();
    const words = wordsOf(served.document);
    const catalog = await library.catalog();
    const weights = await catalog.weights([...words.counts.keys()]);
    const relations = await catalog.relations(served.path);
    const limit = answerLimit(call, asked, READ_TOKENS);
    return summaryAnswer(served, summaryOf(words, weights), { language, limit, relations });
  },
});

/** Neighbours on each side, unless the call says otherwise, and at most. */
const NEIGHBOURS = 1;
const MOST_NEIGHBOURS = 50;

/** A chunk of a search's answer with the chunks before and after it. */
export const getChunkContext = defineTool({
  input: {
    "chunk_id": argument(z.string().min(1), "arg_chunk_id"),
    before: argument(z.int().min(0).max(MOST_NEIGHBOURS).optional(), "arg_chunks_before"),
    after: argument(z.int().min(0).max(MOST_NEIGHBOURS).optional(), "arg_chunks_after"),
    ...MAX_TOKENS,
  },
  output: z.looseObject({ content: z.string() }),
  async run({ chunk_id: id, before = NEIGHBOURS, after = NEIGHBOURS, max_tokens: asked }, call, signal) {
    const { library, language } = call;
    const context = await (await library.catalog()).chunkContext(id.trim(), before, after, signal);
    return chunkContextAnswer(context, language, answerLimit(call, asked, READ_TOKENS));
  },
});

/** The headings of a document with their pages and lines. */
export const listDocumentSections = defineTool({
  input: {
    file_path: argument(z.string().min(1), "arg_file_path"),
    // Few documents need these; an answer that is cut names the cursor.
    ...UNLISTED_MAX_TOKENS,
    pages: z.string().min(1).optional(),
    cursor: z.string().optional(),
  },
  output: DECLARED_SECTIONS_DATA,
  async run(input, call, signal) {
    const { file_path: path, cursor, max_tokens: asked, pages: asArgument } = input;
    const offset = entriesBefore(cursor, input);
    const { library, language, log } = call;
    const served = await withReadProgress(library.readDocument(path, signal), path, call);
    const { Lines, spanOfPages } = await searchModules();
    const pages = asArgument ?? served.cited?.pages;
    const answer = documentSectionsAnswer(served, new Lines(served.document.text), {
      language,
      offset,
      ...(pages !== undefined && { within: spanOfPages(served.document, pages, path) }),
      limit: answerLimit(call, asked, READ_TOKENS),
      cursorAfter: (shown) => cursorAfter(offset + shown, input),
    });
    const { path: real, format } = served;
    log.info("list_sections", { path: real, format, sections: answer.data.section_count });
    return answer;
  },
});

/** Rows of a table in an answer, unless the call says otherwise, and at most. */
const ROWS = 20;
const MOST_ROWS = 1000;

/** The rows of a table for which some conditions hold. */
export const queryTable = defineTool({
  input: {
    path: argument(z.string().min(1), "arg_file_path"),
    table: argument(z.union([z.string(), z.int().min(1)]).optional(), "arg_table"),
    where: argument(z.record(z.string(), z.unknown()).optional(), "arg_where"),
    columns: argument(z.array(z.string()).optional(), "arg_columns"),
    order_by: argument(z.string().min(1).optional(), "arg_order_by"),
    limit: argument(z.int().min(1).max(MOST_ROWS).optional(), "arg_row_limit"),
    ...UNLISTED_PAGE,
  },
  output: DECLARED_TABLE_DATA,
  async run(input, call, signal) {
    const { path, table, where, columns, order_by: orderBy, limit: most = ROWS } = input;
    const offset = entriesBefore(input.cursor, input);
    const { library, language, log } = call;
    const served = await withReadProgress(library.readDocument(path, signal), path, call);
    const { queryTable } = await searchModules();
    const queried = queryTable(served, { table, where, columns, orderBy });
    log.info("query_table", { path: served.path, format: served.format, rows: queried.rows.length });
    return tableAnswer(served, queried, {
      language,
      offset,
      most,
      limit: answerLimit(call, input.max_tokens, READ_TOKENS),
      cursorAfter: (shown) => cursorAfter(offset + shown, input),
    });
  },
});

/** Time between two reports of a read that takes long, in milliseconds. */
const PERIOD_MS = 1000;

/**
 * Waits for a read, and reports every second for how many seconds it has lasted: how much of a document is left is not known
 * before it is read. `done` and `total` count documents where a call reads several.
 */
export async function withReadProgress<T>(
  work: Promise<T>,
  path: string,
  { progress, language }: Pick<ToolCall, "progress" | "language">,
  { done, total }: { readonly done?: number; readonly total?: number } = {},
): Promise<T> {
  const began = performance.now();
  const file = basename(path);
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1000);
    const said = message(language, "read_progress", { file, seconds });
    progress(present({ done: done ?? seconds, total, message: said }));
  }, PERIOD_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
