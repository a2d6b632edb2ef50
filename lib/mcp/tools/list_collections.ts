import * as z from "zod";
import { collectionsAnswer } from "../../answer/mod.ts";
import { defineTool } from "../tool.ts";
import { pageOf, UNLISTED_PAGE } from "./_page.ts";

/** The served folders with the size, languages and age of their indexes. */
export const listCollections = defineTool({
  name: "list_collections",
  isDefault: true,
  input: UNLISTED_PAGE,
  output: z.looseObject({ collections: z.array(z.looseObject({ name: z.string() })) }),
  async run(input, call) {
    const page = pageOf(input, call);
    return collectionsAnswer(await (await call.library.catalog()).collections(), call.language, page);
  },
});
