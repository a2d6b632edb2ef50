import { nearest } from "../../../config/mod.ts";
import { UsageError, UserError } from "../../../errors.ts";
import { printableText } from "../../../messages.ts";
import { confirm } from "../../confirm.ts";
import { note, warnText } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { printJson } from "../../json.ts";
import { longForm } from "../../options.ts";
import { printableMessage } from "../../printable_message.ts";
import type { Session } from "../../session.ts";
import { suggestModels } from "../../suggest_models.ts";
import { styleFor } from "../../style.ts";
import { clientNamed, CLIENTS } from "./clients.ts";
import { CLIENT_FLAGS } from "./client_flags.ts";
import { type ConfigFile, readConfigFile, replaceConfigFile } from "./config_file.ts";
import { type Edited, withEntry } from "./edit.ts";
import { listClients } from "./list_clients.ts";
import { planSetup, projectFile, type SetupPlan } from "./plan.ts";
import { shellLine } from "./server_command.ts";
import { entryText, isCommand } from "./server_entry.ts";
import type { Client } from "./types.ts";
import { unifiedDiff } from "./unified_diff.ts";

/**
 * `setup [CLIENT]`: prints the entry with which an MCP client starts the server, or with `--write` puts it into the client's
 * file, or with `--remove` takes it out. Without a client, lists the clients.
 */
export async function setup(session: Session): Promise<number> {
  const { flags, operands, log } = session;
  const [id] = operands;
  if (flags.remove) return await remove(session, id);
  if (id === undefined) {
    const needed = CLIENT_FLAGS.some((flag) =>
      flag === "dir" ? flags.dir.length > 0 : flags[flag] !== undefined
    );
    if (needed) throw new UsageError("cli_setup_client_missing", { clients: clientNames() });
    return await listClients(session);
  }
  for (const flag of ["force", "yes"] as const) {
    if (flags[flag] && !flags.write) {
      throw new UsageError("cli_option_needs", { flag: longForm(flag), other: longForm("write") });
    }
  }
  for (const flag of ["update", "noWatch", "dir"] as const) {
    const isGiven = flag === "dir" ? flags.dir.length > 0 : flags[flag] !== undefined;
    if (flags.url !== undefined && isGiven) {
      throw new UsageError("cli_option_conflict", { flag: longForm("url"), other: longForm(flag) });
    }
  }
  const plan = await planSetup(session, clientOf(id));
  log.info("setup", { client: id, path: plan.file.path, write: flags.write ?? false, entry: plan.entry });
  const code = flags.write ? await write(session, plan) : await print(session, plan);
  if (code === EXIT.done) suggestModels(session);
  return code;
}

/** The flags that say what to write. */
const WRITING = ["write", "dir", "update", "noWatch", "force", "url", "tokenEnv"] as const;

async function remove(session: Session, id: string | undefined): Promise<number> {
  const { flags } = session;
  for (const flag of id === undefined ? [...WRITING, "project", "name"] as const : WRITING) {
    const isGiven = flag === "dir" ? flags.dir.length > 0 : flags[flag] !== undefined;
    if (isGiven) {
      throw new UsageError("cli_option_conflict", { flag: longForm("remove"), other: longForm(flag) });
    }
  }
  const { removeFrom, uninstall } = await import("../uninstall/uninstall.ts");
  if (id === undefined) return await uninstall(session);
  const client = clientOf(id);
  const file = flags.project === undefined ? undefined : await projectFile(session, client, flags.project);
  return await removeFrom(client, session, { path: file?.path, name: flags.name });
}

