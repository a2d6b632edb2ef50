/**
 * A run that several writers do together. A job is a row that a writer holds for some seconds and renews; the transaction that adds its
 * files to the manifest removes it, so they are in the index once or not at all.
 */
import type { FileRecord, IndexKey, StoredFile, VectorMeta } from "#engine/index/mod.ts";
import { inOrderOfPaths } from "#engine/joined/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { IndexWriter, SharedBatch, SharedFile, SharedWork } from "../store.ts";
import { type Lease, LEASE_SECONDS, RENEWAL_MS } from "./leases.ts";
import type { Manifest } from "./manifest.ts";
import { NewSegment, type SegmentPlace } from "./pages.ts";
import { SegmentWriter } from "./segment_writer.ts";
import type { OpenSegments } from "./segments.ts";
import type { Tables } from "./tables.ts";

/** How often a job is taken before it is left to the end of the run: its files may be what ends writers. */
const MOST_TRIES = 3;

/** Ends the run of a collection, by the holder of the lock: nobody can publish a batch of it any more. */
export async function endSharedRun(tables: Tables, collection: string): Promise<void> {
  await tables.write("delete from {shared_run} where collection = $1", [collection]);
}

export class PostgresWork implements SharedWork {
  readonly #tables: Tables;
  readonly #name: string;
  readonly #segments: OpenSegments;
  readonly #held: () => Lease;
  readonly #changed: () => void;

  /** `held` returns the lock of the index. `changed` is called after a batch was published. */
  constructor(
    tables: Tables,
    name: string,
    segments: OpenSegments,
    held: () => Lease,
    changed: () => void,
  ) {
    this.#tables = tables;
    this.#name = name;
    this.#segments = segments;
    this.#held = held;
    this.#changed = changed;
  }

  async begin(settings: string): Promise<void> {
    const begun = await this.#tables.write(
      `with held as (select collection from {lease} where token = $1 for update)
       insert into {shared_run} (collection, settings) select collection, $2 from held returning 1`,
      [this.#held().token, settings],
    );
    if (begun.length === 0) throw new UserError("store_lock_lost");
  }

  async divide(batches: readonly (readonly SharedFile[])[]): Promise<void> {
    const lease = this.#held();
    await this.#tables.transaction(async (write) => {
      await lease.check(write);
      await write("delete from {job} where collection = $1", [lease.collection]);
      for (const files of batches) {
        await write("insert into {job} (collection, files) values ($1, $2::jsonb)", [
          lease.collection,
          JSON.stringify(files),
        ]);
      }
    });
  }

  async end(): Promise<void> {
    await this.#tables.write(
      `with held as (select collection from {lease} where token = $1 for update)
       delete from {shared_run} where collection in (select collection from held)`,
      [this.#held().token],
    );
  }

  async settings(): Promise<string | undefined> {
    const [row] = await this.#tables.read<{ settings: string }>(
      "select settings from {shared_run} where collection = (select id from {collection} where name = $1)",
      [this.#name],
    );
    return row?.settings;
  }

  async isUnfinished(): Promise<boolean> {
    const rows = await this.#tables.read(
      `select 1 from {job} where collection = (select id from {collection} where name = $1) and
        (tries < $2 or until > clock_timestamp()) limit 1`,
      [this.#name, MOST_TRIES],
    );
    return rows.length > 0;
  }

  async claim(settings: string): Promise<SharedBatch | undefined> {
    const owner = crypto.randomUUID();
    // A writer passes over the row that another one is just taking.
    const [job] = await this.#tables.write<ClaimedJob>(
      `update {job} set owner = $3, until = clock_timestamp() + make_interval(secs => $4), tries = tries + 1
       where id = (
         select job.id from {job} job
         join {shared_run} run using (collection) join {collection} c on c.id = run.collection
         where c.name = $1 and run.settings = $2 and tries < $5 and
           (until is null or until <= clock_timestamp())
         order by job.id limit 1 for update of job skip locked
       ) returning id::text, collection::text, files`,
      [this.#name, settings, owner, LEASE_SECONDS, MOST_TRIES],
    );
    return job && new PostgresBatch(this.#tables, this.#segments, { ...job, owner }, this.#changed);
  }
}

interface ClaimedJob {
  readonly id: string;
  readonly collection: string;
  readonly files: readonly SharedFile[];
}

/** A collection as a batch is added to it. */
interface Target {
  readonly key: IndexKey;
  readonly version: string;
  readonly manifest: Manifest | null;
}

