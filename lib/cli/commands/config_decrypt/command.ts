import { SECRET_KEYS } from "../../../config/mod.ts";
import type { PlainCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `config decrypt KEY`: prints a secret in plain text. */
export const command: PlainCommand = {
  name: "config decrypt",
  help: "cli_help_cmd_config_decrypt",
  argument: {
    name: "<key>",
    help: "cli_help_arg_decrypt",
    choices: SECRET_KEYS,
    missing: "cli_decrypt_missing",
  },
  flags: ["yes", ...COMMON_FLAGS],
  keeps: ["read"],
  language: "configured",
  load: async () => (await import("./config_decrypt.ts")).configDecrypt,
};
