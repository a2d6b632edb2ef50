export type { BlobFile } from "./blocks.ts";
export { DamagedIndexError, ForeignIndexError, OutdatedIndexError } from "./format.ts";
export { type Bytes, type Numbers, PagedNumbers } from "./pages.ts";
export { BlobReader } from "./reader.ts";
export { type IndexKey, SEAL_BYTES, sealOf } from "./seal.ts";
export { BlobWriter } from "./writer.ts";
