import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `backup`: copies the index of a folder to one file. */
export const command: FolderCommand = {
  name: "backup",
  help: "cli_help_cmd_backup",
  flags: ["backup", "dir", "backupPath", "yes", "indexDir", "allowSensitive", ...COMMON_FLAGS],
  chosenBy: "backup",
  folders: "one",
  worker: { logs: true, named: "write", indexKey: "read" },
  namedPaths: async (input) => (await import("./backup_file.ts")).backupPaths(input),
  load: async () => (await import("./backup.ts")).backup,
};
