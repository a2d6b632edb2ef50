/**
 * Reads ZIP archives within limits: the container of Office, OpenDocument and EPUB files.
 * @module
 */
export { Zip, ZIP_LIMITS, type ZipLimits } from "./zip.ts";
