/**
 * The command `setup`: lists MCP clients, plans the entry of this server,
 * and prints, writes or removes it.
 */
import { join, resolve } from "node:path";
import {
  type LostSetting,
  nearest,
  SECRET_KEYS,
  settingsElsewhere,
  storeUrls,
} from "#foundation/configuration/mod.ts";
import { UsageError, UserError } from "#foundation/errors.ts";
import { message, type MessageKey, printable, printableText } from "#foundation/messages/mod.ts";
import { confirm, note, printableMessage, printJson, suggestModels, warn } from "../../say.ts";
import { EXIT, warnText } from "../../context.ts";
import { CLIENT_FLAGS, type FlagName, type Flags, longForm } from "../../options.ts";
import type { Session } from "../../request.ts";
import { displayWidth, styleFor } from "../../terminal_text.ts";
import {
  type Client,
  clientNamed,
  CLIENTS,
  type FoundFile,
  httpEntry,
  thisMachine,
  userFile,
} from "./clients.ts";
import { type ConfigFile, readConfigFile, replaceConfigFile, unifiedDiff } from "./config_file.ts";
import { type Edited, withEntry } from "./edit_entry.ts";
import {
  entryFor,
  entryText,
  installedProgram,
  isCommand,
  runtime,
  type ServerCommand,
  serverCommand,
  type ServerEntry,
  shellLine,
} from "./server_entry.ts";
import { openStore } from "#library/store/mod.ts";
import { exists, statNamed } from "#foundation/boundary/mod.ts";

/**
 * `setup [CLIENT]`: prints the entry with which an MCP client starts the server, or with `--write` puts it into the client's
 * file, or with `--remove` takes it out. Without a client, lists the clients.
 */
export async function setup(session: Session): Promise<number> {
  const { flags, operands, log } = session;
  const [id] = operands;
  if (flags.remove) return await remove(session, id);
  if (id === undefined) {
    if (CLIENT_FLAGS.some((flag) => isGiven(flags, flag))) {
      throw new UsageError("cli_setup_client_missing", { clients: clientNames() });
    }
    return await listClients(session);
  }
  for (const flag of ["force", "yes"] as const) {
    if (flags[flag] && !flags.write) {
      throw new UsageError("cli_option_needs", { flag: longForm(flag), other: longForm("write") });
    }
  }
  for (const flag of ["update", "noWatch", "dir"] as const) {
    if (flags.url !== undefined && isGiven(flags, flag)) {
      throw new UsageError("cli_option_conflict", { flag: longForm("url"), other: longForm(flag) });
    }
  }
  const plan = await planSetup(session, clientOf(id));
  log.info("setup", { client: id, path: plan.file.path, write: flags.write ?? false, entry: plan.entry });
  const code = flags.write ? await write(session, plan) : await print(session, plan);
  if (code === EXIT.done) suggestModels(session);
  return code;
}

function isGiven(flags: Flags, flag: FlagName): boolean {
  return flag === "dir" ? flags.dir.length > 0 : flags[flag] !== undefined;
}

/** The flags that say what to write. */
const WRITING = ["write", "dir", "update", "noWatch", "force", "url", "tokenEnv"] as const;

