import * as z from "zod";
import { DECLARED_SECTIONS_DATA, documentSectionsAnswer } from "../../answer/mod.ts";
import { argument, defineTool, READ_COST } from "../tool.ts";
import { withReadProgress } from "./_read_progress.ts";

/** The headings of a document with their pages and lines. */
export const listDocumentSections = defineTool({
  name: "list_document_sections",
  isDefault: true,
  cost: READ_COST,
  input: { file_path: argument(z.string().min(1), "arg_file_path") },
  output: DECLARED_SECTIONS_DATA,
  async run({ file_path: path }, call, signal) {
    const { library, language, log } = call;
    const served = await withReadProgress(library.readDocument(path, signal), path, call);
    // The search modules are imported with the library, after the server has answered the client's first requests.
    const { Lines } = await import("../../search/mod.ts");
    const answer = documentSectionsAnswer(served, new Lines(served.document.text), language);
    log.info("list_sections", {
      path: served.path,
      format: served.format,
      sections: answer.data.section_count,
    });
    return answer;
  },
});
