import { resolve } from "node:path";
import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";
import { configurationFilesIn } from "./compared.ts";

/** `eval DATA...`: measures the search with judged queries. */
export const command: FolderCommand = {
  name: "eval",
  help: "cli_help_cmd_eval",
  argument: { name: "<data...>", help: "cli_help_arg_data", missing: "cli_eval_no_data" },
  flags: ["dir", "compare", "topK", "min", "worst", "json", "indexDir", "allowSensitive", ...COMMON_FLAGS],
  folders: "one or none",
  worker: {
    index: true,
    registry: true,
    logs: true,
    net: true,
    rerank: true,
    named: "read",
    temporary: true,
    documents: true,
    indexKey: "make",
  },
  comparedFiles: ({ compare }) => compare === undefined ? [] : configurationFilesIn(compare),
  namedPaths: ({ operands, cwd }) => Promise.resolve(operands.map((path) => resolve(cwd, path))),
  load: async () => (await import("./eval.ts")).evaluation,
};
