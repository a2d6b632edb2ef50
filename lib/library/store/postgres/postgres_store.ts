/**
 * The store in a PostgreSQL database: everything of a collection lies in rows, so that several machines search and write it. Its index
 * is the blob of the store in a folder, in parts; `pages.ts` reads and writes them, and `manifest.ts` says which of them are the index.
 */
import { BlobIndex, HEADER_BYTES, type IndexKey, type OpenIndex, seal } from "#engine/index/mod.ts";
import { writeAllSync } from "#foundation/boundary/mod.ts";
import { present } from "#foundation/present.ts";
import { JoinedIndex } from "#engine/joined/mod.ts";
import {
  type ByteSink,
  type ByteSource,
  type IndexWriter,
  isMadeFor,
  type LoadedIndex,
  movedFrom,
  type OpenOptions,
  type Store,
  type StoreFacts,
  type StoreLock,
  type StoreWork,
  type VectorModel,
  type WriteOptions,
} from "../store.ts";
import { openReader, openVerified, unusable, writeAsOne } from "../folder/delta.ts";
import { CollectionState } from "./collection_state.ts";
import type { Database } from "./database.ts";
import { Lease } from "./leases.ts";
import { type Manifest, manifestOf, publish, removeRetired } from "./manifest.ts";
import { PostgresVectors } from "./neural_vectors.ts";
import { openPublished, StoredIndex } from "./stored_index.ts";
import { NewSegment, readSegment, type SegmentPlace, wholeSegment } from "./pages.ts";
import { firstTakenUp, SEGMENT_LIMITS, SegmentWriter } from "./segment_writer.ts";
import { OpenSegments } from "./segments.ts";
import { endSharedRun, PostgresWork } from "./shared_work.ts";
import { PostgresGenerated, PostgresRecognised, PostgresRemoved, PostgresRuns } from "./kept_texts.ts";
import { isAtLeast, PostgresProposer, SOUND_FROM } from "./proposed_vectors.ts";
import { schemaVersion } from "./migrations.ts";
import { roleNames } from "./scoped_database.ts";
import { Tables } from "./tables.ts";
import { MOST_AMONG, type VectorProposer } from "../vectors/proposer.ts";

/** Bytes of a backup that are copied at once. */
const COPY_BYTES = 1 << 20;

/** The place of a collection in a database. */
export interface PostgresPlace {
  readonly database: Database;
  readonly schema: string;
  /** The name of the collection, the same on every machine. */
  readonly name: string;
  /** The address of the database without a password, for messages. */
  readonly address: string;
  /** Bytes of pages that the process has at hand at most. */
  readonly cacheBytes: number;
  /** Replicas of the database. Default: none. */
  readonly replicas?: readonly Database[];
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
  readonly #state: CollectionState;
  readonly #installationKey: IndexKey;
  readonly #cacheBytes: number;
  readonly #replicas: readonly Tables[];
  #lease: Lease | undefined;
  readonly vectors: PostgresVectors;
  readonly recognised: PostgresRecognised;
  readonly generated: PostgresGenerated;
  readonly evaluations: PostgresRuns;
  readonly removed: PostgresRemoved;

