import * as z from "zod";
import { DECLARED_PART_DATA, documentPartAnswer, fittedText } from "../../answer/mod.ts";
import { answerLimit, argument, defineTool, MAX_TOKENS, READ_COST, READ_TOKENS } from "../tool.ts";
import { withReadProgress } from "./_read_progress.ts";

/** The text of a document as it is indexed, whole or in part, up to `mcp.document_chars`. */
export const getDocumentContent = defineTool({
  name: "get_document_content",
  isDefault: true,
  cost: READ_COST,
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
    const request = {
      ...(!isRange && cited),
      ...(startLine !== undefined && { startLine }),
      ...(endLine !== undefined && { endLine }),
      ...(startColumn !== undefined && { startColumn }),
      ...(page !== undefined && { page }),
      ...(pages !== undefined && { pages }),
      ...(section !== undefined && { section }),
    };
    // The search modules are imported with the library, after the server has answered the client's first requests.
    const { documentPart } = await import("../../search/mod.ts");
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
