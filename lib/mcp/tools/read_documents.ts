import * as z from "zod";
import { DOCUMENTS_TEXT_DATA, documentsTextAnswer, errorLine, shortened } from "../../answer/mod.ts";
import { UserError } from "../../errors.ts";
import { message } from "../../messages.ts";
import { answerLimit, argument, defineTool, MAX_TOKENS, READ_COST, READ_TOKENS } from "../tool.ts";
import { withReadProgress } from "./_read_progress.ts";

/** Documents in one call. */
const MOST = 20;

/** UTF-16 units of the documents that are kept until the answer is made. Above it, no other document is read. */
const MOST_KEPT = 20_000_000;

/** The texts of several documents or of ranges of their lines, within one limit. */
export const readDocuments = defineTool({
  name: "read_documents",
  cost: READ_COST,
  input: {
    paths: argument(z.array(z.string().min(1)).min(1).max(MOST), "arg_paths"),
    ...MAX_TOKENS,
  },
  output: DOCUMENTS_TEXT_DATA,
  async run({ paths, max_tokens: asked }, call, signal) {
    const { library, language, config } = call;
    // The search modules are imported with the library, after the server has answered the client's first requests.
    const { documentPart } = await import("../../search/mod.ts");
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
        read.push({ path: real, part, ...(lastLine !== undefined && { lastLine }) });
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
