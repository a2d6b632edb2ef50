/**
 * The store in a PostgreSQL database: everything of a collection lies in rows, so that several machines search and write it. Its index
 * is the blob of the store in a folder, in parts; `pages.ts` reads and writes them, and `manifest.ts` says which of them are the index.
 */
import {
  BlobIndex,
  DamagedIndexError,
  ForeignIndexError,
  HEADER_BYTES,
  type IndexKey,
  type IndexMeta,
  type IndexReader,
  MemoryFile,
  type OpenIndex,
  OutdatedIndexError,
  seal,
} from "#engine/index/mod.ts";
import { limited, PartWriter } from "#engine/joined/mod.ts";
import {
  type ByteSink,
  type ByteSource,
  type IndexWriter,
  isMadeFor,
  type LoadedIndex,
  movedFrom,
  type OpenOptions,
  type Store,
  type StoreLock,
  type StoreWork,
  type WriteOptions,
} from "../store.ts";
import { copyIndex, openReader, openWhole, pause } from "../folder/delta.ts";
import type { Database } from "./database.ts";
import { Lease } from "./leases.ts";
import { type Manifest, publish, readManifest } from "./manifest.ts";
import { PostgresVectors } from "./neural_vectors.ts";
import { readSegment, writeSegment } from "./pages.ts";
import { PostgresGenerated, PostgresRecognised, PostgresRemoved, PostgresRuns } from "./kept_texts.ts";
import { Tables } from "./tables.ts";

/** Files that a backup takes over without a pause. */
const FILES_AT_ONCE = 256;
/** How often an index is opened that other processes keep replacing. */
const ATTEMPTS = 10;

/** The place of a collection in a database. */
export interface PostgresPlace {
  readonly database: Database;
  readonly schema: string;
  /** The name of the collection, the same on every machine. */
  readonly name: string;
  /** The address of the database without a password, for messages. */
  readonly address: string;
}

/**
 * Keeps everything of a collection in the tables of a schema. The index is sealed with a key that lies beside it, because the machines
 * that write it have no other key in common: whoever may write to the database is trusted, and the checksums find damage. Backups are
 * sealed with the key of the installation.
 */
export class PostgresStore implements Store {
  readonly location: string;
  readonly isShared = true;
  readonly #name: string;
  readonly #tables: Tables;
  readonly #installationKey: IndexKey;
  #lease: Lease | undefined;
  readonly vectors: PostgresVectors;
  readonly recognised: PostgresRecognised;
  readonly generated: PostgresGenerated;
  readonly evaluations: PostgresRuns;
  readonly removed: PostgresRemoved;

