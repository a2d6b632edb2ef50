/**
 * The seam to the place far away where the bytes of a blob lie.
 */

/** Bytes of a part. A blob lies in parts of this size one after the other; the last one may be shorter. */
export const PART_BYTES = 1 << 16;

/** Bytes of a page: of a block, which has a checksum of its own. */
export const PAGE_BYTES = 4096;

/** Bytes `from` to `to` (exclusive) of a part; at least one byte. */
export interface PartRange {
  readonly part: number;
  readonly from: number;
  readonly to: number;
}

/** The bytes of one blob, which never change. */
export interface RemoteBytes {
  readonly size: number;
  /**
   * Returns the bytes of each range, in their order, in one round trip. The ranges ascend and are some megabytes at most. What several
   * blobs are asked for at the same time is asked for in one turn of the event loop, so that a store can join it to one query. A
   * failure is that of every search that waits for the bytes.
   */
  read(ranges: readonly PartRange[], signal?: AbortSignal): Promise<readonly Uint8Array[]>;
  close(): void;
}

/** A blob of which some pages are at hand. */
export interface PagedBlob {
  readonly remote: RemoteBytes;
  readonly isClosed: boolean;
}