async function print(session: Session, plan: SetupPlan): Promise<number> {
  const { io, flags } = session;
  const { client, name, file, entry } = plan;
  const text = entryText(client, name, entry);
  const { path } = file;
  let state: Edited["state"] | undefined;
  try {
    state = edited(await readConfigFile(path), plan).state;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    warnText(session, printableMessage(session.language, error.key, error.params));
  }
  if (flags.json) {
    const changed = state === undefined ? null : state !== "same";
    await printJson(session, { ...shown(plan), text, changed, written: false, backup: null });
    return EXIT.done;
  }
  if (state === "same") note(session, "cli_setup_same", { path });
  else if (!file.exists) note(session, "cli_setup_put_new", { client: client.name, path });
  else if (state === "other") note(session, "cli_setup_has_other", { client: client.name, path, name });
  else note(session, "cli_setup_put_into", { client: client.name, path });
  // Only the entry goes to stdout, so that it can be redirected to a file.
  await io.out(text);
  if (flags.project === undefined && client.ownCommand !== undefined && plan.command !== undefined) {
    const { command, args } = plan.command;
    const env = Object.entries(isCommand(entry) ? entry.env ?? {} : {}).flatMap((
      [key, value],
    ) => ["--env", `${key}=${value}`]);
    const line = shellLine([...client.ownCommand(name, env), command, ...args]);
    note(session, "cli_setup_own_command", { command: line });
  }
  if (state !== "same") note(session, "cli_setup_hint_write");
  return EXIT.done;
}

async function write(session: Session, plan: SetupPlan): Promise<number> {
  const { io, flags, language, log } = session;
  const { client } = plan;
  const { path, installed } = plan.file;
  const text = entryText(client, plan.name, plan.entry);
  if (!installed && !flags.force) {
    throw new UserError("cli_setup_not_installed", { client: client.name, path });
  }
  const file = await readConfigFile(path);
  const { text: fresh, state } = edited(file, plan);
  if (state === "same") {
    const same = printableMessage(language, "cli_setup_same", { path });
    const data = { ...shown(plan), text, changed: false, written: false, backup: null };
    if (flags.json) await printJson(session, data, same);
    else await io.out(`${same}\n`);
    return EXIT.done;
  }
  if (file.target !== path) note(session, "cli_setup_link", { path, target: file.target });
  if (!flags.quiet || !flags.yes) showDifference(session, file, fresh);
  if (!(await confirm(session, "cli_setup_confirm", { path }))) {
    note(session, "cli_declined");
    return EXIT.failed;
  }
  const backup = await replaceConfigFile(file, fresh, new Date());
  log.info("setup.written", { path, target: file.target, backup });
  const written = printableMessage(language, "cli_setup_written", { path });
  if (flags.json) {
    const data = { ...shown(plan), text, changed: true, written: true, backup: backup ?? null };
    await printJson(session, data, written);
  } else await io.out(`${written}\n`);
  if (backup !== undefined) note(session, "cli_setup_backup", { path: backup });
  note(session, "cli_setup_restart", { client: client.name });
  return EXIT.done;
}

function edited({ path, text }: ConfigFile, { client, name, entry }: SetupPlan): Edited {
  return withEntry(text ?? "", { path, format: client.format, servers: client.servers, name, entry });
}

function showDifference(session: Session, { path, text }: ConfigFile, fresh: string): void {
  const { bold, dim, red, green } = styleFor(session.io, "stderr");
  const paint = { file: bold, range: dim, same: (line: string) => line, removed: red, added: green };
  for (const { kind, text: line } of unifiedDiff(text ?? "", fresh, path)) {
    session.io.err(`${paint[kind](printableText(line))}\n`);
  }
}

/** The plan, for `--json`. */
function shown({ client, name, file, entry }: SetupPlan) {
  const { path, exists, installed } = file;
  return { client: client.id, path, exists, installed, name, entry };
}

function clientOf(id: string): Client {
  const client = clientNamed(id);
  if (client !== undefined) return client;
  const suggestion = nearest(id, CLIENTS.map((known) => known.id));
  throw suggestion === undefined
    ? new UsageError("cli_setup_unknown_client", { client: id, clients: clientNames() })
    : new UsageError("cli_setup_unknown_client_suggest", { client: id, suggestion });
}

function clientNames(): string {
  return CLIENTS.map(({ id }) => id).join(", ");
}
