/** The settings that an index was made with, and whether the index before can be continued. */
import type { ChunkOptions } from "#engine/chunk/mod.ts";
import {
  type Config,
  defaultOverlap,
  DEFAULTS,
  describesPictures,
  folderConfig,
} from "#foundation/configuration/mod.ts";
import { type WalkOptions, walkOptions } from "#library/corpus/mod.ts";
import { providerId } from "#models/embedding/mod.ts";
import { reasonOf, UserError } from "#foundation/errors.ts";
import { DamagedIndexError } from "#engine/index/mod.ts";
import type { MessageKey, MessageParams } from "#foundation/messages/mod.ts";
import {
  isMadeFor,
  type LoadedIndex,
  movedFrom,
  type OpenIndex,
  type Store,
  type UnusableState,
} from "#library/store/mod.ts";

/** Increase it when the same file gives other chunks under the same settings. */
const PIPELINE_VERSION = 5;

/** The part of the configuration that indexing uses. */
export interface IngestSettings {
  readonly walk: WalkOptions;
  readonly chunking: ChunkOptions;
  /** Encoding of all texts; `undefined` detects it. */
  readonly encoding: string | undefined;
  /** Whether generated texts (minified code, lock files) are indexed. */
  readonly generated: boolean;
  /** Whether the pictures in documents are left out. */
  readonly ignoreImages: boolean;
  /** Whether text is recognised in scanned pages and pictures. */
  readonly ocr: boolean;
  /** Whether pictures are described by a model. Those without a text then get a line. */
  readonly captions: boolean;
  /** Id of the embedding model; `undefined` if the index gets no vectors. */
  readonly model: string | undefined;
}

/**
 * Picks what indexing the folder `root` (a real path) needs from the configuration and from its collection. `ownPlaces`: see
 * {@linkcode WalkOptions}.
 */
export function ingestSettings(
  root: string,
  whole: Config,
  ownPlaces?: readonly string[],
): IngestSettings {
  const config = folderConfig(whole, root);
  return { walk: walkOptions(config, ownPlaces), ...settingsOfTexts(config) };
}

/** {@linkcode ingestSettings} of the folder of a store, with the files that the user took out of its index. */
export async function storeSettings(
  store: Store,
  config: Config,
  ownPlaces?: readonly string[],
): Promise<IngestSettings> {
  const settings = ingestSettings(store.root, config, ownPlaces);
  const removed = await store.removed.paths();
  return removed.size === 0 ? settings : { ...settings, walk: { ...settings.walk, removed } };
}

/** The settings that a file's chunks depend on. */
type TextSettings = Omit<IngestSettings, "walk">;

function settingsOfTexts(
  { files, chunking, embedding, ...models }: {
    readonly files: Pick<Config["files"], "encoding" | "generated" | "ocr">;
    readonly chunking: Config["chunking"];
    readonly embedding: Pick<Config["embedding"], "provider">;
    readonly llm: Config["llm"];
    readonly vision_llm: Config["vision_llm"];
  },
): TextSettings {
  return {
    chunking: {
      strategy: chunking.strategy,
      maxChars: chunking.max_chars,
      overlap: chunking.overlap,
      chunksPerFile: chunking.chunks_per_file,
      tables: chunking.tables,
    },
    encoding: files.encoding === "auto" ? undefined : files.encoding,
    generated: files.generated === "index",
    ignoreImages: chunking.ignore_images,
    ocr: files.ocr !== "off",
    captions: describesPictures(models),
    model: providerId(embedding),
  };
}

/**
 * Returns all settings that affect the content of an index as one string, and the names of those that the user set (`set`). An
 * index with another string must be rebuilt, unless {@linkcode isSameContent}.
 */
export function settingsName(settings: TextSettings): string {
  const values = valuesOf(settings);
  const { chunking: { maxChars } } = settings;
  const defaults = valuesOf(settingsOfTexts({
    ...DEFAULTS,
    chunking: { ...DEFAULTS.chunking, overlap: defaultOverlap(maxChars) },
  }));
  const set = Object.keys(defaults).filter((name) => values[name] !== defaults[name]);
  return JSON.stringify({ pipeline: PIPELINE_VERSION, ...values, set });
}

function valuesOf(
  { chunking, encoding, generated, ignoreImages, model, ocr, captions }: TextSettings,
): Record<string, unknown> {
  return {
    ...chunking,
    encoding,
    generated,
    model,
    ignoreImages: ignoreImages || undefined,
    ocr: ocr || undefined,
    ocrOfPictures: ocr && !ignoreImages || undefined,
    captions: captions || undefined,
  };
}

/** Whether files give the same chunks with the settings of two results of {@linkcode settingsName}. */
export function isSameContent(before: string, now: string): boolean {
  const [old, current] = [before, now].map((name) => JSON.stringify({ ...JSON.parse(name), set: undefined }));
  return old === current;
}