async function remove(session: Session, id: string | undefined): Promise<number> {
  const { flags } = session;
  for (const flag of id === undefined ? [...WRITING, "project", "name"] as const : WRITING) {
    if (isGiven(flags, flag)) {
      throw new UsageError("cli_option_conflict", { flag: longForm("remove"), other: longForm(flag) });
    }
  }
  const { removeFrom, uninstall } = await import("../uninstall.ts");
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
    const variables = Object.entries(isCommand(entry) ? entry.env ?? {} : {});
    const env = variables.flatMap(([key, value]) => ["--env", `${key}=${value}`]);
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
  const report = async (key: MessageKey, data: object) => {
    const said = printableMessage(language, key, { path });
    if (flags.json) await printJson(session, { ...shown(plan), text, ...data }, said);
    else await io.out(`${said}\n`);
  };
  if (state === "same") {
    await report("cli_setup_same", { changed: false, written: false, backup: null });
    return EXIT.done;
  }
  if (file.target !== path) note(session, "cli_setup_link", { path, target: file.target });
  if (!flags.quiet || !flags.yes) showDifference(session, file, fresh);
  if (!await confirm(session, "cli_setup_confirm", { path })) return EXIT.failed;
  const backup = await replaceConfigFile(file, fresh, new Date());
  log.info("setup.written", { path, target: file.target, backup });
  await report("cli_setup_written", { changed: true, written: true, backup: backup ?? null });
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

/** Names that every client takes. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The entry that `setup` prints or writes, and the file that it belongs into. */
interface SetupPlan {
  readonly client: Client;
  /** The server's name. */
  readonly name: string;
  readonly file: FoundFile;
  /** Absent for a server that is reached over HTTP. */
  readonly command?: ServerCommand;
  readonly entry: ServerEntry;
}

/** Works out the entry and its file, and warns of possible obstacles. Throws `UsageError` for flags that do not fit. */
async function planSetup(session: Session, client: Client): Promise<SetupPlan> {
  const { io, flags } = session;
  const name = flags.name ?? "muxue_rag";
  if (!NAME.test(name)) throw new UsageError("cli_setup_bad_name", { name });
  const clientFile = flags.project === undefined
    ? await userFile(client, await thisMachine(io.env))
    : await projectFile(session, client, flags.project);
  const { url, tokenEnv } = flags;
  if (url !== undefined) {
    const entry = httpEntry(client, url, tokenEnv);
    warnOfFile(session, client, clientFile);
    return { client, name, file: clientFile, entry };
  }
  const { roots: dirs, config, source } = session;
  // The settings that give the client's server the configuration of this run.
  const { file, env, lost } = await settingsElsewhere(
    { file: flags.config, cwd: io.cwd, env: io.env, flags: { language: flags.language } },
    { config, source },
  );
  const command = serverCommand(runtime(), [
    "serve",
    ...dirs.flatMap((dir) => ["--dir", dir]),
    ...(flags.update ? ["--update"] : []),
    ...(flags.noWatch ? ["--no-watch"] : []),
    // The server gets the configuration that is in effect here.
    ...(file === null ? [] : ["--config", file]),
    ...(flags.language === undefined ? [] : ["--language", flags.language]),
    ...(flags.allowSensitive ? ["--allow-sensitive"] : []),
  ], await installedProgram(io.env, runtime()));
  const names = Object.keys(config.collections).join(", ");
  if (dirs.length === 0 && names === "") note(session, "cli_setup_every_dir");
  else if (dirs.length === 0) note(session, "cli_setup_collections", { names });
  const indexes = !flags.noWatch && (flags.update || config.index.watch);
  if (!indexes) { for (const dir of dirs) await hintIfNotIndexed(session, dir); }
  if (file !== null && flags.config === undefined && !io.env["MUXUE_RAG_CONFIG"]) {
    warn(session, "cli_setup_found_file", { path: file });
  }
  warnOfMissingSecrets(session, client.name, lost);
  warnOfFile(session, client, clientFile);
  return { client, name, file: clientFile, command, entry: entryFor(client, command, env) };
}

/** Warns if the client is probably not installed, and of other files of it. */
function warnOfFile(session: Session, { name: client }: Client, { installed, others }: FoundFile): void {
  const { write, force } = session.flags;
  if (!installed && (!write || force)) warn(session, "cli_setup_maybe_not_installed", { client });
  for (const path of others) warn(session, "cli_setup_other_file", { client, path });
}

/** The file of a project in `folder`. Throws `UsageError` for a client without such files and for a folder that is none. */
async function projectFile(
  { io, language }: Pick<Session, "io" | "language">,
  client: Client,
  folder: string,
): Promise<FoundFile> {
  if (client.project === undefined) {
    const clients = CLIENTS.filter(({ project }) => project !== undefined).map(({ id }) => id).join(", ");
    throw new UsageError("cli_setup_no_project", { client: client.name, clients });
  }
  const dir = resolve(io.cwd, folder);
  const info = await statNamed(dir).catch(() => undefined);
  if (!info?.isDirectory) {
    const text = message(language, info === undefined ? "directory_not_found" : "not_a_directory");
    throw new UsageError("cli_dir_error", { text, dir });
  }
  const path = join(dir, ...client.project);
  return { path, exists: await exists(path), installed: true, others: [] };
}

async function hintIfNotIndexed(session: Session, dir: string): Promise<void> {
  // This thread may not connect to a database.
  if (storeUrls(session.config, dir).length > 0) return;
  const indexed = await openStore(session.config, dir, session).exists().catch((error) => {
    if (!(error instanceof UserError)) throw error;
    return true;
  });
  if (indexed) return;
  const { config } = session.flags;
  const parts = ["muxue_rag", "--dir", dir, ...(config === undefined ? [] : ["--config", config])];
  note(session, "cli_setup_not_indexed", { path: dir, command: shellLine(parts) });
}

const TEXTS = {
  reference: "cli_setup_lost_reference",
  variable: "cli_setup_lost_variable",
  passphrase: "cli_setup_lost_passphrase",
} as const satisfies Record<LostSetting["by"], MessageKey>;

/**
 * Warns of each secret that the client's server will not have, and names the command that puts it into the configuration
 * file, encrypted. The client's file would hold it in plain text.
 */
function warnOfMissingSecrets(session: Session, client: string, lost: readonly LostSetting[]): void {
  const { source } = session;
  const path = source ?? "config.yaml";
  for (const { key, name, by } of lost) {
    // Only keys can be encrypted. A password in an address has to be moved to a key.
    const text = SECRET_KEYS.some((secret) => secret === key) ? TEXTS[by] : "cli_setup_lost_address";
    const file = source === null ? [] : ["--config", source];
    const command = shellLine(["muxue_rag", "config", "encrypt", key, ...file]);
    warn(session, text, { client, key, name, path, command });
  }
}

/** `setup` without a client: lists the clients, their files, and which clients seem to be installed. */
async function listClients(session: Session): Promise<number> {
  const { io, flags, language } = session;
  const machine = await thisMachine(io.env);
  const clients = [];
  for (const client of CLIENTS) {
    const { path, exists, installed } = await userFile(client, machine);
    const project = client.project?.join("/") ?? null;
    clients.push({ client: client.id, title: client.name, path, exists, installed, project });
  }
  if (flags.json) {
    await printJson(session, { clients });
    return EXIT.done;
  }
  const { bold, dim, green } = styleFor(io, "stdout");
  const known = message(language, "cli_setup_installed");
  const unknown = message(language, "cli_setup_not_installed_here");
  const idWidth = Math.max(...CLIENTS.map(({ id }) => id.length));
  const stateWidth = Math.max(displayWidth(known), displayWidth(unknown));
  const lines = clients.map(({ client, path, installed, project }) => {
    const state = installed ? known : unknown;
    const padding = " ".repeat(stateWidth - displayWidth(state));
    const inProject = printableMessage(language, "cli_setup_in_project", { path: project ?? "" });
    const more = project === null ? "" : dim(`  (${inProject})`);
    const name = bold(client.padEnd(idWidth));
    return `  ${name}  ${installed ? green(state) : dim(state)}${padding}  ${printable(path)}${more}\n`;
  });
  await io.out(`${message(language, "cli_setup_clients")}\n${lines.join("")}`);
  return EXIT.done;
}
