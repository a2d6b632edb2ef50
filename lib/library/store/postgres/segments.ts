/** The segments that a process has open. Searches and updates of all its stores share them. */
import { BlobIndex, type IndexKey } from "#engine/index/mod.ts";
import { openReader } from "../folder/delta.ts";
import type { Database } from "./database.ts";
import { readSegment } from "./pages.ts";
import type { Tables } from "./tables.ts";

/** A segment that is open. */
interface OpenSegment {
  readonly collection: string;
  readonly index: Promise<BlobIndex | undefined>;
  users: number;
}

/** The right to use a segment until it is disposed of. */
export interface SegmentLease extends Disposable {
  readonly index: BlobIndex;
}

const pools = new WeakMap<Database, Map<string, OpenSegments>>();

export class OpenSegments {
  readonly #tables: Tables;
  readonly #open = new Map<string, OpenSegment>();

  private constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** The open segments of a schema. */
  static of(tables: Tables): OpenSegments {
    const ofDatabase = pools.get(tables.db) ?? new Map<string, OpenSegments>();
    pools.set(tables.db, ofDatabase);
    let segments = ofDatabase.get(tables.schema);
    if (segments === undefined) ofDatabase.set(tables.schema, segments = new OpenSegments(tables));
    return segments;
  }

  /** Opens a segment, or shares it. `undefined` if it is gone. Throws as `IndexReader.open`. */
  async lease(collection: string, id: string, key: IndexKey): Promise<SegmentLease | undefined> {
    let segment = this.#open.get(id);
    if (segment === undefined) {
      segment = { collection, index: this.#read(id, key), users: 0 };
      this.#open.set(id, segment);
    }
    segment.users++;
    const release = () => {
      segment.users--;
    };
    try {
      const index = await segment.index;
      // What is damaged is read again by the next one.
      if (index === undefined || index.damage !== undefined) this.#forget(id, segment);
      if (index !== undefined) return { index, [Symbol.dispose]: release };
    } catch (error) {
      this.#forget(id, segment);
      throw error;
    }
    release();
    return undefined;
  }

  /** Closes the segments of a collection that nothing uses and that its index does not have any more. */
  closeOthers(collection: string, ids: readonly string[]): void {
    for (const [id, segment] of this.#open) {
      if (segment.collection !== collection || ids.includes(id) || segment.users > 0) continue;
      this.#forget(id, segment);
      segment.index.then((index) => index?.close(), () => {});
    }
  }

  #forget(id: string, segment: OpenSegment): void {
    if (this.#open.get(id) === segment) this.#open.delete(id);
  }

  async #read(id: string, key: IndexKey): Promise<BlobIndex | undefined> {
    const file = await readSegment(this.#tables, id);
    return file && new BlobIndex(openReader(file, key));
  }
}
