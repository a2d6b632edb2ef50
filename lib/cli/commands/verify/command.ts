import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `verify`: checks the indexes, and compares them with their folders. */
export const command: FolderCommand = {
  name: "verify",
  help: "cli_help_cmd_verify",
  flags: ["dir", "deep", "json", "indexDir", "allowSensitive", ...COMMON_FLAGS],
  folders: "all",
  worker: { indexKey: "read" },
  load: async () => (await import("./verify.ts")).verify,
};
