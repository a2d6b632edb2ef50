import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `reembed`: rebuilds the index and computes every vector again. */
export const command: FolderCommand = {
  name: "reembed",
  help: "cli_help_cmd_reembed",
  flags: ["dir", "json", "yes", "indexDir", "allowSensitive", ...COMMON_FLAGS],
  folders: "one",
  worker: { index: true, registry: true, logs: true, net: true, documents: true, indexKey: "make" },
  load: async () => (await import("./reembed.ts")).reembed,
};
