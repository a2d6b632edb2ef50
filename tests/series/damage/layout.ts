/** Reads and changes the layout of an index file. No other module of this folder knows the format of lib/engine/index/blob. */
import { crc32 } from "node:zlib";
import {
  AT,
  ENTRY_BYTES,
  hashOf,
  HEADER_BYTES,
  type IndexKey,
  MAX_SECTIONS,
  seal as sealHeader,
  SEAL_BYTES,
} from "#engine/index/blob/format.ts";
import { MemoryFile } from "#engine/index/blob/memory_file.ts";
import { BlobWriter } from "#engine/index/blob/writer.ts";
import type { Sound } from "./arena.ts";

/** An attacker who changes the file and then corrects the block table and the checksums. */
export interface Forger {
  readonly name: "without the key" | "with the key" | "by another installation";
  /** Corrects the checksum of a header, and the seal if the forger has a key. */
  readonly sign: (header: Uint8Array) => void;
}

/** Returns the forgers of an index of this installation. The forger without the key keeps the old seal. */
export function forgersOf({ honest, key }: Pick<Sound, "honest" | "key">): readonly Forger[] {
  const old = honest.slice(AT.seal, AT.seal + SEAL_BYTES);
  const keep = (header: Uint8Array) => {
    header.set(old, AT.seal);
    const view = viewOf(header);
    view.setUint32(AT.crc, 0, true);
    view.setUint32(AT.crc, crc32(header), true);
  };
  return [
    { name: "without the key", sign: keep },
    { name: "with the key", sign: (header) => sealHeader(header, key) },
  ];
}

/** Another installation of the program, with a different key. */
export const ANOTHER_INSTALLATION: Forger = {
  name: "by another installation",
  sign: (header) => sealHeader(header, new Uint8Array(32).fill(7)),
};

/** One section of a file. */
export interface Place {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

/** Returns the sections in the order of the file. */
export function placesIn(bytes: Uint8Array): Place[] {
  const view = viewOf(bytes);
  const count = Math.min(view.getUint32(AT.count, true), MAX_SECTIONS);
  return Array.from({ length: count }, (_, i) => {
    const at = AT.entries + i * ENTRY_BYTES;
    const name = String.fromCharCode(...bytes.subarray(at, at + 16)).replace(/\0+$/, "");
    return { name, offset: view.getFloat64(at + 16, true), length: view.getFloat64(at + 24, true) };
  });
}

/** Returns copies of the sections' contents by name. */
export function partsOf(bytes: Uint8Array): Map<string, Uint8Array<ArrayBuffer>> {
  return new Map(
    placesIn(bytes).map(({ name, offset, length }) => [
      name,
      bytes.slice(offset, offset + length) as Uint8Array<ArrayBuffer>,
    ]),
  );
}

/** Returns a whole index file with these sections. */
export function assemble(parts: ReadonlyMap<string, Uint8Array>, forger: Forger): Uint8Array<ArrayBuffer> {
  const bytes = written(parts);
  forger.sign(bytes.subarray(0, HEADER_BYTES));
  return bytes;
}

/** Changes fields of the header in place. The seal becomes wrong. Returns `bytes`. */
export function writeHeader(
  bytes: Uint8Array<ArrayBuffer>,
  fields: { readonly size?: number; readonly tableAt?: number; readonly count?: number },
  places: readonly Place[] = [],
): Uint8Array<ArrayBuffer> {
  const view = viewOf(bytes);
  if (fields.size !== undefined) view.setFloat64(AT.size, fields.size, true);
  if (fields.tableAt !== undefined) view.setFloat64(AT.table, fields.tableAt, true);
  if (fields.count !== undefined) view.setUint32(AT.count, fields.count, true);
  places.forEach(({ name, offset, length }, i) => {
    const at = AT.entries + i * ENTRY_BYTES;
    bytes.fill(0, at, at + 16);
    new TextEncoder().encodeInto(name, bytes.subarray(at, at + 16));
    view.setFloat64(at + 16, offset, true);
    view.setFloat64(at + 24, length, true);
  });
  return bytes;
}

/**
 * Corrects the block table, its hash and the header in place; only the header if the block table is not in the file.
 * Returns `bytes`.
 */
export function seal(bytes: Uint8Array<ArrayBuffer>, forger: Forger): Uint8Array<ArrayBuffer> {
  const tableAt = viewOf(bytes).getFloat64(AT.table, true);
  if (tableAt >= HEADER_BYTES && tableAt <= bytes.length) {
    // The block table depends only on the bytes of the file, not on its sections.
    const whole = written(new Map([["all", bytes.subarray(HEADER_BYTES, tableAt)]]));
    const table = whole.subarray(tableAt).subarray(0, bytes.length - tableAt);
    bytes.set(table, tableAt);
    bytes.set(hashOf(bytes.subarray(tableAt)), AT.tableHash);
  }
  forger.sign(bytes.subarray(0, HEADER_BYTES));
  return bytes;
}

/**
 * Makes `head` the start of a sparse file: `head` is a header and the bytes after it, and a hole follows up to the block
 * table. Writes into the header where the table is and the hash of its zeros. `bytes`: bytes before the table, rounded down
 * to MiB. Returns the file's length.
 */
export function sparse(head: Uint8Array<ArrayBuffer>, bytes: number): number {
  const tableAt = HEADER_BYTES + Math.floor(bytes / (1 << 20)) * (1 << 20);
  // Bytes of the table for each MiB, measured on a file of one MiB.
  const part = written(new Map([["all", new Uint8Array(1 << 20)]])).length - HEADER_BYTES - (1 << 20);
  const table = new Uint8Array((tableAt - HEADER_BYTES) / (1 << 20) * part);
  writeHeader(head, { size: tableAt + table.length, tableAt });
  head.set(hashOf(table), AT.tableHash);
  return tableAt + table.length;
}

/** Returns the bytes that the program writes for these sections, with a key of no installation. */
function written(parts: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const file = new MemoryFile();
  const writer = new BlobWriter(file, NOBODYS_KEY);
  for (const [name, content] of parts) writer.section(name, content);
  writer.finish();
  const bytes = new Uint8Array(file.statSync().size);
  file.seekSync(0);
  file.readSync(bytes);
  return bytes;
}

const NOBODYS_KEY: IndexKey = new Uint8Array(32);

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
