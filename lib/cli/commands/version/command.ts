import type { PlainCommand } from "../../command.ts";

/** `--version`: prints the version and the runtime. */
export const command: PlainCommand = {
  name: "version",
  flags: ["version", "json", "language"],
  chosenBy: "version",
  keeps: ["read"],
  language: "asked",
  load: async () => (await import("./version.ts")).version,
};
