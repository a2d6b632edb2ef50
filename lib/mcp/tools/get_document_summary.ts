import * as z from "zod";
import { DECLARED_SUMMARY_DATA, summaryAnswer } from "../../answer/mod.ts";
import { answerLimit, argument, defineTool, READ_COST, READ_TOKENS, UNLISTED_MAX_TOKENS } from "../tool.ts";
import { withReadProgress } from "./_read_progress.ts";

/** Title, central sentences, salient terms and sections of a document. */
export const getDocumentSummary = defineTool({
  name: "get_document_summary",
  isDefault: true,
  cost: READ_COST,
  input: { "doc_id": argument(z.string().min(1), "arg_file_path"), ...UNLISTED_MAX_TOKENS },
  output: DECLARED_SUMMARY_DATA,
  async run({ doc_id: path, max_tokens: asked }, call, signal) {
    const { library, language } = call;
    const served = await withReadProgress(library.readDocument(path, signal), path, call);
    // The search modules are imported with the library, after the server has answered the client's first requests.
    const { summaryOf, wordsOf } = await import("../../search/mod.ts");
    const words = wordsOf(served.document);
    const weights = await (await library.catalog()).weights([...words.counts.keys()]);
    const limit = answerLimit(call, asked, READ_TOKENS);
    return summaryAnswer(served, summaryOf(words, weights), { language, limit });
  },
});
