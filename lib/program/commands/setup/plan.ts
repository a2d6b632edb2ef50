/**
 * What `setup` writes: the command and the variables of the server, the entry of a client, and the file that it belongs into.
 * Warnings of what will be missing there are said while it is worked out.
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
import { message, type MessageKey } from "#foundation/messages/mod.ts";
import { note, warn } from "../../say.ts";
import type { Session } from "../../request.ts";
import { type Client, clientNamed, CLIENTS, httpEntry } from "./clients.ts";
import { type FoundFile, thisMachine, userFile } from "./client_files.ts";
import {
  entryFor,
  installedProgram,
  npxOptions,
  runtime,
  type ServerCommand,
  serverCommand,
  type ServerEntry,
  shellLine,
} from "./server_entry.ts";
import { openStore } from "#library/store/mod.ts";
import { exists, statNamed } from "#foundation/boundary/mod.ts";
import { registeredPaths } from "#foundation/registry.ts";

/** Returns the client with an id. Throws `UsageError` that names the ids that begin so, a similar one, or all. */
export function clientOf(id: string): Client {
  const client = clientNamed(id);
  if (client !== undefined) return client;
  const ids: string[] = CLIENTS.map((known) => known.id);
  const longer = ids.filter((known) => known.startsWith(`${id}-`)).join(", ");
  const suggestion = longer === "" ? nearest(id, ids) : longer;
  throw suggestion === undefined
    ? new UsageError("cli_setup_unknown_client", { client: id, clients: clientNames() })
    : new UsageError("cli_setup_unknown_client_suggest", { client: id, suggestion });
}

/** The ids of all clients. */
export function clientNames(): string {
  return CLIENTS.map(({ id }) => id).join(", ");
}

/** Names that every client takes. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Where the entry of a client belongs. */
export interface Place {
  readonly client: Client;
  /** The server's name. */
  readonly name: string;
  readonly file: FoundFile;
  /** Whether the user has to paste the entry, since the client has no file that could be edited. */
  readonly isPasted: boolean;
}

/** The entry that `setup` prints or writes, and the file that it belongs into. */
export interface SetupPlan extends Place {
  /** Absent for a server that is reached over HTTP. */
  readonly command?: ServerCommand;
  readonly entry: ServerEntry;
}

/** The server that clients start; `undefined` for one that they reach over HTTP. */
export type ServerPlan = {
  readonly command: ServerCommand;
  /** The variables that it needs. */
  readonly env: Readonly<Record<string, string>>;
  readonly lost: readonly LostSetting[];
} | undefined;

/** Works out the command that starts the server, and says what it will search. */
export async function planServer(session: Session): Promise<ServerPlan> {
  const { io, flags, roots: dirs, config, source } = session;
  if (flags.url !== undefined) return undefined;
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
  ], {
    installed: await installedProgram(io.env, runtime()),
    version: session.version,
    npx: npxOptions(io.env, Deno.build.os),
  });
  const names = Object.keys(config.collections).join(", ");
  if (dirs.length === 0 && names === "") await sayWhichDirs(session);
  else if (dirs.length === 0) note(session, "cli_setup_collections", { names });
  const indexes = !flags.noWatch && (flags.update || config.index.watch);
  if (!indexes) { for (const dir of dirs) await hintIfNotIndexed(session, dir); }
  if (file !== null && flags.config === undefined && !io.env["MUXUE_RAG_CONFIG"]) {
    warn(session, "cli_setup_found_file", { path: file });
  }
  return { command, env, lost };
}

/** Says that the server will offer every indexed folder, or that there is none. */
async function sayWhichDirs(session: Session): Promise<void> {
  const known = await registeredPaths(session.stateDir).catch(() => undefined);
  note(session, known?.length === 0 ? "cli_setup_no_dir" : "cli_setup_every_dir");
}

/** Finds the file of a client. Throws `UsageError` for flags that do not fit. */
export async function placeOf(session: Session, client: Client): Promise<Place> {
  const { io, flags } = session;
  const name = flags.name ?? client.serverName ?? "muxue_rag";
  if (!NAME.test(name)) throw new UsageError("cli_setup_bad_name", { name });
  const file = flags.project === undefined
    ? await userFile(client, await thisMachine(io.env))
    : await projectFile(session, client, flags.project);
  const isPasted = client.paste?.instead === "database" ||
    client.paste?.instead === "file" && flags.project === undefined && !file.exists;
  return { client, name, file, isPasted };
}

/** Works out the entry of a client, and warns of possible obstacles. Throws `UsageError` for flags that do not fit. */
export function planSetup(session: Session, place: Place, server: ServerPlan): SetupPlan {
  const { flags } = session;
  const { client, file } = place;
  const entry = server === undefined
    ? httpEntry(client, flags.url ?? "", flags.tokenEnv)
    : entryFor(client, server.command, server.env);
  warnOfMissingSecrets(session, client.name, server?.lost ?? []);
  warnOfFile(session, client, file);
  return { ...place, entry, ...(server !== undefined && { command: server.command }) };
}

/** Warns if the client is probably not installed, and of other files of it. */
function warnOfFile(session: Session, { name: client }: Client, { installed, others }: FoundFile): void {
  const { write, force } = session.flags;
  if (!installed && (!write || force)) warn(session, "cli_setup_maybe_not_installed", { client });
  for (const path of others) warn(session, "cli_setup_other_file", { client, path });
}

/** The file of a project in `folder`. Throws `UsageError` for a client without such files and for a folder that is none. */
export async function projectFile(
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
