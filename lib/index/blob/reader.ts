import { crc32 } from "node:zlib";
import {
  DamagedBlobError,
  ENTRIES_AT,
  ENTRY_BYTES,
  FORMAT_VERSION,
  HEADER_BYTES,
  MAGIC,
  MAX_SECTIONS,
  OutdatedBlobError,
  type Section,
} from "./format.ts";

const TOO_SHORT = "the file ends too early";

/** An open blob. Its file stays open, so that a replaced blob can be read until it is closed. */
export class BlobReader {
  readonly #file: Deno.FsFile;
  readonly #sections: ReadonlyMap<string, Section>;
  /** Bytes of the file. */
  readonly size: number;
  #damage: string | undefined;

  private constructor(file: Deno.FsFile, sections: ReadonlyMap<string, Section>, size: number) {
    this.#file = file;
    this.#sections = sections;
    this.size = size;
  }

  /**
   * Takes over a file that is open for reading, and checks its header. `anyFormat`: one of another format, too, as far as its
   * header is as here. Throws {@linkcode DamagedBlobError} or {@linkcode OutdatedBlobError}; the file is closed then.
   */
  static open(file: Deno.FsFile, { anyFormat = false }: { readonly anyFormat?: boolean } = {}): BlobReader {
    try {
      const { sections, size } = readHeader(file, anyFormat);
      return new BlobReader(file, sections, size);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** What was found damaged since it was opened, in English. */
  get damage(): string | undefined {
    return this.#damage;
  }

  /** Notes damage, and gives the error that tells of it. */
  damaged(problem: string): DamagedBlobError {
    this.#damage ??= problem;
    return new DamagedBlobError(problem);
  }

  /** The sections in the order of the file. */
  get sections(): Iterable<Section> {
    return this.#sections.values();
  }

  /** A whole section, in a buffer of its own. Throws {@linkcode DamagedBlobError} where its checksum is wrong. */
  section(name: string): Uint8Array<ArrayBuffer> {
    const { length, crc } = this.#find(name);
    const bytes = this.range(name, 0, length);
    if (crc32(bytes) !== crc) throw this.damaged(`checksum of section ${name}`);
    return bytes;
  }

  /** Reads a whole section into `target`, which has its length. Throws {@linkcode DamagedBlobError} as {@linkcode section} does. */
  sectionInto(name: string, target: Uint8Array): void {
    const { offset, length, crc } = this.#find(name);
    if (length !== target.length) throw this.damaged(`length of section ${name}`);
    this.#read(offset, target);
    if (crc32(target) !== crc) throw this.damaged(`checksum of section ${name}`);
  }

  /** Whether there is a section of this name. */
  has(name: string): boolean {
    return this.#sections.has(name);
  }

  /** Bytes of a section. */
  length(name: string): number {
    return this.#find(name).length;
  }

  /** Bytes `from` to `to` (exclusive) of a section, not checked. */
  range(name: string, from: number, to: number): Uint8Array<ArrayBuffer> {
    const { offset, length } = this.#find(name);
    // so that numbers which are none fail, too
    if (!(from >= 0 && to >= from && to <= length)) throw this.damaged(`range outside of section ${name}`);
    return this.bytes(offset + from, offset + to);
  }

  /** Bytes `from` to `to` (exclusive) of the file, not checked. */
  bytes(from: number, to: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(to - from);
    this.#read(from, bytes);
    return bytes;
  }

  /** Reads every section and compares its checksum; throws {@linkcode DamagedBlobError}. */
  verify(): void {
    for (const name of this.#sections.keys()) this.verifySection(name);
  }

  /** Reads one section and compares its checksum; throws {@linkcode DamagedBlobError}. */
  verifySection(name: string): void {
    const piece = 1 << 20;
    const { offset, length, crc } = this.#find(name);
    const buffer = new Uint8Array(Math.min(piece, length));
    let found = 0;
    for (let at = 0; at < length; at += piece) {
      const part = buffer.subarray(0, Math.min(piece, length - at));
      this.#read(offset + at, part);
      found = crc32(part, found);
    }
    if (found !== crc) throw this.damaged(`checksum of section ${name}`);
  }

  close(): void {
    this.#file.close();
  }

  /** Fills `bytes` from the file, from `at` on. */
  #read(at: number, bytes: Uint8Array): void {
    this.#file.seekSync(at, Deno.SeekMode.Start);
    if (!readAll(this.#file, bytes)) throw this.damaged(TOO_SHORT);
  }

  #find(name: string): Section {
    const section = this.#sections.get(name);
    if (section === undefined) throw this.damaged(`section ${name} is missing`);
    return section;
  }
}

function readHeader(file: Deno.FsFile, anyFormat: boolean): { sections: Map<string, Section>; size: number } {
  const { size } = file.statSync();
  if (size < HEADER_BYTES) throw new DamagedBlobError(`${size} bytes are too few for a header`);
  const header = new Uint8Array(HEADER_BYTES);
  if (!readAll(file, header)) throw new DamagedBlobError(TOO_SHORT);
  const view = new DataView(header.buffer);
  if (ascii(header.subarray(0, 8)) !== MAGIC) throw new DamagedBlobError("not an index");
  const version = view.getUint32(8, true);
  if (version !== FORMAT_VERSION && !anyFormat) {
    throw new OutdatedBlobError(`format ${version}, wanted ${FORMAT_VERSION}`);
  }
  const crc = view.getUint32(12, true);
  view.setUint32(12, 0, true);
  if (crc32(header) !== crc) throw new DamagedBlobError("checksum of the header");
  const count = view.getUint32(16, true);
  if (count > MAX_SECTIONS) throw new DamagedBlobError(`${count} sections`);
  if (view.getFloat64(24, true) !== size) throw new DamagedBlobError("length of the file");
  const sections = new Map<string, Section>();
  for (let i = 0; i < count; i++) {
    const at = ENTRIES_AT + i * ENTRY_BYTES;
    const name = ascii(header.subarray(at, at + 16)).replace(/\0+$/, "");
    const offset = view.getFloat64(at + 16, true);
    const length = view.getFloat64(at + 24, true);
    if (!(offset >= HEADER_BYTES && length >= 0 && offset + length <= size)) {
      throw new DamagedBlobError(`place of section ${name}`);
    }
    sections.set(name, { name, offset, length, crc: view.getUint32(at + 32, true) });
  }
  return { sections, size };
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** Fills `bytes`; false where the file ends before. */
function readAll(file: Deno.FsFile, bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length;) {
    const count = file.readSync(bytes.subarray(at));
    if (count === null) return false;
    at += count;
  }
  return true;
}
