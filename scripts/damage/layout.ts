/**
 * How an index lies in its file, for those who change it: the one module here that knows the format of lib/index/blob.
 */
import { crc32 } from "node:zlib";
import {
  ALIGNMENT,
  ENTRIES_AT,
  ENTRY_BYTES,
  FORMAT_VERSION,
  HEADER_BYTES,
  MAGIC,
  MAX_SECTIONS,
} from "../../lib/index/blob/format.ts";

/** Who changes the file: every checksum is made right again, and with the key the seal of the header, too. */
export interface Forger {
  readonly name: "without the key" | "with the key";
}

/** The format has no key yet: a forger with one would write the same as the one without. */
export const FORGERS: readonly Forger[] = [{ name: "without the key" }];

/** One section of a file. */
export interface Place {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

/** Where the header says what; the numbers are float64 but the count, a uint32. */
const SIZE_AT = 24;
const COUNT_AT = 16;
const CRC_AT = 12;

/** The sections in the order of the file. */
export function placesIn(bytes: Uint8Array): Place[] {
  const view = viewOf(bytes);
  const count = Math.min(view.getUint32(COUNT_AT, true), MAX_SECTIONS);
  return Array.from({ length: count }, (_, i) => {
    const at = ENTRIES_AT + i * ENTRY_BYTES;
    const name = String.fromCharCode(...bytes.subarray(at, at + 16)).replace(/\0+$/, "");
    return { name, offset: view.getFloat64(at + 16, true), length: view.getFloat64(at + 24, true) };
  });
}

/** The sections' contents by their names, copied. */
export function partsOf(bytes: Uint8Array): Map<string, Uint8Array<ArrayBuffer>> {
  return new Map(
    placesIn(bytes).map(({ name, offset, length }) => [
      name,
      bytes.slice(offset, offset + length) as Uint8Array<ArrayBuffer>,
    ]),
  );
}

/** A whole file of these sections. */
export function assemble(parts: ReadonlyMap<string, Uint8Array>, forger: Forger): Uint8Array<ArrayBuffer> {
  let size = HEADER_BYTES;
  const places: Place[] = [];
  for (const [name, { length }] of parts) {
    size = Math.ceil(size / ALIGNMENT) * ALIGNMENT;
    places.push({ name, offset: size, length });
    size += length;
  }
  const bytes = new Uint8Array(size);
  new TextEncoder().encodeInto(MAGIC, bytes);
  const view = viewOf(bytes);
  view.setUint32(8, FORMAT_VERSION, true);
  for (const { name, offset } of places) bytes.set(parts.get(name)!, offset);
  writeHeader(bytes, { size, count: places.length }, places);
  return seal(bytes, forger);
}

/** Changes what the header says; the seal is then wrong. Returns `bytes`. */
export function writeHeader(
  bytes: Uint8Array<ArrayBuffer>,
  fields: { readonly size?: number; readonly count?: number },
  places: readonly Place[] = [],
): Uint8Array<ArrayBuffer> {
  const view = viewOf(bytes);
  if (fields.size !== undefined) view.setFloat64(SIZE_AT, fields.size, true);
  if (fields.count !== undefined) view.setUint32(COUNT_AT, fields.count, true);
  places.forEach(({ name, offset, length }, i) => {
    const at = ENTRIES_AT + i * ENTRY_BYTES;
    bytes.fill(0, at, at + 16);
    new TextEncoder().encodeInto(name, bytes.subarray(at, at + 16));
    view.setFloat64(at + 16, offset, true);
    view.setFloat64(at + 24, length, true);
  });
  return bytes;
}

/** Makes every checksum right that can be: those of sections outside of the file stay. Returns `bytes`. */
export function seal(bytes: Uint8Array<ArrayBuffer>, _forger: Forger): Uint8Array<ArrayBuffer> {
  const view = viewOf(bytes);
  placesIn(bytes).forEach(({ offset, length }, i) => {
    if (!(offset >= 0 && length >= 0 && offset + length <= bytes.length)) return;
    const crc = crc32(bytes.subarray(offset, offset + length));
    view.setUint32(ENTRIES_AT + i * ENTRY_BYTES + 32, crc, true);
  });
  view.setUint32(CRC_AT, 0, true);
  view.setUint32(CRC_AT, crc32(bytes.subarray(0, HEADER_BYTES)), true);
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
