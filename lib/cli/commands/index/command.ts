import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `--dir DIR`: builds or updates the index of a folder. */
export const command: FolderCommand = {
  name: "index",
  flags: ["dir", "full", "json", "indexDir", "allowSensitive", ...COMMON_FLAGS],
  folders: "one",
  worker: { index: true, registry: true, logs: true, net: true, documents: true, indexKey: "make" },
  load: async () => (await import("./index.ts")).index,
};
