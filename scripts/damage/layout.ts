/**
 * How an index lies in its file, for those who change it: the one module here that knows the format of lib/index/blob.
 */
import { crc32 } from "node:zlib";
import { AT, ENTRY_BYTES, HEADER_BYTES, MAX_SECTIONS } from "../../lib/index/blob/format.ts";
import { hashOf, seal as sealHeader } from "../../lib/index/blob/header.ts";
import { BlobWriter, type IndexKey, SEAL_BYTES } from "../../lib/index/blob/mod.ts";
import type { Sound } from "./types.ts";

/** Somebody who changes the file, and makes block table and checksums right again. */
export interface Forger {
  readonly name: "without the key" | "with the key" | "by another installation";
  /** Makes the checksum of a header right, and the seal as well as the forger can. */
  readonly sign: (header: Uint8Array) => void;
}

/** Those who forge an index of this installation: the one without the key keeps the seal that it had. */
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

/** Another installation of the program, which has a key of its own. */
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

/** The sections in the order of the file. */
export function placesIn(bytes: Uint8Array): Place[] {
  const view = viewOf(bytes);
  const count = Math.min(view.getUint32(AT.count, true), MAX_SECTIONS);
  return Array.from({ length: count }, (_, i) => {
    const at = AT.entries + i * ENTRY_BYTES;
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
  const bytes = written(parts);
  forger.sign(bytes.subarray(0, HEADER_BYTES));
  return bytes;
}

/** Changes what the header says; the seal is then wrong. Returns `bytes`. */
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

/** Makes everything right that can be: where the block table is not in the file, the header alone. Returns `bytes`. */
export function seal(bytes: Uint8Array<ArrayBuffer>, forger: Forger): Uint8Array<ArrayBuffer> {
  const tableAt = viewOf(bytes).getFloat64(AT.table, true);
  if (tableAt >= HEADER_BYTES && tableAt <= bytes.length) {
    // the table of a file depends on its bytes alone, not on where its sections are
    const whole = written(new Map([["all", bytes.subarray(HEADER_BYTES, tableAt)]]));
    const table = whole.subarray(tableAt).subarray(0, bytes.length - tableAt);
    bytes.set(table, tableAt);
    bytes.set(hashOf(bytes.subarray(tableAt)), AT.tableHash);
  }
  forger.sign(bytes.subarray(0, HEADER_BYTES));
  return bytes;
}

/**
 * A file of `bytes` bytes that begins with `head`, a header and what is behind it, and is a hole from there to its block table:
 * the place of that, and the hash of its zeros, are in the header then. Returns the file's length.
 */
export function sparse(head: Uint8Array<ArrayBuffer>, bytes: number): number {
  const tableAt = HEADER_BYTES + Math.floor(bytes / (1 << 20)) * (1 << 20);
  // as long as it is for each MiB of a smaller file
  const part = written(new Map([["all", new Uint8Array(1 << 20)]])).length - HEADER_BYTES - (1 << 20);
  const table = new Uint8Array((tableAt - HEADER_BYTES) / (1 << 20) * part);
  writeHeader(head, { size: tableAt + table.length, tableAt });
  head.set(hashOf(table), AT.tableHash);
  return tableAt + table.length;
}

/** The bytes that the program writes for these sections, with a key that belongs to nobody. */
function written(parts: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const file = new MemoryFile();
  const writer = new BlobWriter(file as unknown as Deno.FsFile, NOBODYS_KEY);
  for (const [name, content] of parts) writer.section(name, content);
  writer.finish();
  return file.bytes.slice(0, file.length);
}

const NOBODYS_KEY: IndexKey = new Uint8Array(32);

/** Facts about a file that the writer needs. */
class MemoryFile {
  bytes = new Uint8Array(1 << 20);
  length = 0;
  #at = 0;

  writeSync(bytes: Uint8Array): number {
    const end = this.#at + bytes.length;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.bytes.length));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes.set(bytes, this.#at);
    this.#at = end;
    this.length = Math.max(this.length, end);
    return bytes.length;
  }

  seekSync(to: number): number {
    return this.#at = to;
  }

  syncSync(): void {}
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
