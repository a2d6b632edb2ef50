import type { PlainCommand } from "../../command.ts";
import { SHELLS } from "./shells.ts";

/** `completions SHELL`: prints a script that completes command lines. */
export const command: PlainCommand = {
  name: "completions",
  help: "cli_help_cmd_completions",
  argument: {
    name: "<shell>",
    help: "cli_help_arg_shell",
    missing: "cli_completions_missing",
    choices: SHELLS,
  },
  flags: ["language"],
  keeps: ["read"],
  language: "configured",
  load: async () => (await import("./completions.ts")).completions,
};
