import { reasonOf, UserError } from "../../../errors.ts";
import { message, type MessageKey, printable } from "../../../messages.ts";
import { confirm } from "../../confirm.ts";
import { type Context, note } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { formatBytes } from "../../format.ts";
import { printJson } from "../../json.ts";
import { type Row, table } from "../../output.ts";
import { errorText } from "../../report.ts";
import { CLIENTS } from "../setup/clients.ts";
import type { Client } from "../setup/types.ts";
import { clientTraces } from "./client_traces.ts";
import { ownFolders, ownTraces } from "./own_traces.ts";
import { programPaths } from "./program_paths.ts";
import type { Trace } from "./types.ts";

/** A trace that could not be removed. */
interface Failure {
  readonly path: string;
  readonly reason: string;
}

/** `uninstall`, or `setup --remove`: removes what the program has written on this machine. See {@linkcode removeTraces}. */
export async function uninstall(context: Context): Promise<number> {
  return await removeTraces(context, [
    ...await ownTraces(context),
    ...await clientTraces(context.io.env, CLIENTS),
  ]);
}

/**
 * `setup CLIENT --remove`: removes the entries of this program in the user's files of a client, or in the file at `path`.
 * `name`: only the entry with this name.
 */
export async function removeFrom(
  client: Client,
  context: Context,
  { path, name }: { readonly path: string | undefined; readonly name: string | undefined },
): Promise<number> {
  const only = path === undefined ? client : { ...client, files: () => [{ path, signs: [] }] };
  const traces = await clientTraces(context.io.env, [only]);
  const wanted = traces.filter((trace) => name === undefined || trace.name === name);
  return await removeTraces(context, wanted, client);
}

/**
 * Lists traces, asks, and removes them. Documents, backups and the program itself stay. Without a terminal to ask at, or
 * with `--json`, it only lists unless `--yes` is given. `client`: they are only its entries.
 */
async function removeTraces(context: Context, traces: readonly Trace[], client?: Client): Promise<number> {
  const { io, flags, language } = context;
  const programs = await programPaths(io.env);
  const list = traces.map(({ remove: _, ...trace }) => trace);
  if (!flags.json) await io.out(listText(traces, client === undefined ? { programs } : { client }, context));
  const isAsked = !flags.json && io.terminal.stdin && io.terminal.stderr;
  if (traces.length === 0 || !flags.yes && !isAsked) {
    if (flags.json) await printJson(context, { traces: list, programs, removed: false, failed: [] });
    else if (traces.length > 0) note(context, "cli_uninstall_listed");
    return EXIT.done;
  }
  if (!await confirm(context, "cli_uninstall_confirm", {})) {
    note(context, "cli_declined");
    return EXIT.failed;
  }
  const failed = await removeAll(traces, context);
  const text = message(language, failed.length === 0 ? "cli_uninstall_done" : "cli_uninstall_part", {
    count: failed.length,
  });
  if (flags.json) {
    const data = { traces: list, programs, removed: failed.length === 0, failed };
    await printJson(context, data, text, failed.length === 0 ? 200 : 500);
  } else {
    for (const { path, reason } of failed) io.err(`  ✗ ${printable(path)}: ${printable(reason)}\n`);
    await io.out(`${text}\n`);
  }
  return failed.length === 0 ? EXIT.done : EXIT.failed;
}

async function removeAll(traces: readonly Trace[], context: Context): Promise<Failure[]> {
  const failed: Failure[] = [];
  for (const { kind, path, remove } of traces) {
    // Without the list and the key, an index that stays could be neither found nor trusted.
    const needed = (kind === "folders" || kind === "index_key") && failed.length > 0;
    try {
      if (needed) throw new UserError("cli_uninstall_needed");
      await remove();
    } catch (error) {
      context.signal.throwIfAborted();
      failed.push({
        path,
        reason: error instanceof UserError ? errorText(error, context.language, false) : reasonOf(error),
      });
    }
  }
  for (const folder of await ownFolders(context)) folder.removeIfEmpty();
  return failed;
}

/** The list of traces: all, with the `programs` that stay, or those of a client alone. */
function listText(
  traces: readonly Trace[],
  { programs, client }: { readonly programs?: readonly string[]; readonly client?: Client },
  { language }: Context,
): string {
  if (traces.length === 0 && client !== undefined) {
    return `${message(language, "cli_uninstall_no_entry", { client: client.name })}\n`;
  }
  const rows: Row[] = traces.map(({ kind, path, name, bytes }) => {
    const key: MessageKey = `cli_uninstall_${kind}`;
    const size = bytes === undefined ? "" : ` (${formatBytes(bytes)})`;
    return [key, `${printable(path)}${name === undefined ? "" : `: ${printable(name)}`}${size}`];
  });
  const heading = message(language, traces.length === 0 ? "cli_uninstall_nothing" : "cli_uninstall_heading");
  const program = programs?.map(printable).join(message(language, "list_comma"));
  const stays = program === undefined ? "" : `${message(language, "cli_uninstall_stays", { program })}\n`;
  return `${heading}\n${traces.length === 0 ? "" : table(rows, language)}${stays}`;
}
