import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS, HTTP_FLAGS } from "../../options.ts";

/** `serve [DIR...]`: the MCP server on stdin and stdout, or over HTTP. */
export const command: FolderCommand = {
  name: "serve",
  help: "cli_help_cmd_serve",
  argument: { name: "[dir...]", help: "cli_help_arg_dirs", kind: "folders" },
  flags: [
    ...["serve", "dir", "update", "noWatch", "indexDir", "allowSensitive"] as const,
    ...["http", ...HTTP_FLAGS, ...COMMON_FLAGS] as const,
  ],
  chosenBy: "serve",
  folders: "all",
  startedByClient: true,
  setFlags: ({ index }, flags) => index.watch || flags.update ? flags : { ...flags, noWatch: true },
  // The server should trust indexes that are made while it runs, so their key is made before. Without a place for the key it
  // serves what it can read.
  worker: {
    ...{ index: true, registry: true, logs: true, net: true, rerank: true, listen: true, documents: true },
    indexKey: "make if possible",
  },
  workerWith: {
    noWatch: {
      ...{ logs: true, net: true, rerank: true, listen: true, documents: true },
      indexKey: "make if possible",
    },
  },
  load: async () => (await import("./serve.ts")).serve,
};
