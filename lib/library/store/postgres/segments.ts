/**
 * The segments that a process has open, shared by the searches and updates of all its stores: the tables in memory, and the pages that
 * were used last.
 */
import { DamagedIndexError, type IndexKey } from "#engine/index/mod.ts";
import { openRemote, PageCache, type RemoteIndex } from "#engine/index/remote/mod.ts";
import { isPathInside } from "../store.ts";
import type { Database } from "./database.ts";
import { PageQueries, type SegmentPlace } from "./pages.ts";
import { Replicas } from "./replicas.ts";
import type { Tables } from "./tables.ts";

/** A segment that is open. */
interface OpenSegment {
  readonly collection: string;
  readonly index: Promise<RemoteIndex>;
  users: number;
}

/** The right to use a segment until it is disposed of. */
interface SegmentLease extends Disposable {
  readonly index: RemoteIndex;
}

const pools = new WeakMap<Database, Map<string, OpenSegments>>();

/** The pages that this process has at hand, by the most bytes of them: all databases with one setting share them. */
const caches = new Map<number, PageCache>();

export class OpenSegments {
  readonly #pages: PageQueries;
  readonly #open = new Map<string, OpenSegment>();

  private constructor(tables: Tables, replicas: readonly Tables[], readonly cache: PageCache) {
    this.#pages = new PageQueries(tables, new Replicas(tables.db, replicas));
  }

  /** The open segments of a schema. `replicas`: where their pages may be read, too. */
  static of(tables: Tables, replicas: readonly Tables[], cacheBytes: number): OpenSegments {
    const ofDatabase = pools.getOrInsertComputed(tables.db, () => new Map<string, OpenSegments>());
    return ofDatabase.getOrInsertComputed(tables.schema, () => {
      const cache = caches.getOrInsertComputed(cacheBytes, () => new PageCache(cacheBytes));
      return new OpenSegments(tables, replicas, cache);
    });
  }

  /** Opens a segment, or shares it. Throws as {@linkcode openRemote}. */
  async lease(collection: string, place: SegmentPlace, key: IndexKey): Promise<SegmentLease> {
    const { id } = place;
    let segment = this.#open.get(id);
    if (segment === undefined) {
      segment = { collection, index: this.#read(place, key), users: 0 };
      this.#open.set(id, segment);
    }
    segment.users++;
    const release = () => {
      segment.users--;
    };
    try {
      const index = await segment.index;
      // The next one reads a damaged segment again.
      if (index.damage !== undefined) this.#forget(id, segment);
      return { index, [Symbol.dispose]: release };
    } catch (error) {
      this.#forget(id, segment);
      release();
      throw error;
    }
  }

  /** Closes the segments of a collection that nothing uses and that its index does not have any more. */
  closeOthers(collection: string, places: readonly SegmentPlace[]): void {
    for (const [id, segment] of this.#open) {
      if (segment.collection !== collection || segment.users > 0 || places.some((one) => one.id === id)) {
        continue;
      }
      this.#forget(id, segment);
      segment.index.then((index) => index.close(), () => {});
    }
  }

  #forget(id: string, segment: OpenSegment): void {
    if (this.#open.get(id) === segment) this.#open.delete(id);
  }

  async #read(place: SegmentPlace, key: IndexKey): Promise<RemoteIndex> {
    const index = await openRemote(this.#pages.bytesOf(place), { key, cache: this.cache });
    const outside = index.files.findIndex(({ path }) => !isPathInside(path));
    if (outside < 0) return index;
    index.close();
    throw new DamagedIndexError(`path of file ${outside}`);
  }
}
