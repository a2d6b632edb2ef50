import { crc32 } from "node:zlib";
import {
  ALIGNMENT,
  ENTRIES_AT,
  ENTRY_BYTES,
  FORMAT_VERSION,
  HEADER_BYTES,
  MAGIC,
  MAX_SECTIONS,
} from "./format.ts";
import type { Section } from "./format.ts";

/** Bytes are collected up to here before they are written. */
const BUFFER_BYTES = 1 << 20;

/**
 * Writes a blob, section after section, into a file that the caller has opened for writing and that is empty. The header
 * comes last: a file that was cut off has none.
 */
export class BlobWriter {
  readonly #file: Deno.FsFile;
  readonly #sections: Section[] = [];
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  #buffered = 0;
  #position = 0;
  #open: { name: string; offset: number; crc: number } | undefined;

  constructor(file: Deno.FsFile) {
    this.#file = file;
    this.#put(new Uint8Array(HEADER_BYTES));
  }

  /** Ends the section before and begins one. */
  begin(name: string): void {
    this.#end();
    if (this.#sections.length === MAX_SECTIONS) throw new RangeError("too many sections");
    if (!/^[\x21-\x7e]{1,16}$/.test(name)) throw new RangeError(`${name} is no name of a section`);
    this.#put(new Uint8Array((ALIGNMENT - this.#position % ALIGNMENT) % ALIGNMENT));
    this.#open = { name, offset: this.#position, crc: 0 };
  }

  /** Bytes of the open section so far. */
  get length(): number {
    return this.#position - this.#open!.offset;
  }

  /** Appends to the open section. */
  write(bytes: Uint8Array): void {
    this.#open!.crc = crc32(bytes, this.#open!.crc);
    this.#put(bytes);
  }

  /** Writes a whole section. */
  section(name: string, content: ArrayBufferView): void {
    this.begin(name);
    this.write(new Uint8Array(content.buffer, content.byteOffset, content.byteLength));
  }

  /** Writes the header and forces everything to the disk. Gives the file's length. */
  finish(): number {
    this.#end();
    this.#flush();
    const header = new Uint8Array(HEADER_BYTES);
    const view = new DataView(header.buffer);
    const encoder = new TextEncoder();
    encoder.encodeInto(MAGIC, header);
    view.setUint32(8, FORMAT_VERSION, true);
    view.setUint32(16, this.#sections.length, true);
    view.setFloat64(24, this.#position, true);
    this.#sections.forEach(({ name, offset, length, crc }, i) => {
      const at = ENTRIES_AT + i * ENTRY_BYTES;
      encoder.encodeInto(name, header.subarray(at, at + 16));
      view.setFloat64(at + 16, offset, true);
      view.setFloat64(at + 24, length, true);
      view.setUint32(at + 32, crc, true);
    });
    view.setUint32(12, crc32(header), true);
    this.#file.seekSync(0, Deno.SeekMode.Start);
    writeAll(this.#file, header);
    this.#file.syncSync();
    return this.#position;
  }

  #end(): void {
    if (this.#open === undefined) return;
    this.#sections.push({ ...this.#open, length: this.length });
    this.#open = undefined;
  }

  #put(bytes: Uint8Array): void {
    this.#position += bytes.length;
    if (this.#buffered + bytes.length > BUFFER_BYTES) this.#flush();
    if (bytes.length > BUFFER_BYTES) return writeAll(this.#file, bytes);
    this.#buffer.set(bytes, this.#buffered);
    this.#buffered += bytes.length;
  }

  #flush(): void {
    writeAll(this.#file, this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}
