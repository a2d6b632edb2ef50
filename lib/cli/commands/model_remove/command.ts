import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `model remove NAME...`: asks, then removes models. */
export const command: FolderCommand = {
  name: "model remove",
  help: "cli_help_cmd_model_remove",
  argument: {
    name: "<name...>",
    help: "cli_help_arg_models",
    choices: ["zh", "en", "ocr", "all"],
    missing: "cli_model_name_missing",
  },
  flags: ["yes", "json", ...COMMON_FLAGS],
  folders: "none",
  worker: { models: "write", indexKey: "none" },
  load: async () => (await import("./model_remove.ts")).modelRemove,
};
