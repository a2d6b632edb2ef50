import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `model list`: the models and their state on this machine. */
export const command: FolderCommand = {
  name: "model list",
  help: "cli_help_cmd_model_list",
  flags: ["verify", "json", ...COMMON_FLAGS],
  folders: "none",
  worker: { models: "read", indexKey: "none" },
  load: async () => (await import("./model_list.ts")).modelList,
};
