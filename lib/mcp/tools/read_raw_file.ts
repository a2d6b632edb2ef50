import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Language, message } from "../../messages.ts";
import type { RawFile } from "../../search/mod.ts";
import { quotedAnswer, type Quotes, UNTRUSTED, untrusted } from "../../answer/mod.ts";
import { addTool, type ToolAnswer, type ToolContext } from "./_tool.ts";

/** More of a file than this no model can read; the whole text is in the structured answer anyway, once. */
const MAX_TEXT_CHARS = 1_000_000;

const DATA = z.object({
  ...UNTRUSTED,
  raw_content: z.string(),
  file_info: z.object({ file_path: z.string(), file_size: z.int(), modify_time: z.string() }),
});

type Data = z.output<typeof DATA>;

/** Adds `read_raw_file` (DESIGN §7): the text of one file, whole or some lines. */
export function addReadRawFile(server: McpServer, context: ToolContext): void {
  const { language, library, log } = context;
  const line = (key: "arg_start_line" | "arg_end_line") =>
    z.int().min(1).optional().describe(message(language, key));
  addTool(server, context, {
    name: "read_raw_file",
    title: message(language, "read_raw_file_title"),
    description: message(language, "read_raw_file_description"),
    input: z.strictObject({
      file_path: z.string().min(1).describe(message(language, "arg_file_path")),
      start_line: line("arg_start_line"),
      end_line: line("arg_end_line"),
    }),
    output: DATA,
    async run(input) {
      const file = await library.readRawFile(input.file_path, {
        ...(input.start_line !== undefined && { startLine: input.start_line }),
        ...(input.end_line !== undefined && { endLine: input.end_line }),
      });
      log.info("read", { path: file.path, bytes: file.size, lines: [file.startLine, file.endLine] });
      return readAnswer(language, file);
    },
  });
}

async function readAnswer(language: Language, file: RawFile): Promise<ToolAnswer<Data>> {
  const { formatByName } = await import("../../document/mod.ts");
  const isConverted = formatByName(file.path) !== undefined;
  return {
    message: message(language, "read_ok"),
    data: untrusted(language, {
      raw_content: file.text,
      file_info: { file_path: file.path, file_size: file.size, modify_time: file.modified.toISOString() },
    }),
    text: quotedAnswer((quotes) => readText(language, file, isConverted, quotes)),
  };
}

/** The text for a model: where the text is from, and the text, quoted. `isConverted`: search results count other lines. */
function readText(language: Language, file: RawFile, isConverted: boolean, quotes: Quotes): string {
  const summary = message(language, "read_summary", {
    message: message(language, "read_ok"),
    path: quotes.name(file.path),
    start: file.startLine,
    end: file.endLine,
    total: file.totalLines,
    size: file.size,
    encoding: file.encoding,
  });
  const cut = file.text.length <= MAX_TEXT_CHARS ? [] : [message(language, "read_cut")];
  return [
    summary,
    ...(isConverted ? [message(language, "raw_lines_differ")] : []),
    message(language, "quoted_content", { tag: quotes.tag }),
    "",
    quotes.text(file.text.slice(0, MAX_TEXT_CHARS)),
    ...cut,
  ].join("\n");
}
