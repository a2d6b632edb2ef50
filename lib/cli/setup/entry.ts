import { stringify } from "smol-toml";
import type { Client, Entry, Launch } from "./types.ts";

/** The entry by which `client` starts the server. */
export function entryFor({ type }: Pick<Client, "type">, { command, args }: Launch): Entry {
  return { ...(type === undefined ? {} : { type }), command, args };
}

/** A whole file with nothing but the entry, to paste. */
export function entryText(
  { format, servers }: Pick<Client, "format" | "servers">,
  name: string,
  entry: Entry,
): string {
  const content = { [servers]: { [name]: entry } };
  return format === "toml" ? stringify(content) : `${JSON.stringify(content, null, 2)}\n`;
}

/**
 * What an entry becomes that is there already. One of a program keeps what else it says (`env`, `disabled`,
 * what was approved …); one that names a server by its address is replaced.
 */
export function merged(present: unknown, entry: Entry): Record<string, unknown> {
  return isLocal(present) ? { ...present, ...entry } : { ...entry };
}

/** Whether an entry is none of a server elsewhere: clients write its address as `url`, Windsurf also as `serverUrl`. */
export function isLocal(entry: unknown): entry is Record<string, unknown> {
  return typeof entry === "object" && entry !== null && !Array.isArray(entry) && !("url" in entry) &&
    !("serverUrl" in entry);
}
