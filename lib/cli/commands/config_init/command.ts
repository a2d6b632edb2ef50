import type { PlainCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `config init`: writes a configuration file with the defaults. */
export const command: PlainCommand = {
  name: "config init",
  help: "cli_help_cmd_config_init",
  flags: ["force", ...COMMON_FLAGS],
  keeps: ["read", "write"],
  language: "asked",
  load: async () => (await import("./config_init.ts")).configInit,
};
