import { STATUS_DATA, statusAnswer } from "../../answer/mod.ts";
import { defineTool } from "../tool.ts";
import { pageOf, UNLISTED_PAGE } from "./_page.ts";

/** The states of the indexes, and the files that they lack. */
export const indexStatus = defineTool({
  name: "index_status",
  input: UNLISTED_PAGE,
  output: STATUS_DATA,
  async run(input, call) {
    const { library, language } = call;
    const page = pageOf(input, call);
    const catalog = await library.catalog();
    const failed = await catalog.documents({ state: "failed" }, 0, 20);
    return statusAnswer(await catalog.collections(), failed, language, page);
  },
});
