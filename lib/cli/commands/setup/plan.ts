import { join, resolve } from "node:path";
import {
  type LostSetting,
  SECRET_KEYS,
  type SettingsElsewhere,
  settingsElsewhere,
} from "../../../config/mod.ts";
import { UsageError, UserError } from "../../../errors.ts";
import { hasIndex } from "../../../ingest/mod.ts";
import { message, type MessageKey } from "../../../messages.ts";
import { exists, statNamed } from "../../../sandbox/mod.ts";
import { note, warn } from "../../context.ts";
import type { Session } from "../../session.ts";
import { type FoundFile, thisMachine, userFile } from "./client_file.ts";
import { CLIENTS } from "./clients.ts";
import { httpEntry } from "./http_entry.ts";
import { installedProgram, runtime, serverCommand, shellLine } from "./server_command.ts";
import { entryFor } from "./server_entry.ts";
import type { Client, ServerCommand, ServerEntry } from "./types.ts";

const DEFAULT_NAME = "muxue_rag";

/** Names that every client takes. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The entry that `setup` prints or writes, and the file that it belongs into. */
export interface SetupPlan {
  readonly client: Client;
  /** The server's name. */
  readonly name: string;
  readonly file: FoundFile;
  /** Absent for a server that is reached over HTTP. */
  readonly command?: ServerCommand;
  readonly entry: ServerEntry;
}

/** Works out the entry and its file, and warns of possible obstacles. Throws `UsageError` for flags that do not fit. */
export async function planSetup(session: Session, client: Client): Promise<SetupPlan> {
  const { io, flags } = session;
  const name = flags.name ?? DEFAULT_NAME;
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
  const { roots: dirs } = session;
  const { file, env, lost } = await elsewhere(session);
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
  const names = Object.keys(session.config.collections).join(", ");
  if (dirs.length === 0 && names === "") note(session, "cli_setup_every_dir");
  else if (dirs.length === 0) note(session, "cli_setup_collections", { names });
  const indexes = !flags.noWatch && (flags.update || session.config.index.watch);
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

/** The settings that give the client's server the configuration of this run. */
function elsewhere({ io: { cwd, env }, flags, config, source }: Session): Promise<SettingsElsewhere> {
  return settingsElsewhere({ file: flags.config, cwd, env, flags: { language: flags.language } }, {
    config,
    source,
  });
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
  const indexed = await hasIndex(dir, session.indexDirs).catch((error) => {
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
