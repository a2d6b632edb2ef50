import { stringify } from "smol-toml";
import { printableJson, printableToml } from "../../../messages.ts";
import type { Client, CommandEntry, ServerCommand, ServerEntry } from "./types.ts";

/** The entry by which `client` starts the server, with `env` added to its environment. */
export function entryFor(
  { type }: Pick<Client, "type">,
  { command, args }: ServerCommand,
  env: Readonly<Record<string, string>>,
): CommandEntry {
  return {
    ...(type === undefined ? {} : { type }),
    command,
    args,
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
}

/** A file that holds only the entry, to paste. It contains no control characters that a terminal would act on. */
export function entryText(
  { format, servers }: Pick<Client, "format" | "servers">,
  name: string,
  entry: ServerEntry,
): string {
  const content = { [servers]: { [name]: entry } };
  return format === "toml"
    ? printableToml(stringify(content))
    : `${printableJson(JSON.stringify(content, null, 2))}\n`;
}

/**
 * The present entry, updated by a new one. An entry that starts a program keeps its other keys (more variables, `disabled`,
 * approved tools …). An entry with a server's address is replaced, and replaces the other kind.
 */
export function merged(present: unknown, entry: ServerEntry): Record<string, unknown> {
  if (!isLocal(present) || !isCommand(entry)) return { ...entry };
  const { env } = present;
  return { ...present, ...entry, ...(entry.env && isTable(env) ? { env: { ...env, ...entry.env } } : {}) };
}

/** Whether a value is an object or table. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether an entry starts a program. Clients write the address of a remote server as `url`, Windsurf also as `serverUrl`.
 */
export function isLocal(entry: unknown): entry is Record<string, unknown> {
  return isTable(entry) && !("url" in entry) && !("serverUrl" in entry);
}

/** Whether an entry that is to be set starts a program. */
export function isCommand(entry: ServerEntry): entry is CommandEntry {
  return isLocal(entry);
}
