import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Language, message, pageList } from "../../messages.ts";
import type { DocumentPart, ServedDocument } from "../../search/mod.ts";
import {
  DOCUMENT_INFO,
  documentInfo,
  quotedAnswer,
  type Quotes,
  UNTRUSTED,
  untrusted,
} from "../../answer/mod.ts";
import { addTool, type ToolContext } from "./_tool.ts";

const DATA = z.object({
  ...UNTRUSTED,
  content: z.string(),
  start_line: z.int(),
  end_line: z.int(),
  total_lines: z.int(),
  first_page: z.int().optional(),
  last_page: z.int().optional(),
  truncated: z.boolean(),
  next_line: z.int().optional(),
  next_column: z.int().optional(),
  file_info: DOCUMENT_INFO,
});

/** Adds `get_document_content`: the text of a document as it is indexed, whole or in part, within a budget. */
export function addGetDocumentContent(server: McpServer, context: ToolContext): void {
  const { language, library, log, documentChars } = context;
  const number = (key: "arg_start_line" | "arg_end_line" | "arg_start_column" | "arg_page") =>
    z.int().min(1).optional().describe(message(language, key));
  addTool(server, context, {
    name: "get_document_content",
    title: message(language, "get_document_content_title"),
    description: message(language, "get_document_content_description"),
    input: z.strictObject({
      file_path: z.string().min(1).describe(message(language, "arg_file_path")),
      start_line: number("arg_start_line"),
      start_column: number("arg_start_column"),
      end_line: number("arg_end_line"),
      page: number("arg_page"),
      section: z.string().min(1).optional().describe(message(language, "arg_section")),
    }),
    output: DATA,
    async run({ file_path: path, page, section, ...range }, signal) {
      const { start_line: startLine, end_line: endLine, start_column: startColumn } = range;
      const served = await library.readDocument(path, signal);
      const request = {
        ...(startLine === undefined ? {} : { startLine }),
        ...(endLine === undefined ? {} : { endLine }),
        ...(startColumn === undefined ? {} : { startColumn }),
        ...(page === undefined ? {} : { page }),
        ...(section === undefined ? {} : { section }),
      };
      // what searches is loaded with the library, after a client has been told what it asks first
      const { documentPart } = await import("../../search/mod.ts");
      const part = documentPart(served.document, request, documentChars, path);
      log.info("read_document", {
        path: served.path,
        format: served.format,
        lines: [part.startLine, part.endLine],
      });
      return {
        message: message(language, "read_ok"),
        data: untrusted(language, {
          content: part.text,
          start_line: part.startLine,
          end_line: part.endLine,
          total_lines: part.totalLines,
          ...(part.pages === undefined ? {} : { first_page: part.pages[0], last_page: part.pages[1] }),
          truncated: part.nextLine !== undefined,
          ...(part.nextLine === undefined ? {} : { next_line: part.nextLine }),
          ...(part.nextColumn === undefined ? {} : { next_column: part.nextColumn }),
          file_info: documentInfo(served),
        }),
        text: quotedAnswer((quotes) => partText(language, served, part, quotes)),
      };
    },
  });
}

/** The text for a model: where the text is from, the text, quoted, and where it goes on. */
function partText(
  language: Language,
  { document: { pages, emptyPages }, format, path }: ServedDocument,
  part: DocumentPart,
  quotes: Quotes,
): string {
  const place = part.pages === undefined || pages === undefined
    ? ""
    : message(language, "document_pages", { first: part.pages[0], last: part.pages[1], count: pages.length });
  const summary = message(language, "document_summary", {
    message: message(language, "read_ok"),
    path: quotes.name(path),
    format,
    start: part.startLine,
    end: part.endLine,
    total: part.totalLines,
    place,
  });
  return [
    summary,
    ...(emptyPages === undefined
      ? []
      : [message(language, "document_empty_pages", { pages: pageList(emptyPages) })]),
    message(language, "quoted_content", { tag: quotes.tag }),
    "",
    quotes.text(part.text),
    ...(part.nextLine === undefined ? [] : [continuation(language, part.nextLine, part.nextColumn)]),
  ].join("\n");
}

function continuation(language: Language, line: number, column: number | undefined): string {
  return column === undefined
    ? message(language, "document_continues", { line })
    : message(language, "document_continues_inside", { line, column });
}
