import { STATUS_DATA, statusAnswer } from "../../answer/mod.ts";
import { defineTool } from "../tool.ts";

/** The states of the indexes, and the files that they lack. */
export const indexStatus = defineTool({
  name: "index_status",
  input: {},
  output: STATUS_DATA,
  async run(_input, { library, language }) {
    const catalog = await library.catalog();
    const failed = await catalog.documents({ state: "failed" }, 0, 20);
    return statusAnswer(await catalog.collections(), failed, language);
  },
});
