/**
 * The command `uninstall`: finds everything that the program has written on this machine
 * (indexes, lists, logs, models, keys, entries of clients) and removes it after asking.
 */
import { basename, join } from "node:path";
import { reasonOf, UserError } from "#foundation/errors.ts";
import { message, type MessageKey, printable } from "#foundation/messages/mod.ts";
import { confirm, errorText, note, printJson } from "../say.ts";
import { type Context, EXIT } from "../context.ts";
import { formatBytes } from "../progress.ts";
import { type Row, table } from "../output.ts";
import { type Client, CLIENTS } from "./setup/clients.ts";
import { thisMachine } from "./setup/client_files.ts";
import {
  type Config,
  configDir,
  DEFAULTS,
  type Environment,
  indexKeyPath,
  modelsDir,
  registryDir,
  stateDir,
  storeUrls,
  tokensDir,
  tokensUsedDir,
  usageDir,
} from "#foundation/configuration/mod.ts";
import { consentDir } from "#foundation/consent.ts";
import { cleanIndex } from "#library/ingest/mod.ts";
import { isTokenFile } from "#library/people/mod.ts";
import { isLogFile } from "#foundation/log.ts";
import { isTraceFile } from "#traces/mod.ts";
import { isLedger } from "#models/language/mod.ts";
import { MODEL_IDS, MODEL_LOCK, ModelPlace } from "#models/install/mod.ts";
import { CONFIG_FILES, SECRET_KEY_FILE } from "#foundation/constants.ts";
import { forgetAll, indexDirOf, registeredPaths } from "#foundation/registry.ts";
import { exists, OwnFolder, realPlaceNamed } from "#foundation/boundary/mod.ts";
import { openStore } from "#library/store/mod.ts";
import { configurationFor } from "../configuration.ts";
import { readConfigFile, replaceConfigFile } from "./setup/config_file.ts";
import { entriesIn, withoutEntry } from "./setup/edit_entry.ts";
import { installedPaths, isLocal, isTable, programPath, runtime } from "./setup/server_entry.ts";

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
  if (!await confirm(context, "cli_uninstall_confirm", {})) return EXIT.failed;
  const failed = await removeAll(traces, context);
  const removed = failed.length === 0;
  const key = removed ? "cli_uninstall_done" : "cli_uninstall_part";
  const text = message(language, key, { count: failed.length });
  if (flags.json) {
    await printJson(context, { traces: list, programs, removed, failed }, text, removed ? 200 : 500);
  } else {
    for (const { path, reason } of failed) io.err(`  ✗ ${printable(path)}: ${printable(reason)}\n`);
    await io.out(`${text}\n`);
  }
  return removed ? EXIT.done : EXIT.failed;
}

