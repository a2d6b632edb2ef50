/**
 * The seam to a place far away that keeps the bytes of a blob.
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
   * Returns the bytes of each range, in their order, in one round trip. The ranges ascend and have about 16 MB together at most. Blobs
   * that are needed at the same time are asked in one turn of the event loop, so that a store can join the requests to one query. An
   * error fails every search that waits for the bytes.
   */
  read(ranges: readonly PartRange[], signal?: AbortSignal): Promise<readonly Uint8Array[]>;
  close(): void;
}

/** A blob of which some pages are at hand. */
export interface PagedBlob {
  readonly remote: RemoteBytes;
  readonly isClosed: boolean;
}
