import { join, resolve } from "node:path";
import { type SettingsElsewhere, settingsElsewhere } from "../../../config/mod.ts";
import { UsageError, UserError } from "../../../errors.ts";
import { hasIndex } from "../../../ingest/mod.ts";
import { message } from "../../../messages.ts";
import { exists, statNamed } from "../../../sandbox/mod.ts";
import { note, warn } from "../../context.ts";
import type { Session } from "../../session.ts";
import { CLIENTS } from "./clients.ts";
import { entryFor } from "./entry.ts";
import { launch, runtime, shellLine } from "./server_command.ts";
import { warnOfLost } from "./missing_secrets.ts";
import { type FoundPlace, thisMachine, userPlace } from "./client_file.ts";
import type { Client, Entry, Launch } from "./types.ts";

const DEFAULT_NAME = "muxue_rag";

/** Names that every client takes. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** What is to be put where. */
export interface Plan {
  readonly client: Client;
  /** The server's name. */
  readonly name: string;
  readonly place: FoundPlace;
  readonly launch: Launch;
  readonly entry: Entry;
}

/**
 * What `setup` is asked to put where, with remarks on what may be in the way. Throws `UsageError` for flags that do not
 * fit, and for a `--dir` that is no folder that may be processed.
 */
export async function planOf(session: Session, client: Client): Promise<Plan> {
  const { io, flags } = session;
  const name = flags.name ?? DEFAULT_NAME;
  if (!NAME.test(name)) throw new UsageError("cli_setup_bad_name", { name });
  const place = flags.project === undefined
    ? await userPlace(client, await thisMachine(io.env))
    : await projectPlace(session, client, flags.project);
  const { roots: dirs } = session;
  const { file, env, lost } = await elsewhere(session);
  const started = launch(runtime(), [
    "serve",
    ...dirs.flatMap((dir) => ["--dir", dir]),
    ...(flags.update ? ["--update"] : []),
    // What is in effect here is to be so for the server as well.
    ...(file === null ? [] : ["--config", file]),
    ...(flags.language === undefined ? [] : ["--language", flags.language]),
    ...(flags.allowSensitive ? ["--allow-sensitive"] : []),
  ]);
  if (dirs.length === 0) note(session, "cli_setup_every_dir");
  if (!flags.update) { for (const dir of dirs) await hintIfNotIndexed(session, dir); }
  if (file !== null && flags.config === undefined && !io.env["MUXUE_RAG_CONFIG"]) {
    warn(session, "cli_setup_found_file", { path: file });
  }
  warnOfLost(session, client.name, lost);
  if (!place.installed && (!flags.write || flags.force)) {
    warn(session, "cli_setup_maybe_not_installed", { client: client.name });
  }
  for (const path of place.others) warn(session, "cli_setup_other_file", { client: client.name, path });
  return { client, name, place, launch: started, entry: entryFor(client, started, env) };
}

/** What the client's server must be told, so that it has this run's configuration. */
function elsewhere({ io: { cwd, env }, flags, config, source }: Session): Promise<SettingsElsewhere> {
  return settingsElsewhere({ file: flags.config, cwd, env, flags: { language: flags.language } }, {
    config,
    source,
  });
}

async function projectPlace({ io, language }: Session, client: Client, folder: string): Promise<FoundPlace> {
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
  const indexed = await hasIndex(dir).catch((error) => {
    if (!(error instanceof UserError)) throw error;
    return true;
  });
  if (indexed) return;
  const { config } = session.flags;
  const parts = ["muxue_rag", "--dir", dir, ...(config === undefined ? [] : ["--config", config])];
  note(session, "cli_setup_not_indexed", { path: dir, command: shellLine(parts, Deno.build.os) });
}
