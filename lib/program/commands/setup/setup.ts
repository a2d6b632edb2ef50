/**
 * The command `setup`: lists MCP clients,
 * and prints, writes, checks or removes the entry of this server.
 */
import { UsageError, UserError } from "#foundation/errors.ts";
import { message, type MessageKey, printable, printableText } from "#foundation/messages/mod.ts";
import {
  confirm,
  note,
  printableErrorText,
  printableMessage,
  printJson,
  suggestModels,
  warn,
} from "../../say.ts";
import { EXIT, warnText } from "../../context.ts";
import { CLIENT_FLAGS, type FlagName, type Flags, longForm } from "../../options.ts";
import type { Session } from "../../request.ts";
import { displayWidth, styleFor } from "../../terminal_text.ts";
import { CLIENTS } from "./clients.ts";
import {
  type ConfigFile,
  mustBeWritable,
  readConfigFile,
  replaceConfigFile,
  restoreConfigFile,
  unifiedDiff,
} from "./config_file.ts";
import { type Edited, entriesIn, withEntry } from "./edit_entry.ts";
import { type Handshake, processOfEntry, shakeHands } from "./handshake.ts";
import {
  clientNames,
  clientOf,
  placeOf,
  planServer,
  planSetup,
  projectFile,
  type ServerPlan,
  type SetupPlan,
} from "./plan.ts";
import { entryText, isCommand, shellLine } from "./server_entry.ts";

/**
 * `setup [CLIENT]`: prints the entry with which an MCP client starts the server, or with `--write` puts it into the client's
 * file and starts the server once as the client will, or with `--remove` takes it out. Without a client, lists the clients, and does so
 * for each that is installed: with `--write`, and at a terminal.
 */
export async function setup(session: Session): Promise<number> {
  const { io: { terminal }, flags, operands } = session;
  const [id] = operands;
  if (flags.remove) return await remove(session, id);
  const asks = terminal.stdin && terminal.stderr && !flags.json;
  const writes = flags.write || flags.dryRun || id === undefined && asks;
  checkFlags(flags, { id, writes });
  if (id === undefined && !writes) return await listClients(session);
  // Errors of the command line come before remarks about the server.
  const place = id === undefined ? undefined : await placeOf(session, clientOf(id));
  if (id === undefined && !flags.write && !flags.dryRun) await listClients(session);
  const server = await planServer(session);
  const checked: Checked = new Map();
  let code: number;
  if (place === undefined) code = await writeAll(session, server, checked);
  else {
    const plan = planSetup(session, place, server);
    if (!writes) code = await print(session, plan);
    else {
      const { exit, said, data } = await write(session, plan, checked);
      if (flags.json) await printJson(session, data, said);
      code = exit;
    }
  }
  if (code === EXIT.done) suggestModels(session);
  return code;
}

/** Throws `UsageError` for flags that do not fit. `writes`: whether files are written, perhaps after a question. */
function checkFlags(
  flags: Flags,
  { id, writes }: { id: string | undefined; writes: boolean | undefined },
): void {
  const alone = writes ? ["project", "force"] as const : CLIENT_FLAGS;
  if (id === undefined && alone.some((flag) => isGiven(flags, flag))) {
    throw new UsageError("cli_setup_client_missing", { clients: clientNames() });
  }
  for (const flag of ["force", "yes"] as const) {
    if (flags[flag] && !flags.write) {
      throw new UsageError("cli_option_needs", { flag: longForm(flag), other: longForm("write") });
    }
  }
  const conflicts: [FlagName, FlagName][] = [
    ["dryRun", "write"],
    ...(["update", "noWatch", "dir"] as const).map((flag): [FlagName, FlagName] => ["url", flag]),
  ];
  for (const [flag, other] of conflicts) {
    if (isGiven(flags, flag) && isGiven(flags, other)) {
      throw new UsageError("cli_option_conflict", { flag: longForm(flag), other: longForm(other) });
    }
  }
}

function isGiven(flags: Flags, flag: FlagName): boolean {
  return flag === "dir" ? flags.dir.length > 0 : flags[flag] !== undefined;
}