  /** `root`: real path of the folder on this machine, where it need not be. */
  constructor(readonly root: string, { database, schema, name, address }: PostgresPlace, key: IndexKey) {
    this.location = `${address} (${name})`;
    this.#name = name;
    this.#tables = new Tables(database, schema);
    this.#installationKey = key;
    const place = { tables: this.#tables, name };
    this.vectors = new PostgresVectors(place);
    this.recognised = new PostgresRecognised(place);
    this.generated = new PostgresGenerated(place);
    this.evaluations = new PostgresRuns(place);
    this.removed = new PostgresRemoved(place);
  }

  get indexLocation(): string {
    return this.location;
  }

  async exists(): Promise<boolean> {
    const rows = await this.#tables.read("select 1 from {collection} where name = $1", [this.#name]);
    return rows.length > 0;
  }

  async bytes(): Promise<number> {
    const [row] = await this.#tables.read<{ bytes: string }>(
      `select (select coalesce(sum(size), 0) from {segment} where collection = c.id) +
        (select coalesce(sum(octet_length(hash) + octet_length(numbers)), 0) from {neural_vector} where collection = c.id) +
        (select coalesce(sum(octet_length(value)), 0) from {generated} where collection = c.id) +
        (select coalesce(sum(octet_length(value)), 0) from {recognised} where collection = c.id) +
        (select coalesce(sum(octet_length(text)), 0) from {evaluation} where collection = c.id) as bytes
       from {collection} c where name = $1`,
      [this.#name],
    );
    return Number(row?.bytes ?? 0);
  }

  async remove(): Promise<boolean> {
    if (!await this.exists()) return false;
    await using lease = await this.#take("index");
    await this.#tables.write("delete from {collection} where id = $1", [lease.collection]);
    return true;
  }

  async open({ forUpdate = false, shows }: OpenOptions = {}): Promise<LoadedIndex> {
    try {
      const found = await this.#open();
      if (found === undefined) return { state: "missing" };
      const { index, isMoved } = found;
      if (!isMoved || forUpdate) {
        return { state: "ready", index: shows === undefined ? index : limited(index, shows) };
      }
      index.close();
      return { state: "moved", problem: movedFrom(index) };
    } catch (error) {
      if (error instanceof OutdatedIndexError) return { state: "outdated", problem: error.message };
      if (error instanceof DamagedIndexError) return { state: "damaged", problem: error.message };
      if (error instanceof ForeignIndexError) return { state: "foreign", problem: error.message };
      throw error;
    }
  }

  async version(): Promise<string | undefined> {
    const [row] = await this.#tables.read<{ version: string | null }>(
      "select case when manifest is not null then id || ':' || version end as version from {collection} where name = $1",
      [this.#name],
    );
    return row?.version ?? undefined;
  }

  async replace<T>(
    { previous, vectors }: WriteOptions,
    write: (writer: IndexWriter) => Promise<T>,
  ): Promise<T> {
    const file = new MemoryFile();
    const made = await write(new PartWriter(file, await this.#key(), ownIndex(previous), { vectors }));
    await this.#publish(file, {});
    return made;
  }

  async lock(work: StoreWork = "index"): Promise<StoreLock> {
    const lease = await this.#take(work);
    if (work === "index") this.#lease = lease;
    return lease;
  }

  async isLocked(): Promise<boolean> {
    try {
      const rows = await this.#tables.read(
        `select 1 from {lease} where work = 'index' and until > clock_timestamp() and
          collection = (select id from {collection} where name = $1)`,
        [this.#name],
      );
      return rows.length > 0;
    } catch {
      return false;
    }
  }

  async backUp(given: OpenIndex, sink: ByteSink): Promise<number> {
    const index = ownIndex(given)!;
    const writer = new PartWriter(sink, this.#installationKey, index, { vectors: index.vectors });
    for (const number of index.files.keys()) {
      writer.keep(undefined, number);
      if (number % FILES_AT_ONCE === 0) await pause();
    }
    return (await writer.finish(index.meta, pause)).size;
  }

  openBackup(source: ByteSource): Promise<OpenIndex> {
    return Promise.try(() => {
      const reader = openWhole(source, this.#installationKey);
      try {
        reader.verify();
        return new BlobIndex(reader);
      } catch (error) {
        reader.close();
        throw error;
      }
    });
  }

  async restore(given: OpenIndex): Promise<void> {
    const { reader, meta } = ownIndex(given)!;
    const file = new MemoryFile();
    await copyIndex(reader, file);
    resealed(file, await this.#key());
    await this.#publish(file, isMadeFor({ meta }, this.root) ? {} : { movedFrom: meta.root });
  }

  #take(work: StoreWork): Promise<Lease> {
    return Lease.take(this.#tables, {
      name: this.#name,
      work,
      key: crypto.getRandomValues(new Uint8Array(32)),
      path: this.root,
      ended: () => {
        if (work === "index") this.#lease = undefined;
      },
    });
  }

  /** The key of the collection's index. */
  async #key(): Promise<IndexKey> {
    const [row] = await this.#tables.read<{ key: Uint8Array }>(
      "select key from {collection} where name = $1",
      [
        this.#name,
      ],
    );
    if (row === undefined) throw new TypeError("the lock of the index is not held");
    return row.key;
  }

  /** Puts an index in the place of the one that is published. */
  async #publish(file: MemoryFile, more: Omit<Manifest, "segments">): Promise<void> {
    const lease = this.#lease;
    if (lease === undefined) throw new TypeError("the lock of the index is not held");
    const segment = await writeSegment(this.#tables, lease.collection, file);
    await publish(this.#tables, lease, { segments: [{ id: segment }], ...more });
  }

  /** Opens the index that is published; `undefined` if there is none. */
  async #open(): Promise<{ readonly index: BlobIndex; readonly isMoved: boolean } | undefined> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const found = await readManifest(this.#tables, this.#name);
      if (found === undefined) return undefined;
      const { key, manifest: { segments: [segment], movedFrom } } = found;
      const file = await readSegment(this.#tables, segment!.id);
      // A segment that is gone was replaced in between.
      if (file === undefined) continue;
      const isMoved = movedFrom !== undefined && movedFrom !== this.root;
      const reader = openReader(file, key);
      return { index: isMoved ? new BlobIndex(reader) : new HereIndex(reader, this.root), isMoved };
    }
    throw new DamagedIndexError("parts of the index are missing");
  }
}

/** An index of the folder on this machine, wherever it lay on the one that wrote it. */
class HereIndex extends BlobIndex {
  readonly #meta: IndexMeta;

  constructor(reader: IndexReader, root: string) {
    super(reader);
    this.#meta = { ...reader.meta, root };
  }

  override get meta(): IndexMeta {
    return this.#meta;
  }
}

function ownIndex(index: OpenIndex): BlobIndex;
function ownIndex(index: OpenIndex | undefined): BlobIndex | undefined;
function ownIndex(index: OpenIndex | undefined): BlobIndex | undefined {
  if (index === undefined || index instanceof BlobIndex) return index;
  throw new TypeError("an index of another store");
}

/** Replaces the seal of a whole index in a file. */
function resealed(file: MemoryFile, key: IndexKey): void {
  const header = new Uint8Array(HEADER_BYTES);
  file.seekSync(0);
  file.readSync(header);
  seal(header, key);
  file.seekSync(0);
  file.writeSync(header);
}
