import * as z from "zod";
import { CITATIONS_DATA, citationsAnswer } from "../../answer/mod.ts";
import { TOP_K } from "../../config/mod.ts";
import { argument, defineTool, MAX_TOKENS, READ_COST } from "../tool.ts";
import { withReadProgress } from "./_read_progress.ts";
import { collectionArgument } from "./_collection.ts";
import { answerSearch } from "./_search_answer.ts";

/** Documents in one answer, unless the call says otherwise. */
const LIMIT = 5;

/** Passages of the other documents that are about the same as a document. */
export const findRelated = defineTool({
  name: "find_related",
  cost: READ_COST,
  input: {
    "doc_id": argument(z.string().min(1), "arg_file_path"),
    "top_k": argument(z.int().min(TOP_K.min).max(TOP_K.max - 1).optional(), "arg_top_k"),
    collection: argument(collectionArgument().optional(), "arg_collections"),
    ...MAX_TOKENS,
    cursor: argument(z.string().optional(), "arg_cursor"),
  },
  output: CITATIONS_DATA,
  async run(input, call, signal) {
    const { doc_id: id, top_k: limit = LIMIT, collection } = input;
    const { library } = call;
    const { document, path } = await withReadProgress(library.readDocument(id, signal), id, call);
    // The search modules are imported with the library, after the server has answered the client's first requests.
    const { summaryOf, wordsOf } = await import("../../search/mod.ts");
    const words = wordsOf(document);
    const { tags } = summaryOf(words, await (await library.catalog()).weights([...words.counts.keys()]));
    const request = {
      query: [document.title ?? "", ...tags].join(" ").trim() ||
        document.text.slice(document.bodyStart).trim().slice(0, 200),
      // One more, because the document itself is the best of all.
      topK: limit + 1,
      ranking: { "per_doc_limit": 1 },
      ...(collection !== undefined && { collections: collection }),
    };
    return await answerSearch(
      request,
      input,
      call,
      signal,
      ({ found: { leftOut: _, ...found }, cursor }, language) =>
        citationsAnswer({ found, ...(cursor !== undefined && { cursor }) }, language),
      { accepts: ({ filePath }) => filePath !== path, most: limit },
    );
  },
});
