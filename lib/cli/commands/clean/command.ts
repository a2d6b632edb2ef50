import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `clean`: deletes the index of a folder. */
export const command: FolderCommand = {
  name: "clean",
  help: "cli_help_cmd_clean",
  flags: ["clean", "dir", "yes", "indexDir", "allowSensitive", ...COMMON_FLAGS],
  chosenBy: "clean",
  folders: "one",
  // It opens no index: a key that cannot be read must not stop it.
  worker: { index: true, registry: true, logs: true, indexKey: "none" },
  load: async () => (await import("./clean.ts")).clean,
};
