import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `index [DIR]`, or `--dir DIR` without a command: builds or updates the index of a folder. */
export const command: FolderCommand = {
  name: "index",
  help: "cli_help_cmd_index",
  argument: { name: "[dir]", help: "cli_help_arg_dir", kind: "folders" },
  isHere: true,
  flags: ["dir", "full", "wait", "json", "yes", "indexDir", "allowSensitive", ...COMMON_FLAGS],
  folders: "one",
  worker: { index: true, registry: true, logs: true, net: true, documents: true, indexKey: "make" },
  load: async () => (await import("./index.ts")).index,
};
