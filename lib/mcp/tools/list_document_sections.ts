import * as z from "zod";
import { DECLARED_SECTIONS_DATA, documentSectionsAnswer } from "../../answer/mod.ts";
import { answerLimit, argument, defineTool, READ_COST, READ_TOKENS, UNLISTED_MAX_TOKENS } from "../tool.ts";
import { cursorAfter, entriesBefore } from "./_cursor.ts";
import { withReadProgress } from "./_read_progress.ts";

/** The headings of a document with their pages and lines. */
export const listDocumentSections = defineTool({
  name: "list_document_sections",
  isDefault: true,
  cost: READ_COST,
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
    // The search modules are imported with the library, after the server has answered the client's first requests.
    const { Lines, spanOfPages } = await import("../../search/mod.ts");
    const pages = asArgument ?? served.cited?.pages;
    const answer = documentSectionsAnswer(served, new Lines(served.document.text), {
      language,
      offset,
      ...(pages !== undefined && { within: spanOfPages(served.document, pages, path) }),
      limit: answerLimit(call, asked, READ_TOKENS),
      cursorAfter: (shown) => cursorAfter(offset + shown, input),
    });
    log.info("list_sections", {
      path: served.path,
      format: served.format,
      sections: answer.data.section_count,
    });
    return answer;
  },
});
