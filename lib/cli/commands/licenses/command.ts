import type { PlainCommand } from "../../command.ts";

/** `licenses`: prints the licences of the program and of what it contains. */
export const command: PlainCommand = {
  name: "licenses",
  help: "cli_help_cmd_licenses",
  flags: ["language"],
  keeps: ["read"],
  language: "configured",
  load: async () => (await import("./licenses.ts")).licenses,
};
