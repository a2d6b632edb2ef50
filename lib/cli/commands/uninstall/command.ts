import type { PlainCommand } from "../../command.ts";

/** `uninstall`: lists what the program has written on this machine, and removes it after asking. */
export const command: PlainCommand = {
  name: "uninstall",
  help: "cli_help_cmd_uninstall",
  flags: ["yes", "json", "config", "language", "quiet"],
  keeps: ["read", "write"],
  language: "configured",
  load: async () => (await import("./uninstall.ts")).uninstall,
};
