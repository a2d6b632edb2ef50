import { stringify } from "smol-toml";
import { printableJson, printableToml } from "../../../messages.ts";
import type { Client, Entry, Launch } from "./types.ts";

/** The entry by which `client` starts the server, with `env` added to its environment. */
export function entryFor(
  { type }: Pick<Client, "type">,
  { command, args }: Launch,
  env: Readonly<Record<string, string>>,
): Entry {
  return {
    ...(type === undefined ? {} : { type }),
    command,
    args,
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
}

/** A whole file with nothing but the entry, to paste. A terminal acts on none of its characters. */
export function entryText(
  { format, servers }: Pick<Client, "format" | "servers">,
  name: string,
  entry: Entry,
): string {
  const content = { [servers]: { [name]: entry } };
  return format === "toml"
    ? printableToml(stringify(content))
    : `${printableJson(JSON.stringify(content, null, 2))}\n`;
}

/**
 * Gives the new form of an entry that is there already. One of a program keeps what else it says (other variables, `disabled`,
 * what was approved …); one that names a server by its address is replaced.
 */
export function merged(present: unknown, entry: Entry): Record<string, unknown> {
  if (!isLocal(present)) return { ...entry };
  const { env } = present;
  return { ...present, ...entry, ...(entry.env && isTable(env) ? { env: { ...env, ...entry.env } } : {}) };
}

/** Whether a value is an object or table. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether an entry is none of a server elsewhere: clients write its address as `url`, Windsurf also as `serverUrl`. */
export function isLocal(entry: unknown): entry is Record<string, unknown> {
  return isTable(entry) && !("url" in entry) && !("serverUrl" in entry);
}
