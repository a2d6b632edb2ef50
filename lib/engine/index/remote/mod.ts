/**
 * Indexes whose bytes lie far away: they are fetched page by page when a search needs them.
 * @module
 */
export { PageCache } from "./page_cache.ts";
export { PART_BYTES, type PartRange, type RemoteBytes } from "./remote_bytes.ts";
export { openRemote, type RemoteIndex } from "./remote_index.ts";
