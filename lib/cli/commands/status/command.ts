import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `status`: the state of the indexes and of their files. */
export const command: FolderCommand = {
  name: "status",
  help: "cli_help_cmd_status",
  flags: ["dir", "all", "files", "skipped", "failed", "json", "indexDir", "allowSensitive", ...COMMON_FLAGS],
  folders: "here",
  worker: { localModels: true, indexKey: "read" },
  load: async () => (await import("./status.ts")).status,
};
