import { SECRET_KEYS } from "../../../config/mod.ts";
import type { PlainCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `config encrypt [KEY...]`: encrypts secrets. */
export const command: PlainCommand = {
  name: "config encrypt",
  help: "cli_help_cmd_config_encrypt",
  // It is variadic, so that commander does not repeat a surplus argument, which may be the secret.
  argument: { name: "[key...]", help: "cli_help_arg_encrypt", choices: SECRET_KEYS },
  flags: COMMON_FLAGS,
  keeps: ["read", "write"],
  language: "configured",
  load: async () => (await import("./config_encrypt.ts")).configEncrypt,
};