/** The flags that say what to write. */
const WRITING = ["write", "dryRun", "dir", "update", "noWatch", "force", "url", "tokenEnv"] as const;

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
  session.log.info("setup", { client: client.id, path, write: false, entry });
  let state: Edited["state"] | undefined;
  if (plan.isPasted && !flags.json) {
    await printPaste(session, plan);
    return EXIT.done;
  }
  try {
    if (!plan.isPasted) state = edited(await readConfigFile(path), plan).state;
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

/** The end of the work on a client's file. */
interface Outcome {
  readonly exit: number;
  readonly said?: string;
  /** For `--json`. */
  readonly data: object;
}

/** The answers of the servers that were started in this run, by their processes: many clients start the same. */
type Checked = Map<string, Promise<Handshake>>;

/** The errors of {@linkcode shakeHands}. */
const SERVER_ERRORS: readonly MessageKey[] = [
  "cli_setup_no_start",
  "cli_setup_ended",
  "cli_setup_no_answer",
  "cli_setup_bad_answer",
];

/** Errors of a client that cannot take the address of a server, and the messages in their place when all clients are set up. */
const SKIPPED: ReadonlyMap<MessageKey, MessageKey> = new Map([
  ["cli_setup_no_http", "cli_setup_skipped_no_http"],
  ["cli_setup_no_token_env", "cli_setup_skipped_no_token_env"],
]);

/**
 * Writes the entry for each client that is installed. An error of one does not stop the others. Fails as well if every client was skipped.
 */
async function writeAll(session: Session, server: ServerPlan, checked: Checked): Promise<number> {
  const { io, flags, language, log } = session;
  const outcomes: object[] = [];
  let exit: number = EXIT.done;
  for (const client of CLIENTS) {
    try {
      const place = await placeOf(session, client);
      if (!place.file.installed) continue;
      if (!flags.json && !flags.quiet) io.err(`\n${styleFor(io, "stderr").bold(client.name)}\n`);
      const outcome = await write(session, planSetup(session, place, server), checked);
      outcomes.push(outcome.data);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const skipped = SKIPPED.get(error.key);
      if (skipped !== undefined) {
        const text = printableMessage(language, skipped, { client: client.name });
        outcomes.push({ client: client.id, skipped: text });
        if (!flags.json && !flags.quiet) io.err(`${text}\n`);
        continue;
      }
      // An error of the command line is the same for every client.
      if (error instanceof UsageError) throw error;
      log.warning("setup.failed", { client: client.id, key: error.key });
      const text = printableErrorText(error, language, false);
      outcomes.push({ client: client.id, error: text });
      if (!flags.json) io.err(`${styleFor(io, "stderr").red("✗")} ${client.name}: ${text}\n`);
      exit = EXIT.failed;
      // The other clients would start the same server.
      if (SERVER_ERRORS.includes(error.key)) break;
    }
  }
  if (outcomes.length > 0 && outcomes.every((outcome) => "skipped" in outcome)) exit = EXIT.failed;
  if (flags.json) await printJson(session, { clients: outcomes }, undefined, exit === EXIT.done ? 200 : 500);
  else if (outcomes.length === 0) note(session, "cli_setup_none_installed");
  return exit;
}

/**
 * Shows the change of a client's file, asks, writes it, and starts the server as the client will by the file that was written. If the
 * server does not answer, the file is put back and the error thrown.
 */
async function write(session: Session, plan: SetupPlan, checked: Checked): Promise<Outcome> {
  const { io, flags, language, log } = session;
  const { client, name, entry } = plan;
  const { path, installed } = plan.file;
  const data = { ...shown(plan), text: entryText(client, name, entry) };
  log.info("setup", { client: client.id, path, write: flags.write ?? false, entry });
  if (plan.isPasted) return await paste(session, plan, checked, data);
  if (!installed && !flags.force) {
    throw new UserError("cli_setup_not_installed", { client: client.name, path });
  }
  const file = await readConfigFile(path);
  const { text: fresh, state } = edited(file, plan);
  const diff = unifiedDiff(file.text ?? "", fresh, path);
  const unchanged = { ...data, changed: state !== "same", written: false, backup: null, handshake: null };
  const say = async (key: MessageKey, params = {}) => {
    const said = printableMessage(language, key, { path, ...params });
    if (!flags.json) await io.out(`${said}\n`);
    return said;
  };
  if (state === "same") {
    const said = await say("cli_setup_same");
    const handshake = flags.dryRun ? null : await check(session, plan, await readConfigFile(path), checked);
    return { exit: EXIT.done, said, data: { ...unchanged, handshake } };
  }
  if (file.target !== path) note(session, "cli_setup_link", { path, target: file.target });
  if (!flags.json && (!flags.quiet || !flags.yes)) showDifference(session, diff);
  if (flags.dryRun) {
    const said = await say("cli_setup_dry");
    return { exit: EXIT.done, said, data: { ...unchanged, diff: diff.map(({ text }) => text).join("\n") } };
  }
  // Before the question, so that nobody answers it in vain.
  mustBeWritable(file);
  if (!await confirm(session, "cli_setup_confirm", { path })) return { exit: EXIT.failed, data: unchanged };
  const replaced = await replaceConfigFile(file, fresh, new Date());
  const { backup } = replaced;
  log.info("setup.written", { path, target: file.target, backup });
  let handshake: Handshake | null;
  try {
    const written = await readConfigFile(path);
    // It is the file as the client reads it that is checked.
    handshake = written.text === fresh ? await check(session, plan, written, checked) : null;
  } catch (error) {
    // The reason why the server did not answer is the one to be thrown.
    const isBack = await restoreConfigFile(file, fresh, replaced).catch((reason: unknown) => {
      if (!(reason instanceof UserError)) throw reason;
      warnText(session, printableMessage(language, reason.key, reason.params));
      return false;
    });
    if (isBack) note(session, "cli_setup_taken_back", { path });
    else warn(session, "cli_setup_not_taken_back", { path, backup: backup ?? "" });
    throw error;
  }
  const said = await say("cli_setup_written");
  if (backup !== undefined) note(session, "cli_setup_backup", { path: backup });
  const restart = printableMessage(language, `cli_setup_reads_${client.reads}`, {
    client: client.name,
    name,
  });
  if (!flags.quiet && !flags.json) io.err(`${restart}\n`);
  return {
    exit: EXIT.done,
    said,
    data: { ...unchanged, written: true, backup: backup ?? null, handshake, restart },
  };
}

/** Prints the entry of a client whose file cannot be written, and where to paste it. */
async function paste(session: Session, plan: SetupPlan, checked: Checked, data: object): Promise<Outcome> {
  const { client, name, entry } = plan;
  const handshake = session.flags.dryRun
    ? null
    : await check(session, plan, { ...NO_FILE, text: entryText(client, name, entry) }, checked);
  const link = linkOf(plan);
  if (!session.flags.json) await printPaste(session, plan);
  const given = { ...(link !== undefined && { link }), handshake };
  return { exit: EXIT.done, data: { ...data, changed: null, written: false, backup: null, ...given } };
}

/** The address that makes the client add the entry. There is none for a server over HTTP. */
function linkOf({ client, name, entry }: SetupPlan): string | undefined {
  return isCommand(entry) ? client.paste?.link?.(name, entry) : undefined;
}

async function printPaste(session: Session, plan: SetupPlan): Promise<void> {
  const { client, name, entry } = plan;
  const params = { client: client.name };
  note(
    session,
    client.paste?.instead === "database" ? "cli_setup_paste_database" : "cli_setup_paste_file",
    params,
  );
  await session.io.out(entryText(client, name, entry));
  const link = linkOf(plan);
  if (link !== undefined) note(session, "cli_setup_paste_link", { ...params, link });
}

const NO_FILE = { path: "", target: "", mode: undefined };

/**
 * Starts the server by its entry in a client's file and says how many tools it offers. Returns null for a server that is reached over
 * HTTP, which the client does not start. Throws as {@linkcode shakeHands} does.
 */
async function check(
  session: Session,
  { client, name }: SetupPlan,
  { path, text }: ConfigFile,
  checked: Checked,
): Promise<Handshake | null> {
  const { io, version, signal } = session;
  const { format, servers } = client;
  const entry = entriesIn(text ?? "", { path, format, servers }).find(([each]) => each === name)?.[1];
  const started = processOfEntry(entry, io.env, Deno.build.os);
  if (started === undefined) return null;
  const key = JSON.stringify(started);
  const command = shellLine([started.command, ...started.args]);
  let handshake = checked.get(key);
  const isFirst = handshake === undefined;
  if (handshake === undefined) {
    handshake = shakeHands(io.openServer(started), command, { version, signal });
    checked.set(key, handshake);
  }
  const { milliseconds, tools } = await handshake;
  // It is said once of a server that several clients start.
  if (isFirst) note(session, "cli_setup_checked", { tools, seconds: (milliseconds / 1000).toFixed(1) });
  return { milliseconds, tools };
}

function edited({ path, text }: ConfigFile, { client, name, entry }: SetupPlan): Edited {
  return withEntry(text ?? "", { path, format: client.format, servers: client.servers, name, entry });
}

function showDifference(session: Session, diff: ReturnType<typeof unifiedDiff>): void {
  const { bold, dim, red, green } = styleFor(session.io, "stderr");
  const paint = { file: bold, range: dim, same: (line: string) => line, removed: red, added: green };
  for (const { kind, text: line } of diff) session.io.err(`${paint[kind](printableText(line))}\n`);
}

/** The plan, for `--json`. */
function shown({ client, name, file, entry }: SetupPlan) {
  const { path, exists, installed } = file;
  return { client: client.id, path, exists, installed, name, entry };
}

/** `setup` without a client: lists the clients, their files, and which clients seem to be installed. */
async function listClients(session: Session): Promise<number> {
  const { io, flags, language } = session;
  const clients = [];
  for (const client of CLIENTS) {
    const { file: { path, exists, installed }, isPasted: pasted } = await placeOf(session, client);
    const project = client.project?.join("/") ?? null;
    clients.push({ client: client.id, title: client.name, path, exists, installed, project, pasted });
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
  const lines = clients.map(({ client, path, installed, project, pasted }) => {
    const state = installed ? known : unknown;
    const padding = " ".repeat(stateWidth - displayWidth(state));
    const inProject = printableMessage(language, "cli_setup_in_project", { path: project ?? "" });
    const more = project === null ? "" : dim(`  ${inProject}`);
    const name = bold(client.padEnd(idWidth));
    return `  ${name}  ${installed ? green(state) : dim(state)}${padding}  ${
      pasted ? dim(message(language, "cli_setup_pasted")) : printable(path)
    }${more}\n`;
  });
  await io.out(`${message(language, "cli_setup_clients")}\n${lines.join("")}`);
  const count = clients.filter(({ installed }) => installed).length;
  if (count > 0 && !flags.write && !flags.dryRun && !io.terminal.stdin) {
    note(session, "cli_setup_hint_all", { count });
  }
  return EXIT.done;
}
