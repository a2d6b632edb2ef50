import type { PlainCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `config check`: checks the configuration and prints it. */
export const command: PlainCommand = {
  name: "config check",
  help: "cli_help_cmd_config_check",
  flags: ["json", ...COMMON_FLAGS],
  keeps: ["read"],
  language: "asked",
  load: async () => (await import("./config_check.ts")).configCheck,
};