/** Removes traces. Returns those that could not be removed, with the reasons. */
async function removeAll(traces: readonly Trace[], context: Context) {
  const failed: { readonly path: string; readonly reason: string }[] = [];
  for (const { kind, path, remove } of traces) {
    // Without the list and the key, an index that stays could be neither found nor trusted.
    const needed = (kind === "folders" || kind === "index_key") && failed.length > 0;
    try {
      if (needed) throw new UserError("cli_uninstall_needed");
      await remove();
    } catch (error) {
      context.signal.throwIfAborted();
      const isOurs = error instanceof UserError;
      failed.push({ path, reason: isOurs ? errorText(error, context.language, false) : reasonOf(error) });
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

/**
 * The indexes, and the program's files in the folders of the user's state and configuration. The order is that of removing
 * them: an index is found by the list of folders, and trusted by its key.
 */
async function ownTraces(context: Context): Promise<Trace[]> {
  const { io: { env } } = context;
  const state = stateDir(env, Deno.build.os);
  const settings = configDir(env, Deno.build.os);
  const traces: Trace[] = [];
  if (state !== null) {
    const real = await realPlaceNamed(state);
    // Places named in a configuration that cannot be read are not found; all others are.
    const { config } = await configurationFor(context.io, context.flags)
      .catch(() => ({ config: DEFAULTS as unknown as Config }));
    traces.push(...await indexTraces(config, real));
    const list = new OwnFolder(registryDir(real), { named: true });
    if (isThere(list)) {
      traces.push({ kind: "folders", path: list.path, remove: () => Promise.try(() => forgetAll(real)) });
    }
    traces.push(...filesIn(consentDir(real), "consents", (name) => name.endsWith(".json")));
    traces.push(...filesIn(usageDir(real), "usage", isLedger));
    for (const dir of [tokensDir(real), tokensUsedDir(real)]) {
      traces.push(...filesIn(dir, "tokens", isTokenFile));
    }
    for (const dir of await logFolders(config, real)) {
      traces.push(...filesIn(dir, "logs", (name) => isLogFile(name) || isTraceFile(name)));
    }
    const key = indexKeyPath(real);
    traces.push(...filesIn(real, "index_key", (name) => name === basename(key)));
  }
  traces.push(...await modelTraces(modelsDir(env, Deno.build.os)));
  if (settings !== null) {
    traces.push(...filesIn(settings, "configuration", (name) => CONFIG_FILES.includes(name)));
    traces.push(...filesIn(settings, "secret_key", (name) => name === SECRET_KEY_FILE));
  }
  return traces;
}

/** The folders that may be removed once they are empty, the innermost first. */
async function ownFolders({ io: { env } }: Context): Promise<OwnFolder[]> {
  const state = stateDir(env, Deno.build.os);
  const real = state === null ? null : await realPlaceNamed(state);
  const logs = real === null ? null : join(real, "logs");
  const inState = real === null
    ? []
    : [consentDir(real), usageDir(real), tokensDir(real), tokensUsedDir(real)];
  const paths = [modelsDir(env, Deno.build.os), logs, ...inState, real, configDir(env, Deno.build.os)];
  return paths.filter((path) => path !== null).map((path) => new OwnFolder(path, { named: true }));
}

async function indexTraces(config: Config, state: string): Promise<Trace[]> {
  const traces: Trace[] = [];
  // The list of folders itself is a trace that can be removed even if it cannot be read.
  for (const root of await registeredPaths(state).catch(() => [])) {
    const elsewhere = await indexDirOf(state, root);
    const indexDirs = elsewhere === undefined ? {} : { [root]: elsewhere };
    // Other machines may use the database.
    if (storeUrls(config, root).length > 0) continue;
    // Removing needs no key.
    const store = openStore(config, root, { indexKey: new Uint8Array(32), indexDirs });
    if (!await store.exists().catch(() => false)) continue;
    const remove = async () => void await cleanIndex(store, { stateDir: state });
    traces.push({ kind: "index", path: store.location, bytes: await store.bytes(), remove });
  }
  return traces;
}

/** The installed models, and what interrupted downloads have left. Other files in their folder are not the program's. */
async function modelTraces(named: string | null): Promise<Trace[]> {
  if (named === null) return [];
  const dir = new OwnFolder(await realPlaceNamed(named));
  if (!isThere(dir)) return [];
  const places = MODEL_IDS.map((id) => new ModelPlace(dir.path, id));
  // A place that is a link holds no model.
  const bytes = places.reduce((sum, place) => sum + orElse(0, () => place.bytes()), 0);
  if (bytes === 0 && dir.look(MODEL_LOCK) === undefined) return [];
  return [{
    kind: "models",
    path: dir.path,
    bytes,
    remove: async () => {
      for (const place of places) await place.remove();
      if (dir.look(MODEL_LOCK) !== undefined) dir.remove(MODEL_LOCK);
    },
  }];
}

/** The log folder of the configuration, if that can be read, and the one that is used without a setting. */
async function logFolders({ log: { dir: configured } }: Config, state: string): Promise<string[]> {
  const usual = join(state, "logs");
  return [...new Set(configured === null ? [usual] : [await realPlaceNamed(configured), usual])];
}

/** The files of a folder with these names, as traces. */
function filesIn(dir: string, kind: TraceKind, isOurs: (name: string) => boolean): Trace[] {
  const folder = new OwnFolder(dir, { named: true });
  if (!isThere(folder)) return [];
  const names = folder.names().filter((name) => isOurs(name) && folder.look(name)?.isFile);
  const trace = (path: string, found: readonly string[]): Trace => ({
    kind,
    path,
    bytes: found.reduce((sum, name) => sum + (folder.look(name)?.size ?? 0), 0),
    remove: () => Promise.try(() => found.forEach((name) => folder.remove(name))),
  });
  // Such files are one line of the list.
  if (["logs", "consents", "usage", "tokens"].includes(kind) && names.length > 0) return [trace(dir, names)];
  return names.map((name) => trace(folder.at(name), [name]));
}

/** Whether a folder exists. One that is a link, or cannot be looked at, is not the program's. */
function isThere(folder: OwnFolder): boolean {
  return orElse(false, () => folder.exists());
}

function orElse<Value>(otherwise: Value, look: () => Value): Value {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

/** The entries of this program in the user's files of these clients. Files that cannot be read or parsed are left alone. */
async function clientTraces(env: Environment, clients: readonly Client[]): Promise<Trace[]> {
  const machine = await thisMachine(env);
  const traces: Trace[] = [];
  for (const { format, servers, files } of clients) {
    for (const { path } of files(machine)) {
      if (!await exists(path)) continue;
      const place = { path, format, servers };
      const text = await readConfigFile(path).then((file) => file.text ?? "", () => "");
      for (const [name, entry] of entriesIn(text, place)) {
        if (!isOurs(name, entry)) continue;
        traces.push({
          kind: "client",
          path,
          name,
          remove: async () => {
            // Read again: another entry of the file may have been removed before.
            const file = await readConfigFile(path);
            await replaceConfigFile(file, withoutEntry(file.text ?? "", { ...place, name }), new Date());
          },
        });
      }
    }
  }
  return traces;
}

/**
 * Whether an entry starts this program as a server, by its executable, from its sources, or under the name that `setup`
 * gives it, or has the address of a server under that name.
 */
function isOurs(name: string, entry: unknown): boolean {
  const isNamed = /^muxue[_-]rag$/.test(name);
  if (!isLocal(entry)) return isNamed && isTable(entry);
  const { command, args } = entry;
  if (typeof command !== "string" || !Array.isArray(args) || !args.includes("serve")) return false;
  const { project } = runtime();
  return isNamed || /^muxue_rag\b/.test(basename(command.replaceAll("\\", "/"))) ||
    // By npx.
    args.some((word) => /^muxue[_-]rag@/.test(String(word))) ||
    project !== "" && args.includes(project);
}

/**
 * Paths of the program: the executable or the folder of the sources, and the file that the installation script has written
 * to the folder that it takes by default. With sources, that file is a script that starts them.
 */
async function programPaths(env: Environment): Promise<string[]> {
  const paths = new Set([programPath()]);
  for (const path of installedPaths(env)) if (await exists(path)) paths.add(path);
  return [...paths];
}

/** A kind of trace of the program. `client`: an entry in the file of an MCP client. */
type TraceKind =
  | "index"
  | "folders"
  | "consents"
  | "usage"
  | "tokens"
  | "logs"
  | "models"
  | "index_key"
  | "configuration"
  | "secret_key"
  | "client";

/** Something that the program has written on this machine. */
interface Trace {
  readonly kind: TraceKind;
  /** The file or folder; of a client's entry the file that holds it. */
  readonly path: string;
  /** The name of a client's entry. */
  readonly name?: string;
  /** Bytes on the disk, where the whole file or folder goes. */
  readonly bytes?: number;
  /** Throws `UserError`, or an error of the system, if it cannot be removed. */
  readonly remove: () => Promise<void>;
}
