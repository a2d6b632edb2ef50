import { resolve } from "node:path";
import { realPlaceNamed } from "../../../sandbox/mod.ts";
import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `restore FILE`: replaces the index of a folder by a backup. */
export const command: FolderCommand = {
  name: "restore",
  help: "cli_help_cmd_restore",
  argument: { name: "<file>", help: "cli_help_arg_file", missing: "cli_backup_file_missing" },
  flags: ["dir", "yes", "force", "indexDir", "allowSensitive", ...COMMON_FLAGS],
  folders: "one",
  worker: { index: true, registry: true, logs: true, named: "read", indexKey: "read" },
  namedPaths: ({ operands, cwd }) => Promise.all(operands.map((path) => realPlaceNamed(resolve(cwd, path)))),
  load: async () => (await import("./restore.ts")).restore,
};
