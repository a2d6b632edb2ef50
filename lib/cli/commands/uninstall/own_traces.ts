import { basename, join } from "node:path";
import { configDir, indexKeyPath, modelsDir, registryDir, stateDir } from "../../../config/mod.ts";
import { cleanIndex } from "../../../ingest/mod.ts";
import { isLogFile } from "../../../log/mod.ts";
import { MODEL_IDS, MODEL_LOCK, ModelPlace } from "../../../models/mod.ts";
import { CONFIG_FILES, SECRET_KEY_FILE } from "../../../own_names.ts";
import { forgetAll, indexDirOf, registeredPaths } from "../../../registry/mod.ts";
import { OwnFolder, realPlaceNamed } from "../../../sandbox/mod.ts";
import { dataFolder } from "../../../store/mod.ts";
import { configurationFor } from "../../configuration.ts";
import type { Context } from "../../context.ts";
import type { Trace, TraceKind } from "./types.ts";

/**
 * The indexes, and the program's files in the folders of the user's state and configuration. The order is that of removing
 * them: an index is found by the list of folders, and trusted by its key.
 */
export async function ownTraces(context: Context): Promise<Trace[]> {
  const { io: { env } } = context;
  const state = stateDir(env, Deno.build.os);
  const settings = configDir(env, Deno.build.os);
  const traces: Trace[] = [];
  if (state !== null) {
    const real = await realPlaceNamed(state);
    traces.push(...await indexTraces(real));
    const list = new OwnFolder(registryDir(real), { named: true });
    if (isThere(list)) {
      traces.push({ kind: "folders", path: list.path, remove: () => Promise.try(() => forgetAll(real)) });
    }
    for (const dir of await logFolders(context, real)) traces.push(...filesIn(dir, "logs", isLogFile));
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
export async function ownFolders({ io: { env } }: Context): Promise<OwnFolder[]> {
  const state = stateDir(env, Deno.build.os);
  const settings = configDir(env, Deno.build.os);
  const real = state === null ? undefined : await realPlaceNamed(state);
  const models = modelsDir(env, Deno.build.os);
  const paths = [
    ...(models === null ? [] : [models]),
    ...(real === undefined ? [] : [join(real, "logs"), real]),
    ...(settings === null ? [] : [settings]),
  ];
  return paths.map((path) => new OwnFolder(path, { named: true }));
}

async function indexTraces(state: string): Promise<Trace[]> {
  const traces: Trace[] = [];
  // The list of folders itself is a trace that can be removed even if it cannot be read.
  for (const root of await registeredPaths(state).catch(() => [])) {
    const elsewhere = await indexDirOf(state, root);
    const folder = dataFolder(root, elsewhere);
    if (!isThere(folder)) continue;
    const indexDirs = elsewhere === undefined ? {} : { [root]: elsewhere };
    traces.push({
      kind: "index",
      path: folder.path,
      bytes: sizeOf(folder),
      remove: async () => void await cleanIndex(root, { stateDir: state, indexDirs }),
    });
  }
  return traces;
}

/** The installed models, and what interrupted downloads have left. Other files in their folder are not the program's. */
async function modelTraces(named: string | null): Promise<Trace[]> {
  if (named === null) return [];
  const dir = new OwnFolder(await realPlaceNamed(named));
  if (!isThere(dir)) return [];
  const places = MODEL_IDS.map((id) => new ModelPlace(dir.path, id));
  const bytes = places.reduce((sum, place) => sum + bytesOf(place), 0);
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

/** Bytes of a model; 0 for a place that is a link. */
function bytesOf(place: ModelPlace): number {
  try {
    return place.bytes();
  } catch {
    return 0;
  }
}

/** The log folder of the configuration, if that can be read, and the one that is used without a setting. */
async function logFolders({ io, flags }: Context, state: string): Promise<string[]> {
  const configured = await configurationFor(io, flags).then(({ config }) => config.log.dir, () => null);
  const usual = join(state, "logs");
  return [...new Set(configured === null ? [usual] : [await realPlaceNamed(configured), usual])];
}

/** The files of a folder with these names, as traces. */
function filesIn(dir: string, kind: TraceKind, isOurs: (name: string) => boolean): Trace[] {
  const folder = new OwnFolder(dir, { named: true });
  if (!isThere(folder)) return [];
  const names = folder.names().filter((name) => isOurs(name) && folder.look(name)?.isFile);
  const isWhole = kind === "logs" && names.length > 0;
  const bytes = (found: readonly string[]) =>
    found.reduce((sum, name) => sum + (folder.look(name)?.size ?? 0), 0);
  const remove = (found: readonly string[]) =>
    Promise.try(() => found.forEach((name) => folder.remove(name)));
  // The files of a log are one line of the list.
  if (isWhole) return [{ kind, path: dir, bytes: bytes(names), remove: () => remove(names) }];
  return names.map((name) => ({
    kind,
    path: folder.at(name),
    bytes: bytes([name]),
    remove: () => remove([name]),
  }));
}

function sizeOf(folder: OwnFolder): number {
  return folder.names().reduce((sum, name) => sum + (folder.look(name)?.size ?? 0), 0);
}

/** Whether a folder exists. One that is a link, or cannot be looked at, is not the program's. */
function isThere(folder: OwnFolder): boolean {
  try {
    return folder.exists();
  } catch {
    return false;
  }
}
