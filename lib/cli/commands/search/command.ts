import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `search QUERY`: updates the indexes, then searches them. */
export const command: FolderCommand = {
  name: "search",
  help: "cli_help_cmd_search",
  argument: { name: "<query...>", help: "cli_help_arg_query", missing: "cli_query_missing", kind: "query" },
  flags: [
    "dir",
    "all",
    "topK",
    "mode",
    "explain",
    "noUpdate",
    "fullText",
    "context",
    "format",
    "json",
    "indexDir",
    "allowSensitive",
    ...COMMON_FLAGS,
  ],
  folders: "here",
  worker: {
    index: true,
    registry: true,
    logs: true,
    net: true,
    rerank: true,
    documents: true,
    indexKey: "make",
  },
  workerWith: { noUpdate: { logs: true, net: true, rerank: true, indexKey: "read" } },
  load: async () => (await import("./search.ts")).search,
};