class PostgresBatch implements SharedBatch {
  readonly files: readonly SharedFile[];
  readonly #tables: Tables;
  readonly #segments: OpenSegments;
  readonly #job: ClaimedJob & { readonly owner: string };
  readonly #changed: () => void;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(
    tables: Tables,
    segments: OpenSegments,
    job: ClaimedJob & { readonly owner: string },
    changed: () => void,
  ) {
    this.files = job.files;
    this.#tables = tables;
    this.#segments = segments;
    this.#job = job;
    this.#changed = changed;
    this.#timer = setInterval(() => void this.#hold(LEASE_SECONDS), RENEWAL_MS);
    Deno.unrefTimer(this.#timer);
  }

  async publish(
    vectors: VectorMeta | undefined,
    write: (writer: IndexWriter) => Promise<unknown>,
  ): Promise<boolean> {
    const { collection } = this.#job;
    const { key } = await this.#target();
    const segment = await NewSegment.begin(this.#tables, collection);
    let isPublished = false;
    try {
      const writer = new BatchWriter(segment, key, undefined, { from: 0, vectors });
      await write(writer);
      if (writer.files.length > 0) await segment.finish();
      let tried: "published" | "raced" | "lost";
      do tried = await this.#publish(segment, writer.files); while (tried === "raced");
      isPublished = tried === "published";
      this.#changed();
      return isPublished;
    } finally {
      if (!isPublished) await segment.discard();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#hold(0);
  }

  /** Adds the segment to the manifest as it is now, unless that is replaced meanwhile. */
  async #publish(
    segment: SegmentPlace,
    files: readonly StoredFile[],
  ): Promise<"published" | "raced" | "lost"> {
    const { id, collection, owner } = this.#job;
    const { key, version, manifest: before } = await this.#target();
    const manifest = files.length === 0 ? before : await this.#with(segment, files, before, key);
    return await this.#tables.transaction(async (write) => {
      const own = await write("delete from {job} where id = $1 and owner = $2 returning 1", [id, owner]);
      if (own.length === 0) return "lost";
      if (files.length === 0) return "published";
      const changed = await write(
        "update {collection} set manifest = $3, version = version + 1 where id = $1 and version = $2 returning 1",
        [collection, version, JSON.stringify(manifest)],
      );
      if (changed.length === 0) throw new Raced();
      return "published";
    }).catch((error): "raced" => {
      if (error instanceof Raced) return "raced";
      throw error;
    });
  }

  /** The manifest with one more segment, its files in their places. */
  async #with(
    { id, size }: SegmentPlace,
    files: readonly StoredFile[],
    before: Manifest | null,
    key: IndexKey,
  ): Promise<Manifest> {
    const { segments, ...rest } = before ?? { segments: [] };
    const { collection } = this.#job;
    using leases = new DisposableStack();
    const parts = [];
    for (const place of segments) {
      const { index } = leases.use(await this.#segments.lease(collection, place, key));
      parts.push(index.files);
    }
    const order = inOrderOfPaths([...parts, files]).map(({ part, from, to }) => [part, from, to] as const);
    return { ...rest, segments: [...segments, { id, size, dead: [], records: [] }], order };
  }

  async #target(): Promise<Target> {
    const [row] = await this.#tables.write<Target>(
      "select key, version::text, manifest from {collection} where id = $1",
      [this.#job.collection],
    );
    // The collection was removed: nothing can be published, and the key is of no use.
    return row ?? { key: new Uint8Array(32), version: "0", manifest: null };
  }

  /** Holds the job for so many seconds more, as far as possible. */
  async #hold(seconds: number): Promise<void> {
    try {
      await this.#tables.write(
        "update {job} set until = clock_timestamp() + make_interval(secs => $3) where id = $1 and owner = $2",
        [this.#job.id, this.#job.owner, seconds],
      );
    } catch {
      // It ends by itself after a while, or the next one renews it.
    }
  }
}

/** Another writer has published meanwhile. */
class Raced extends Error {}

/** Writes a batch, without the files that could not be read: they may be readable for another writer. */
class BatchWriter extends SegmentWriter {
  readonly files: StoredFile[] = [];

  override addEmpty(record: FileRecord): void {
    if (record.status === "failed") return;
    super.addEmpty(record);
    this.#note(record);
  }

  override async endFile(record: FileRecord): Promise<void> {
    await super.endFile(record);
    this.#note(record);
  }

  /** Their chunks do not count for the order. */
  #note(record: FileRecord): void {
    this.files.push({ ...record, firstChunk: 0, chunkCount: 0 });
  }
}
