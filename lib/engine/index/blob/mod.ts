export { type BlobFile, BlobReader, type Bytes, type Numbers, PagedNumbers } from "./reader.ts";
export {
  DamagedIndexError,
  ForeignIndexError,
  type IndexKey,
  OutdatedIndexError,
  SEAL_BYTES,
  sealOf,
} from "./format.ts";
export { type BlobSink, BlobWriter } from "./writer.ts";
