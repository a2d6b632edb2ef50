import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Language, message, pageList } from "../../messages.ts";
import type { Lines, ServedDocument } from "../../search/mod.ts";
import {
  DOCUMENT_INFO,
  documentInfo,
  quotedAnswer,
  type Quotes,
  UNTRUSTED,
  untrusted,
} from "../../answer/mod.ts";
import { addTool, type ToolContext } from "./_tool.ts";

/** Sections that are listed; more would fill a model's context. */
const MAX_LISTED = 300;

const SECTION = z.object({
  level: z.int(),
  title: z.string(),
  page: z.int().optional(),
  start_line: z.int(),
  end_line: z.int(),
});

const DATA = z.object({
  ...UNTRUSTED,
  sections: z.array(SECTION),
  section_count: z.int(),
  truncated: z.boolean(),
  total_lines: z.int(),
  file_info: DOCUMENT_INFO,
});

/** Adds `list_document_sections`: the headings of a document with pages and lines. */
export function addListDocumentSections(server: McpServer, context: ToolContext): void {
  const { language, library, log } = context;
  addTool(server, context, {
    name: "list_document_sections",
    title: message(language, "list_document_sections_title"),
    description: message(language, "list_document_sections_description"),
    input: z.strictObject({ file_path: z.string().min(1).describe(message(language, "arg_file_path")) }),
    output: DATA,
    async run({ file_path: path }, signal) {
      const served = await library.readDocument(path, signal);
      // what searches is loaded with the library, after a client has been told what it asks first
      const { Lines } = await import("../../search/mod.ts");
      const { sections, lines } = listed(served, new Lines(served.document.text));
      log.info("list_sections", { path: served.path, format: served.format, sections: sections.length });
      const shown = sections.slice(0, MAX_LISTED);
      return {
        message: message(language, "read_ok"),
        data: untrusted(language, {
          sections: shown,
          section_count: sections.length,
          truncated: shown.length < sections.length,
          total_lines: lines,
          file_info: documentInfo(served),
        }),
        text: quotedAnswer((quotes) => outlineText(language, served, shown, sections.length, lines, quotes)),
      };
    },
  });
}

type Listed = z.output<typeof SECTION>;

function listed(
  { document: { sections, pages = [] } }: ServedDocument,
  lines: Lines,
): { sections: Listed[]; lines: number } {
  const list = sections.filter(({ title }) => title !== "").map(({ level, title, start, end }): Listed => {
    const page = pages.findLast((page) => page.start <= start)?.number;
    return {
      level,
      title,
      ...(page === undefined ? {} : { page }),
      start_line: lines.at(start),
      end_line: lines.at(Math.max(start, end - 1)),
    };
  });
  return { sections: list, lines: lines.count };
}

function outlineText(
  language: Language,
  { document: { pages, emptyPages }, format, path }: ServedDocument,
  shown: readonly Listed[],
  count: number,
  total: number,
  quotes: Quotes,
): string {
  const line = ({ level, title, page, start_line: start, end_line: end }: Listed) =>
    `${"  ".repeat(level - 1)}${title}  ${start}-${end}${
      page === undefined ? "" : `  ${message(language, "page_number", { page })}`
    }`;
  return [
    message(language, "document_outline", {
      message: message(language, "read_ok"),
      path: quotes.name(path),
      format,
      total,
      pages: pages === undefined ? "" : message(language, "document_page_count", { count: pages.length }),
      count,
    }),
    ...(emptyPages === undefined
      ? []
      : [message(language, "document_empty_pages", { pages: pageList(emptyPages) })]),
    message(language, "quoted_content", { tag: quotes.tag }),
    "",
    quotes.text(shown.map(line).join("\n")),
    ...(shown.length < count ? [message(language, "document_outline_cut", { shown: shown.length })] : []),
  ].join("\n");
}
