/**
 * Writes the sections of an index into one file, with the checksums by which it is read.
 */
import {
  ALIGNMENT,
  type BlobSection,
  BLOCK_BYTES,
  BlockTableBuilder,
  encodeHeader,
  GROUP_BLOCKS,
  HEADER_BYTES,
  type IndexKey,
  MAX_SECTIONS,
} from "./format.ts";

/** Size of the buffer, in whole groups. Bytes are hashed and written when it is full. */
const BUFFER_BYTES = 16 * GROUP_BLOCKS * BLOCK_BYTES;

/** The file of a blob as far as it is written: a `Deno.FsFile`, or a `MemoryFile`. */
export interface BlobTarget {
  /** Writes bytes at the current offset. Returns their number, which may be less than all. */
  writeSync(bytes: Uint8Array): number;
  /** Sets the offset. `whence`: 0, the offset counts from the start of the file. */
  seekSync(offset: number, whence: number): number;
}

/**
 * Writes a blob, section after section, into a file that the caller has opened for writing and that is empty. The header is
 * written last, so an incomplete file has no header.
 */
export class BlobWriter {
  readonly #file: BlobTarget;
  readonly #key: IndexKey;
  readonly #sections: BlobSection[] = [];
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  readonly #table = new BlockTableBuilder();
  #buffered = 0;
  #position = HEADER_BYTES;
  #open: { name: string; offset: number } | undefined;

  /** `key` seals the blob. */
  constructor(file: BlobTarget, key: IndexKey) {
    this.#file = file;
    this.#key = key;
    writeAll(this.#file, new Uint8Array(HEADER_BYTES));
  }

  /** Ends the current section and begins a new one. */
  begin(name: string): void {
    this.#end();
    if (this.#sections.length === MAX_SECTIONS) throw new RangeError("too many sections");
    if (!/^[\x21-\x7e]{1,16}$/.test(name)) throw new RangeError(`${name} is no name of a section`);
    this.#put(new Uint8Array((ALIGNMENT - this.#position % ALIGNMENT) % ALIGNMENT));
    this.#open = { name, offset: this.#position };
  }

  /** Bytes of the open section so far. */
  get length(): number {
    return this.#position - this.#open!.offset;
  }

  /** Appends to the open section. */
  write(bytes: Uint8Array): void {
    this.#put(bytes);
  }

  /** Writes a whole section. */
  section(name: string, content: ArrayBufferView): void {
    this.begin(name);
    this.write(new Uint8Array(content.buffer, content.byteOffset, content.byteLength));
  }

  /** Writes block table and header. Returns the file's length. */
  finish(): number {
    this.#end();
    this.#flush();
    const table = this.#table.finish();
    writeAll(this.#file, table);
    this.#file.seekSync(0, 0);
    writeAll(this.#file, encodeHeader(this.#sections, this.#position, table, this.#key));
    return this.#position + table.length;
  }

  #end(): void {
    if (this.#open === undefined) return;
    this.#sections.push({ ...this.#open, length: this.length });
    this.#open = undefined;
  }

  #put(bytes: Uint8Array): void {
    this.#position += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + BUFFER_BYTES - this.#buffered);
      this.#buffer.set(part, this.#buffered);
      this.#buffered += part.length;
      at += part.length;
      if (this.#buffered === BUFFER_BYTES) this.#flush();
    }
  }

  /** Hashes and writes the buffer: whole groups, except at the end of the file. */
  #flush(): void {
    const bytes = this.#buffer.subarray(0, this.#buffered);
    this.#table.add(bytes);
    writeAll(this.#file, bytes);
    this.#buffered = 0;
  }
}

function writeAll(file: BlobTarget, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}
