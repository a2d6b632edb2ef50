import { COLLECTIONS_DATA, collectionsAnswer } from "../../answer/mod.ts";
import { defineTool } from "../tool.ts";

/** The served folders with the size, languages and age of their indexes. */
export const listCollections = defineTool({
  name: "list_collections",
  isDefault: true,
  input: {},
  output: COLLECTIONS_DATA,
  async run(_input, { library, language }) {
    return collectionsAnswer(await (await library.catalog()).collections(), language);
  },
});
