import * as z from "zod";
import { documentsAnswer } from "../../answer/mod.ts";
import { DOCUMENT_STATES, type DocumentFilter, QUERY_LANGUAGES } from "../../search/types.ts";
import { answerLimit, argument, defineTool, SEARCH_TOKENS } from "../tool.ts";
import { collectionArgument } from "./_collection.ts";
import { cursorAfter, entriesBefore } from "./_cursor.ts";

/** Documents in one answer, unless the call says otherwise. */
const LIMIT = 50;

/** The documents of the served folders, page by page. */
export const listDocuments = defineTool({
  name: "list_documents",
  isDefault: true,
  input: {
    collection: argument(collectionArgument().optional(), "arg_collection"),
    path: argument(z.string().optional(), "arg_path"),
    type: argument(z.string().optional(), "arg_type"),
    // As in a search, and not listed again.
    lang: z.enum(QUERY_LANGUAGES).optional(),
    after: z.string().optional(),
    before: z.string().optional(),
    state: argument(z.enum(DOCUMENT_STATES).optional(), "arg_state"),
    limit: argument(z.int().min(1).max(1000).optional(), "arg_limit"),
    cursor: argument(z.string().optional(), "arg_cursor"),
  },
  output: z.looseObject({ documents: z.array(z.looseObject({ path: z.string() })) }),
  async run(input, call) {
    const { collection, limit = LIMIT, cursor, ...filter } = input;
    const { library, language } = call;
    const offset = entriesBefore(cursor, input);
    const given = Object.entries({ ...filter, collections: collection }).filter(([, value]) =>
      value !== undefined
    );
    const catalog = await library.catalog();
    const list = await catalog.documents(Object.fromEntries(given) as DocumentFilter, offset, limit);
    return documentsAnswer(list, {
      language,
      offset,
      limit: answerLimit(call, undefined, SEARCH_TOKENS),
      cursorAfter: (shown) => cursorAfter(offset + shown, input),
    });
  },
});
