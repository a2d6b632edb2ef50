import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `setup [CLIENT]`: prints or writes the entry of this server in the file of an MCP client. */
export const command: FolderCommand = {
  name: "setup",
  help: "cli_help_cmd_setup",
  argument: { name: "[client]", help: "cli_help_arg_client" },
  flags: [
    "dir",
    "update",
    "noWatch",
    "write",
    "project",
    "name",
    "force",
    "yes",
    "json",
    "allowSensitive",
    ...COMMON_FLAGS,
  ],
  folders: "any",
  keeps: ["read", "write"],
  load: async () => (await import("./setup.ts")).setup,
};
