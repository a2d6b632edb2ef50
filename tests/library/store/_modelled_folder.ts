import { dirname } from "node:path";
import { Extractor } from "#library/extract/mod.ts";
import { type BackupFile, backupIndex, ingest, restoreIndex } from "#library/ingest/mod.ts";
import { BuiltinEmbedder } from "#library/ingest/chunk_embedder.ts";
import { ProgressReporter } from "#library/ingest/progress_reporter.ts";
import { ingestSettings, settingsName } from "#library/ingest/settings.ts";
import { planUpdate } from "#library/ingest/update_plan.ts";
import { writeIndex } from "#library/ingest/write_index.ts";
import type { ConfigOverrides } from "#foundation/configuration/mod.ts";
import type { IngestContext } from "#library/ingest/types.ts";
import type { Store } from "#library/store/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { type Fault, withFault } from "../../series/fault/inject.ts";
import { config, Place, setTime, TABLE } from "../ingest/_place.ts";
import { MemoryStore } from "./memory/memory_store.ts";

/** A real folder with its index, and stores in memory that hold what the index may hold. */
export class ModelledFolder implements Disposable {
  readonly place = new Place();
  #overrides: ConfigOverrides = { chunking: { max_chars: 100 } };
  /** States that the index may have now: one, or after a crash that of before and that of after. */
  models: readonly MemoryStore[] = [];
  readonly #backup: BackupFile;
  #backedUp: readonly MemoryStore[] = [];
  #clock = 0;

  readonly #context: IngestContext;
  readonly #store: Store;

  /** `storeOf`: the store to test. */
  constructor(storeOf: (root: string) => Store) {
    this.#context = { ...this.place.context, storeOf };
    this.#store = storeOf(this.place.root);
    const path = this.place.beside("backup");
    this.#backup = { path, temporary: `${path}.00000000.tmp` };
  }

  /** Writes a file with its own modification time. */
  put(name: string, content: string): void {
    if (isFolder(this.place.at(name))) Deno.removeSync(this.place.at(name), { recursive: true });
    this.#makeWay(name);
    this.place.write({ [name]: content });
    this.touch(name);
  }

  append(name: string, text: string): void {
    if (!isFile(this.place.at(name))) return;
    Deno.writeTextFileSync(this.place.at(name), text, { append: true });
    this.touch(name);
  }

  touch(name: string): void {
    if (isFile(this.place.at(name))) setTime(this.place.at(name), ++this.#clock);
  }

  remove(name: string): void {
    if (isFile(this.place.at(name))) Deno.removeSync(this.place.at(name));
  }

  rename(from: string, to: string): void {
    if (!isFile(this.place.at(from)) || isFolder(this.place.at(to))) return;
    this.#makeWay(to);
    if (isFile(this.place.at(from))) Deno.renameSync(this.place.at(from), this.place.at(to));
  }

  /** Brings the index up to date. */
  async update(full = false): Promise<void> {
    await this.#ingest(full);
    this.models = [await this.#model()];
  }

  /** Starts an update that ends at the file operation number `at` of those that write, if it has so many. */
  async crash(fault: Fault, at: number): Promise<void> {
    const after = await this.#model();
    const { operations } = await withFault(
      dirname(this.place.root),
      { fault, at, ofWrites: true },
      () => this.#ingest(),
    );
    const isCrashed = operations.filter(({ writes }) => writes).length > at;
    this.models = isCrashed ? [...this.models, after] : [after];
  }

  /** Changes a setting for which the next update makes everything anew. */
  toggleSettings(): void {
    const { max_chars: now } = this.#overrides.chunking!;
    this.#overrides = { chunking: { max_chars: now === 100 ? 160 : 100 } };
  }

  async backUp(): Promise<void> {
    if (isFile(this.#backup.path)) Deno.removeSync(this.#backup.path);
    await backupIndex(this.#store, this.#backup, this.#context);
    this.#backedUp = this.models;
  }

  async restore(): Promise<void> {
    if (this.#backedUp.length === 0) return;
    await restoreIndex(this.#store, this.#backup.path, this.#context);
    this.models = this.#backedUp;
  }

  async #ingest(full = false): Promise<void> {
    await ingest(this.place.root, await config(this.#overrides), this.#context, { full });
  }

  /** Indexes the folder as it is now into memory, without any earlier index. */
  async #model(): Promise<MemoryStore> {
    const { root } = this.place;
    const store = new MemoryStore(root);
    const settings = ingestSettings(root, await config(this.#overrides));
    const plan = await planUpdate(root, settings.walk, []);
    await using embedder = settings.model === undefined ? undefined : new BuiltinEmbedder(TABLE.get(), 0);
    await store.replace({ vectors: embedder?.meta }, (writer) =>
      writeIndex({
        ...{ root, writer, previous: undefined, believed: true, plan, settings, embedder, log: NO_LOG },
        meta: { settings: settingsName(settings), program: "0.0.0" },
        progress: new ProgressReporter({}),
        extractor: Extractor.none(),
        similarity: undefined,
      }));
    return store;
  }

  /** Removes a file that stands where a folder is needed. */
  #makeWay(name: string): void {
    const folder = dirname(name);
    if (folder === ".") return;
    if (isFile(this.place.at(folder))) Deno.removeSync(this.place.at(folder));
    Deno.mkdirSync(this.place.at(folder), { recursive: true });
  }

  [Symbol.dispose](): void {
    this.place[Symbol.dispose]();
  }
}

function isFile(path: string): boolean {
  return look(path)?.isFile === true;
}

function isFolder(path: string): boolean {
  return look(path)?.isDirectory === true;
}

function look(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch {
    return undefined;
  }
}
