import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";
import { CLIENT_FLAGS } from "./client_flags.ts";
import { CLIENT_IDS } from "./types.ts";

/** `setup [CLIENT]`: prints or writes the entry of this server in the file of an MCP client. */
export const command: FolderCommand = {
  name: "setup",
  help: "cli_help_cmd_setup",
  argument: { name: "[client]", help: "cli_help_arg_client", choices: CLIENT_IDS },
  flags: [...CLIENT_FLAGS, "remove", "json", "allowSensitive", ...COMMON_FLAGS],
  folders: "any",
  keeps: ["read", "write"],
  load: async () => (await import("./setup.ts")).setup,
};