/** The keys of the configuration that {@linkcode settingsName} depends on, by their names in it. */
const KEYS = new Map([
  ["strategy", "chunking.strategy"],
  ["maxChars", "chunking.max_chars"],
  ["overlap", "chunking.overlap"],
  ["chunksPerFile", "chunking.chunks_per_file"],
  ["tables", "chunking.tables"],
  ["encoding", "files.encoding"],
  ["generated", "files.generated"],
  ["ignoreImages", "chunking.ignore_images"],
  ["ocr", "files.ocr"],
  ["model", "embedding"],
  ["captions", "vision_llm"],
]);

/**
 * Returns the keys of the configuration in which two results of {@linkcode settingsName} differ because of what the user set.
 * Empty if only versions of the program differ: in the pipeline, in defaults, or in the table of word vectors.
 */
function changedSettings(before: string, now: string) {
  const [old, current] = [before, now].map((name): Record<string, unknown> => JSON.parse(name));
  // Earlier versions wrote no `set`, so their defaults are unknown.
  if (!Array.isArray(old!.set)) return [];
  const set = new Set([...old!.set, ...current!.set as string[]]);
  const changed = [...KEYS]
    .filter(([name]) => set.has(name) && old![name] !== current![name])
    .map(([name, key]) => ({ key, values: [old!, current!].map((all) => valueText(key, all[name])) }));
  // The default of chunking.overlap follows from chunking.max_chars.
  const isFollowed = changed.some(({ key }) => key === "chunking.max_chars");
  return isFollowed ? changed.filter(({ key }) => key !== "chunking.overlap") : changed;
}

/** A value as the configuration writes it: {@linkcode IngestSettings} has other ones for some keys. */
function valueText(key: string, value: unknown): string {
  if (key === "files.generated") return value ? "index" : "skip";
  if (key === "files.ocr" || key === "vision_llm") return value ? "on" : "off";
  if (key === "chunking.ignore_images") return String(value ?? false);
  return value === undefined ? (key === "embedding" ? "none" : "auto") : String(value);
}

/** Message that says why an index is rebuilt or not trusted. */
export interface RebuildReason {
  readonly key: Extract<MessageKey, `rebuild_${string}`>;
  readonly params: MessageParams;
}

/** The index that a run updates. If there is an index that cannot be updated, the reason. */
export interface PreviousIndex {
  readonly index?: OpenIndex;
  /**
   * Set if the index was made for another folder by this installation: its records hold only for files with the same content.
   */
  readonly moved?: RebuildReason;
  readonly reason?: RebuildReason;
}

/**
 * Opens the index of a folder for an update with `settings`. If `verify` is set, all of it is checked, so that a run finds
 * any damage; else the parts that the run reads are. Throws `data_folder_unsafe`; any other failure is a reason to rebuild
 * the index.
 */
export async function previousIndex(
  store: Store,
  settings: string,
  verify: boolean,
): Promise<PreviousIndex> {
  let loaded: LoadedIndex;
  try {
    loaded = await store.open({ forUpdate: true });
  } catch (error) {
    if (error instanceof UserError) throw error;
    return { reason: unreadable(error) };
  }
  if (loaded.state === "missing") return {};
  if (loaded.state !== "ready") return { reason: reasonFor(loaded.state, loaded.problem) };
  const { index } = loaded;
  const reason = settingsChanged(index, settings) ?? (verify ? await damageOf(index) : undefined);
  if (reason !== undefined) {
    index.close();
    return { reason };
  }
  return isMadeFor(index, store.root) ? { index } : { index, moved: reasonFor("moved", movedFrom(index)) };
}

/** Returns the message for a state of an index. */
export function reasonFor(state: UnusableState, problem: string): RebuildReason {
  return { key: `rebuild_${state}`, params: { problem } };
}

/** Returns the message for an index that failed to be read. */
export function unreadable(error: unknown): RebuildReason {
  return reasonFor("damaged", reasonOf(error));
}

/** Returns a message if an index was made with other settings than the one named `settings`. */
export function settingsChanged({ meta }: OpenIndex, settings: string): RebuildReason | undefined {
  if (isSameContent(meta.settings, settings)) return undefined;
  const changed = changedSettings(meta.settings, settings);
  return changed.length === 0 ? { key: "rebuild_version", params: {} } : {
    key: "rebuild_settings",
    params: {
      keys: changed.map(({ key }) => key).join(", "),
      values: changed.map(({ key, values }) => `${key}: ${values.join(" → ")}`).join(", "),
    },
  };
}

/** Verifies an index. Returns a message if it is damaged. */
export async function damageOf(index: OpenIndex): Promise<RebuildReason | undefined> {
  try {
    await index.verify();
    return undefined;
  } catch (error) {
    if (!(error instanceof DamagedIndexError)) throw error;
    return unreadable(error);
  }
}