  /** `root`: real path of the folder on this machine, where it need not be. */
  constructor(
    readonly root: string,
    { database, schema, name, address, cacheBytes, replicas = [] }: PostgresPlace,
    key: IndexKey,
    readonly limits = SEGMENT_LIMITS,
  ) {
    this.location = `${address} (${name})`;
    this.#name = name;
    this.#tables = new Tables(database, schema);
    this.#state = CollectionState.of(this.#tables, name);
    this.#installationKey = key;
    this.#cacheBytes = cacheBytes;
    this.#replicas = replicas.map((replica) => new Tables(replica, schema));
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

  async facts(): Promise<StoreFacts> {
    const { db, schema } = this.#tables;
    const [server] = await db.query<{ version: string; pgvector: string | null; replica: boolean }>(
      `select current_setting('server_version') as version, pg_is_in_recovery() as replica,
        (select extversion from pg_extension where extname = 'vector') as pgvector`,
    );
    const { version, pgvector, replica } = server!;
    const { reader, writer } = roleNames(schema);
    // A login of a reader or writer sees no tokens, and so lacks no roles.
    const [sizes] = await this.#tables.read<{ bytes: string; retired: string; missing: readonly string[] }>(
      `select coalesce(sum(size) filter (where retired is null), 0)::text as bytes,
        coalesce(sum(size) filter (where retired is not null), 0)::text as retired,
        array(select name from unnest($2::text[]) as name where exists (select from {token}) and
          not exists (select from pg_roles where rolname = name and pg_has_role(current_user, oid, 'member')) order by name) as missing
       from {segment} where collection = (select id from {collection} where name = $1)`,
      [this.#name, [reader, writer]],
    );
    return present({
      server: version,
      pgvector: pgvector ?? undefined,
      soundFrom: pgvector === null || isAtLeast(pgvector, SOUND_FROM) ? undefined : SOUND_FROM,
      tables: await schemaVersion(db, schema),
      bytes: Number(sizes?.bytes ?? 0),
      retired: Number(sizes?.retired ?? 0),
      isReplica: replica,
      missingRoles: sizes?.missing.length ? sizes.missing : undefined,
    });
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
    this.#state.forget();
    return true;
  }

  async open({ forUpdate = false, shows }: OpenOptions = {}): Promise<LoadedIndex> {
    try {
      const place = { tables: this.#tables, segments: this.#segments, name: this.#name };
      const index = await openPublished(place, { root: this.root, shows });
      if (index === undefined) return { state: "missing" };
      if (!index.isMoved || forUpdate) return { state: "ready", index };
      index.close();
      return { state: "moved", problem: movedFrom(index) };
    } catch (error) {
      return unusable(error);
    }
  }

  async version(): Promise<string | undefined> {
    return (await this.#state.read())?.index;
  }

  async replace<T>(
    { previous: given, ...options }: WriteOptions,
    write: (writer: IndexWriter) => Promise<T>,
  ): Promise<T> {
    const { vectors } = options;
    const previous = given && this.#opened(given);
    const lease = this.#held();
    const from = firstTakenUp(previous, options, this.limits);
    const key = await this.#key();
    using whole = previous && await this.#wholeFrom(previous, from, key);
    return await this.#writeSegment(lease, async (file) => {
      const writer = new SegmentWriter(file, key, whole, { from, vectors });
      const made = await write(writer);
      return { made, manifest: manifestOf(previous?.entries.slice(0, from) ?? [], file, writer.outcome) };
    });
  }

  async lock(work: StoreWork = "index"): Promise<StoreLock> {
    const lease = await this.#take(work);
    this.#state.forget();
    if (work === "index") {
      this.#lease = lease;
      await endSharedRun(this.#tables, lease.collection);
      await removeRetired(this.#tables, lease.collection);
    }
    return lease;
  }

  sharedWork(): Promise<PostgresWork> {
    const held = () => this.#held();
    const changed = () => this.#state.forget();
    return Promise.resolve(new PostgresWork(this.#tables, this.#name, this.#segments, held, changed));
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
    const opened = this.#opened(given);
    if (opened.isOneSegment) return await this.#copy(opened.entries[0]!, sink);
    using index = await this.#wholeFrom(opened, 0, await this.#key());
    return await writeAsOne(index, opened, sink, this.#installationKey);
  }

  openBackup(source: ByteSource): Promise<OpenIndex> {
    return Promise.try(() => openVerified(source, this.#installationKey));
  }

  async restore(given: OpenIndex): Promise<void> {
    if (!(given instanceof BlobIndex)) throw new TypeError("no backup of this store");
    const { reader, meta } = given, key = await this.#key();
    const movedFrom = isMadeFor(given, this.root) ? {} : { movedFrom: meta.root };
    await this.#writeSegment(this.#held(), async (file) => {
      const header = reader.bytes(0, HEADER_BYTES);
      seal(header, key);
      for (let at = 0; at < reader.size; at += COPY_BYTES) {
        const bytes = reader.bytes(at, Math.min(at + COPY_BYTES, reader.size));
        if (at === 0) bytes.set(header);
        writeAllSync(file, bytes);
        await file.flush();
      }
      const order = [{ part: 0, from: 0, to: reader.files.length }];
      return {
        made: undefined,
        manifest: { ...manifestOf([], file, { order, changes: [] }), ...movedFrom },
      };
    });
  }

  /**
   * Returns the vectors of a model in pgvector for an index with so many chunks; `undefined` up to `exactUpTo` chunks, which are all
   * compared, and without pgvector.
   */
  async proposer(
    model: VectorModel,
    chunks: number,
    exactUpTo = MOST_AMONG,
  ): Promise<VectorProposer | undefined> {
    if (chunks <= exactUpTo) return undefined;
    const [row] = await this.#tables.read<{ id: string }>(
      "select id::text from {collection} where name = $1",
      [
        this.#name,
      ],
    );
    return row && await PostgresProposer.open(this.#tables, row.id, model, { exactUpTo });
  }

  get #segments(): OpenSegments {
    return OpenSegments.of(this.#tables, this.#replicas, this.#cacheBytes);
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

  /** The lock of the index. */
  #held(): Lease {
    if (this.#lease === undefined) throw new TypeError("the lock of the index is not held");
    return this.#lease;
  }

  #opened(index: OpenIndex): StoredIndex {
    if (index instanceof StoredIndex) return index;
    throw new TypeError("an index of another store");
  }

  /** Copies a segment, under the seal of the installation. */
  async #copy(place: SegmentPlace, sink: ByteSink): Promise<number> {
    let size = 0;
    for await (const bytes of readSegment(this.#tables, place)) {
      if (size === 0) seal(bytes.subarray(0, HEADER_BYTES), this.#installationKey);
      writeAllSync(sink, bytes);
      size += bytes.length;
    }
    return size;
  }

  /** Returns an index of which the segments from one on can be taken up: they are in memory as a whole. */
  async #wholeFrom(index: StoredIndex, from: number, key: IndexKey): Promise<JoinedIndex<BlobIndex>> {
    const { entries, parts, order } = index;
    const wholes = await Promise.all(entries.map(async (entry, i) => {
      if (i < from) return parts[i]!;
      return new BlobIndex(openReader(await wholeSegment(this.#tables, entry), key));
    }));
    // Of those before, only the tables of files are used.
    return new JoinedIndex(entries.map((changes, i) => ({ index: wholes[i]! as BlobIndex, changes })), {
      order,
    });
  }

  /** Writes a new segment and publishes a manifest with it. */
  async #writeSegment<T>(
    lease: Lease,
    write: (file: NewSegment) => Promise<{ readonly made: T; readonly manifest: Manifest }>,
  ): Promise<T> {
    const file = await NewSegment.begin(this.#tables, lease.collection);
    const writing = async () => {
      const written = await write(file);
      await file.finish();
      return written;
    };
    const { made, manifest } = await writing().catch(async (error) => {
      await file.discard();
      throw error;
    });
    // If the connection is lost here, the index may be published all the same, so that its segment stays: the next one retires it if not.
    await publish(this.#tables, lease, manifest).finally(() => this.#state.forget());
    return made;
  }
}
