/** The index that a collection has in the database, opened: its segments as one. */
import { DamagedIndexError } from "#engine/index/mod.ts";
import type { RemoteIndex } from "#engine/index/remote/mod.ts";
import { type FileRange, JoinedIndex } from "#engine/joined/mod.ts";
import type { FileMask } from "../store.ts";
import { checkManifest, type Manifest, readManifest, type SegmentEntry } from "./manifest.ts";
import type { OpenSegments } from "./segments.ts";
import type { Tables } from "./tables.ts";

/** How often an index is opened that other processes keep replacing. */
const ATTEMPTS = 10;

/** The place of an index. */
interface IndexPlace {
  readonly tables: Tables;
  readonly segments: OpenSegments;
  /** The name of the collection. */
  readonly name: string;
}

/** How an index is seen on this machine. */
interface IndexView {
  /** Path of the folder. */
  readonly root: string;
  readonly shows: FileMask | undefined;
}

/** Opens the index that is published; `undefined` if there is none. */
export async function openPublished(
  { tables, segments, name }: IndexPlace,
  view: IndexView,
): Promise<StoredIndex | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const found = await readManifest(tables, name);
    if (found === undefined) return undefined;
    const { id, key, manifest, version } = found;
    const opening = manifest.segments.map((segment) => segments.lease(id, segment, key));
    const opened = await Promise.allSettled(opening);
    using leases = new DisposableStack();
    for (const lease of opened) if (lease.status === "fulfilled") leases.use(lease.value);
    segments.closeOthers(id, manifest.segments);
    const failed = opened.find((lease) => lease.status === "rejected");
    if (failed === undefined) {
      const parts = await Promise.all(opening.map(async (lease) => (await lease).index));
      checkManifest(manifest, parts);
      const index = new StoredIndex(parts, manifest, view);
      // Methods that do not wait must not need any bytes later.
      await segments.cache.run(() => index.statistics);
      index.leases = leases.move();
      return index;
    }
    // Its segments may have been removed meanwhile, because there is another index by now.
    const now = await readManifest(tables, name);
    if (now?.version === version) throw failed.reason;
  }
  throw new DamagedIndexError("the index was replaced all the time");
}

/** A published index. It shows its files with the root of this machine. */
export class StoredIndex extends JoinedIndex<RemoteIndex> {
  readonly entries: readonly SegmentEntry[];
  readonly order: readonly FileRange[];
  readonly #wholes: readonly RemoteIndex[];
  readonly isMoved: boolean;
  leases: Disposable | undefined;

  constructor(
    parts: readonly RemoteIndex[],
    { segments, order: listed, movedFrom }: Manifest,
    { root, shows }: IndexView,
  ) {
    // The folder of this machine, wherever it lay on the one that wrote the index.
    const isMoved = movedFrom !== undefined && movedFrom !== root;
    const { meta } = parts.at(-1)!;
    const order = listed.map(([part, from, to]) => ({ part, from, to }));
    super(segments.map((changes, i) => ({ index: parts[i]!, changes })), {
      order,
      meta: isMoved ? meta : { ...meta, root },
      shows,
    });
    this.entries = segments;
    this.order = order;
    this.isMoved = isMoved;
    this.#wholes = parts;
  }

  /** Bytes of text in each segment, and those that are not gone. */
  get sizes(): readonly { readonly whole: number; readonly alive: number }[] {
    return this.#wholes.map(({ statistics: { textBytes: whole } }, i) => ({
      whole,
      alive: this.parts[i]!.statistics.textBytes,
    }));
  }

  /** Whether it is one segment, as it was written. */
  get isOneSegment(): boolean {
    return this.entries.length === 1 && this.entries[0]!.dead.length + this.entries[0]!.records.length === 0;
  }

  /** The segments stay open for others. */
  override close(): void {
    this.leases?.[Symbol.dispose]();
  }
}
