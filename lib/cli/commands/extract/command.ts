import { resolve } from "node:path";
import type { FolderCommand } from "../../command.ts";
import { COMMON_FLAGS } from "../../options.ts";

/** `extract FILE...`: prints the text of documents as it would be indexed. */
export const command: FolderCommand = {
  name: "extract",
  help: "cli_help_cmd_extract",
  argument: { name: "<file...>", help: "cli_help_arg_files", missing: "cli_extract_no_file" },
  flags: ["page", "json", ...COMMON_FLAGS],
  folders: "none",
  // It opens no index: a key that cannot be read must not stop it.
  worker: { named: "read", documents: true, indexKey: "none" },
  namedPaths: ({ operands, cwd }) => Promise.resolve(operands.map((path) => resolve(cwd, path))),
  load: async () => (await import("./extract.ts")).extract,
};
