/**
 * Indexes whose bytes lie far away: they are fetched page by page when a search needs them.
 * @module
 */
export { PageCache } from "./page_cache.ts";
export { PagedFile } from "./paged_file.ts";
export { PART_BYTES, type PartRange, type RemoteBytes } from "./remote_bytes.ts";
export { openRemote, RemoteIndex, type RemoteOptions } from "./remote_index.ts";
