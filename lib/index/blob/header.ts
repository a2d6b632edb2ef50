import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import {
  ALIGNMENT,
  AT,
  type BlobSection,
  DamagedIndexError,
  ENTRY_BYTES,
  ForeignIndexError,
  FORMAT_VERSION,
  HEADER_BYTES,
  MAGIC,
  MAX_SECTIONS,
  OutdatedIndexError,
  tableLength,
} from "./format.ts";
import { type IndexKey, isSealOf, SEAL_BYTES, sealOf } from "./seal.ts";

/** The fields of a blob's header. */
export interface Header {
  readonly sections: ReadonlyMap<string, BlobSection>;
  /** Bytes of the file. */
  readonly size: number;
  /** Offset of the block table, which ends with the file. */
  readonly tableAt: number;
  readonly tableHash: Uint8Array;
  /** The HMAC in hexadecimal. */
  readonly seal: string;
}

/** The header of a blob of these sections, sealed with the key. */
export function encodeHeader(
  sections: readonly BlobSection[],
  tableAt: number,
  table: Uint8Array,
  key: IndexKey,
): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  const encoder = new TextEncoder();
  encoder.encodeInto(MAGIC, header);
  view.setUint32(AT.version, FORMAT_VERSION, true);
  view.setFloat64(AT.size, tableAt + table.length, true);
  view.setFloat64(AT.table, tableAt, true);
  view.setUint32(AT.count, sections.length, true);
  header.set(hashOf(table), AT.tableHash);
  sections.forEach(({ name, offset, length }, i) => {
    const at = AT.entries + i * ENTRY_BYTES;
    encoder.encodeInto(name, header.subarray(at, at + 16));
    view.setFloat64(at + 16, offset, true);
    view.setFloat64(at + 24, length, true);
  });
  seal(header, key);
  return header;
}

/** Replaces the HMAC and the checksum of a header. */
export function seal(header: Uint8Array, key: IndexKey): void {
  const view = new DataView(header.buffer, header.byteOffset);
  view.setUint32(AT.crc, 0, true);
  header.fill(0, AT.seal, AT.seal + SEAL_BYTES);
  header.set(sealOf(key, "index", header), AT.seal);
  view.setUint32(AT.crc, crc32(header), true);
}

/**
 * Reads a header. `bytes` are the first 4096 of a file of `size` bytes. Fields are used only after the HMAC was checked.
 * Throws {@linkcode DamagedIndexError}, {@linkcode OutdatedIndexError} or {@linkcode ForeignIndexError}.
 */
export function decodeHeader(bytes: Uint8Array, size: number, key: IndexKey): Header {
  const header = bytes.slice();
  const view = new DataView(header.buffer);
  if (ascii(header.subarray(0, 8)) !== MAGIC) throw new DamagedIndexError("not an index");
  const version = view.getUint32(AT.version, true);
  if (version !== FORMAT_VERSION) {
    throw new OutdatedIndexError(`format ${version}, wanted ${FORMAT_VERSION}`);
  }
  const crc = view.getUint32(AT.crc, true);
  view.setUint32(AT.crc, 0, true);
  if (crc32(header) !== crc) throw new DamagedIndexError("checksum of the header");
  const code = header.slice(AT.seal, AT.seal + SEAL_BYTES);
  header.fill(0, AT.seal, AT.seal + SEAL_BYTES);
  if (!isSealOf(code, key, "index", header)) throw new ForeignIndexError("not written by this installation");

  const tableAt = view.getFloat64(AT.table, true);
  if (view.getFloat64(AT.size, true) !== size) throw new DamagedIndexError("length of the file");
  const isPlace = Number.isSafeInteger(tableAt) && tableAt >= HEADER_BYTES && tableAt <= size;
  if (!isPlace || size - tableAt !== tableLength(tableAt - HEADER_BYTES)) {
    throw new DamagedIndexError("place of the block table");
  }
  const tableHash = header.subarray(AT.tableHash, AT.tableHash + 32);
  return { sections: sectionsIn(header, view, tableAt), size, tableAt, tableHash, seal: code.toHex() };
}

function sectionsIn(header: Uint8Array, view: DataView, end: number): Map<string, BlobSection> {
  const count = view.getUint32(AT.count, true);
  if (count > MAX_SECTIONS) throw new DamagedIndexError(`${count} sections`);
  const sections = new Map<string, BlobSection>();
  for (let i = 0; i < count; i++) {
    const at = AT.entries + i * ENTRY_BYTES;
    const name = ascii(header.subarray(at, at + 16)).replace(/\0+$/, "");
    const offset = view.getFloat64(at + 16, true);
    const length = view.getFloat64(at + 24, true);
    const isPlace = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && length >= 0 &&
      offset >= HEADER_BYTES && offset + length <= end && offset % ALIGNMENT === 0;
    if (!isPlace || sections.has(name)) throw new DamagedIndexError(`place of section ${name}`);
    sections.set(name, { name, offset, length });
  }
  return sections;
}

/** Returns the SHA-256 of bytes. */
export function hashOf(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
