export { DamagedBlobError, FORMAT_VERSION, OutdatedBlobError } from "./format.ts";
export { BlobReader } from "./reader.ts";
export { BlobWriter } from "./writer.ts";
