import { join } from "node:path";
import { type Config, type ConfigOverrides, DEFAULTS, loadConfig } from "#foundation/configuration/mod.ts";
import { ingest, type IngestContext, type IngestOptions, type IngestSummary } from "#library/ingest/mod.ts";
import { type WalkOptions, walkOptions } from "#library/corpus/mod.ts";
import { LazyTable } from "#models/embedding/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { type Library, type LibraryOptions, openLibrary } from "#library/search/mod.ts";
import { openStore, type Store } from "#library/store/mod.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";

/** The built-in table, loaded once for all tests of a file. */
export const TABLE = new LazyTable();

/** Options of {@linkcode Place.library}. */
interface LibraryOf extends Partial<LibraryOptions> {
  readonly roots?: readonly string[];
  /** Values of the configuration, or all of it. */
  readonly settings?: ConfigOverrides;
  readonly config?: Config;
}

/** A temporary folder to index, with a state folder beside it. */
export class Place implements Disposable {
  readonly #top = new TempDir();
  readonly #libraries: Library[] = [];
  /** Real path of the folder. */
  readonly root: string;
  readonly context: IngestContext;

  constructor(name = "文档 docs") {
    this.root = this.#top.at(name);
    Deno.mkdirSync(this.root);
    const stateDir = this.#top.at("state");
    this.context = { stateDir, log: NO_LOG, version: "0.0.0", indexKey: KEY, table: TABLE };
  }

  /** A folder with these files, indexed. */
  static async indexed(
    files: Readonly<Record<string, string | Uint8Array>>,
    overrides: ConfigOverrides = {},
    options: IngestOptions = {},
  ): Promise<Place> {
    const place = new Place();
    place.write(files);
    await place.ingest(overrides, options);
    return place;
  }

  /** Opens a library of the folder, or of `roots`. It is closed with the place. */
  async library(
    { roots = [this.root], settings, config: whole, ...options }: LibraryOf = {},
  ): Promise<Library> {
    const library = openLibrary(roots, whole ?? await config(settings), {
      key: KEY,
      table: TABLE,
      ...options,
    });
    this.#libraries.push(library);
    return library;
  }

  /** The store of the folder. */
  get store(): Store {
    return storeAt(this.root);
  }

  /** The full path of `relative` in the folder. */
  at(relative: string): string {
    return join(this.root, relative);
  }

  /** The full path of `relative` beside the folder. */
  beside(relative: string): string {
    return this.#top.at(relative);
  }

  /** Writes files: path in the folder to content. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void {
    const top = this.root.slice(this.#top.path.length + 1);
    for (const [path, content] of Object.entries(files)) this.#top.write(`${top}/${path}`, content);
  }

  /** Indexes the folder. */
  async ingest(overrides: ConfigOverrides = {}, options: IngestOptions = {}): Promise<IngestSummary> {
    return await ingest(this.root, await config(overrides), this.context, options);
  }

  /** The names in the data folder. */
  dataFolder(): string[] {
    return [...Deno.readDirSync(this.at(".muxue_rag"))].map(({ name }) => name).sort();
  }

  /** The bytes of the index. */
  indexBytes(): Uint8Array {
    return Deno.readFileSync(this.at(".muxue_rag/index.bin"));
  }

  [Symbol.dispose](): void {
    for (const library of this.#libraries) library.close();
    this.#top[Symbol.dispose]();
  }
}

/** The default configuration, in English, with some values changed. */
export async function config(overrides: ConfigOverrides = {}): Promise<Config> {
  const flags = { language: "en" as const, ...overrides };
  return (await loadConfig({ cwd: "/no/such/folder", env: {}, flags })).config;
}

/** The store of a folder, in the place that is the default. */
export function storeAt(root: string, indexKey = KEY): Store {
  return openStore(DEFAULTS as unknown as Config, root, { indexKey });
}

/** The default rules of a folder. */
export const WALK: WalkOptions = walkOptions(DEFAULTS as unknown as Config);

/** Path of the index of a folder. */
export function indexPath(root: string): string {
  return storeAt(root).indexLocation;
}

/** Returns a summary without the values that differ from run to run: times and sizes. */
export function stable(summary: IngestSummary): Omit<IngestSummary, "root" | "seconds" | "indexBytes"> {
  const { root: _, seconds: __, indexBytes: ___, ...rest } = summary;
  return rest;
}

/** Sets a file's times to `seconds` after a fixed moment. */
export function setTime(path: string, seconds: number): void {
  const time = new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
  Deno.utimeSync(path, time, time);
}
