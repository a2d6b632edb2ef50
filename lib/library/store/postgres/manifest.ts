/**
 * The manifest of a collection: the segments that its index consists of. One transaction puts a new one in the place of the old one, so
 * a reader sees the old index or the new one.
 */
import { DamagedIndexError, type IndexKey, isFileRecord, type OpenIndex } from "#engine/index/mod.ts";
import type { PartChanges } from "#engine/joined/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { isPathInside } from "../store.ts";
import type { Lease } from "./leases.ts";
import type { SegmentPlace } from "./pages.ts";
import type { SegmentWriter } from "./segment_writer.ts";
import type { Tables } from "./tables.ts";

/** The segments of an index, and how they are one. */
export interface Manifest {
  readonly segments: readonly SegmentEntry[];
  /** The files in the order of the index: of a segment, by its place in the list, files from one number to another, the last one exclusive. */
  readonly order: readonly (readonly [segment: number, from: number, to: number])[];
  /** The folder of a backup that was restored, if that was another one. */
  readonly movedFrom?: string;
}

/** A segment of an index. */
export interface SegmentEntry extends PartChanges, SegmentPlace {}

/** Time for which the parts of a segment stay that no index has any more: a reader may still need them. */
const GRACE = "5 minutes";

/** A collection with an index. */
interface Published {
  readonly id: string;
  readonly key: IndexKey;
  readonly manifest: Manifest;
  readonly version: string;
}

/** The manifest of segments that stay, with what has changed in them, and a new one. Those without a file that counts are left out. */
export function manifestOf(
  staying: readonly SegmentEntry[],
  { id, size }: SegmentPlace,
  { order, changes }: SegmentWriter["outcome"],
): Manifest {
  const all = [...staying.map((entry, i) => ({ ...entry, ...changes[i]! })), {
    id,
    size,
    dead: [],
    records: [],
  }];
  const kept = all.filter((entry, i) => entry.id === id || order.some(({ part }) => part === i));
  return {
    segments: kept,
    order: order.map(({ part, from, to }) => [kept.indexOf(all[part]!), from, to] as const),
  };
}

/** Throws `DamagedIndexError` if a manifest names files that its segments do not have. */
export function checkManifest(
  { segments, order }: Manifest,
  indexes: readonly Pick<OpenIndex, "files">[],
): void {
  const fits = segments.every(({ dead, records }, i) => {
    const isFile = (file: number) =>
      Number.isSafeInteger(file) && file >= 0 && file < indexes[i]!.files.length;
    return dead.every(isFile) &&
      records.every(([file, record]) => isFile(file) && isFileRecord(record) && isPathInside(record.path));
  });
  const isInOrder = order.every(([segment, from, to]) =>
    from >= 0 && from <= to && to <= (indexes[segment]?.files.length ?? -1)
  );
  if (!fits || !isInOrder) throw new DamagedIndexError("manifest of the index");
}

/** Returns the manifest of a collection; `undefined` if it has no index. */
export async function readManifest(tables: Tables, name: string): Promise<Published | undefined> {
  const [row] = await tables.read<Published>(
    "select id::text, key, manifest, version::text from {collection} where name = $1 and manifest is not null",
    [name],
  );
  return row;
}

/**
 * Makes a manifest that of the collection, and retires the segments that it does not name. Throws `store_lock_lost` if another process
 * has the lock by now.
 */
export async function publish(
  tables: Tables,
  lease: Lease,
  manifest: Manifest,
): Promise<void> {
  const { collection } = lease;
  await tables.transaction(async (write) => {
    await lease.check(write);
    const ids = manifest.segments.map(({ id }) => id);
    const there = await write("select 1 from {segment} where id = any($1::bigint[]) and retired is null", [
      ids,
    ]);
    if (there.length < ids.length) throw new UserError("store_lock_lost");
    await write("update {collection} set manifest = $2, version = version + 1 where id = $1", [
      collection,
      JSON.stringify(manifest),
    ]);
    await write(
      "update {segment} set retired = now() where collection = $1 and retired is null and id <> all($2::bigint[])",
      [collection, ids],
    );
  });
  await removeRetired(tables, collection);
}

/** Removes the segments that no reader needs any more, as far as possible. */
export async function removeRetired(tables: Tables, collection: string): Promise<void> {
  try {
    await tables.write("delete from {segment} where collection = $1 and retired < now() - $2::interval", [
      collection,
      GRACE,
    ]);
  } catch {
    // The next one that publishes tries again.
  }
}
