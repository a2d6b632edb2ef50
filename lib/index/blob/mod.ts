export { DamagedBlobError, OutdatedBlobError } from "./format.ts";
export { BlobReader } from "./reader.ts";
export { BlobWriter } from "./writer.ts";
