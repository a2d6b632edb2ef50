import { basename } from "node:path";
import { exists } from "../../../sandbox/mod.ts";
import type { Environment } from "../../../config/mod.ts";
import { thisMachine } from "../setup/client_file.ts";
import { readConfigFile, replaceConfigFile } from "../setup/config_file.ts";
import { entriesIn, withoutEntry } from "../setup/remove_entry.ts";
import { runtime } from "../setup/server_command.ts";
import { isLocal, isTable } from "../setup/server_entry.ts";
import type { Client } from "../setup/types.ts";
import type { Trace } from "./types.ts";

/** The entries of this program in the user's files of these clients. Files that cannot be read or parsed are left alone. */
export async function clientTraces(env: Environment, clients: readonly Client[]): Promise<Trace[]> {
  const machine = await thisMachine(env);
  const traces: Trace[] = [];
  for (const { format, servers, files } of clients) {
    for (const { path } of files(machine)) {
      if (!await exists(path)) continue;
      const place = { path, format, servers };
      const text = await readConfigFile(path).then((file) => file.text ?? "", () => "");
      for (const [name, entry] of entriesIn(text, place)) {
        if (!isOurs(name, entry)) continue;
        traces.push({
          kind: "client",
          path,
          name,
          remove: async () => {
            // Read again: another entry of the file may have been removed before.
            const file = await readConfigFile(path);
            await replaceConfigFile(file, withoutEntry(file.text ?? "", { ...place, name }), new Date());
          },
        });
      }
    }
  }
  return traces;
}

/**
 * Whether an entry starts this program as a server, by its executable, from its sources, or under the name that `setup`
 * gives it, or has the address of a server under that name.
 */
function isOurs(name: string, entry: unknown): boolean {
  if (!isLocal(entry)) return name === "muxue_rag" && isTable(entry);
  const { command, args } = entry;
  if (typeof command !== "string" || !Array.isArray(args) || !args.includes("serve")) return false;
  const { project } = runtime();
  return name === "muxue_rag" || /^muxue_rag\b/.test(basename(command.replaceAll("\\", "/"))) ||
    project !== "" && args.includes(project);
}
