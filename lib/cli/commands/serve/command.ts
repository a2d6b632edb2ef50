import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `serve [DIR...]`: the MCP server on stdin and stdout. */
export const command: FolderCommand = {
  name: "serve",
  help: "cli_help_cmd_serve",
  argument: { name: "[dir...]", help: "cli_help_arg_dirs", kind: "folders" },
  flags: ["serve", "dir", "update", "indexDir", "allowSensitive", ...COMMON_FLAGS],
  chosenBy: "serve",
  folders: "all",
  startedByClient: true,
  // The server should trust indexes that are made while it runs, so their key is made before.
  worker: { logs: true, net: true, documents: true, indexKey: "make if possible" },
  workerWith: {
    update: { index: true, registry: true, logs: true, net: true, documents: true, indexKey: "make" },
  },
  load: async () => (await import("./serve.ts")).serve,
};
