import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `doctor`: checks the configuration, the embedding provider, the reranker and the indexes. */
export const command: FolderCommand = {
  name: "doctor",
  help: "cli_help_cmd_doctor",
  flags: ["dir", "json", "indexDir", "allowSensitive", ...COMMON_FLAGS],
  folders: "all",
  worker: { logs: true, net: true, rerank: true, indexKey: "read" },
  load: async () => (await import("./doctor.ts")).doctor,
};
