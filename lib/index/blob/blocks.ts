import { reasonOf } from "../../errors.ts";
import { BLOCK_BYTES, BLOCK_HASH_BYTES, DamagedBlobError, HEADER_BYTES } from "./format.ts";
import { decodeHeader, hashOf, type Header } from "./header.ts";
import type { IndexKey } from "./seal.ts";

/** Blocks kept of those that small reads asked for: 16 MiB. */
const MAX_KEPT = 2048;
/** A read that touches more blocks than this goes by the cache, which it would only empty. */
const MAX_SMALL = 2;
/** Blocks read at once: 1 MiB. */
const BLOCKS_A_READ = 128;
const TOO_SHORT = "the file ends too early";

/** The bytes of an open blob, every one checked against the block table when it is read from the disk. */
export class Blocks {
  readonly #file: Deno.FsFile;
  readonly #table: Uint8Array;
  /** Where the blocks end. */
  readonly #end: number;
  /** By their number, the one used longest ago first. */
  readonly #kept = new Map<number, Uint8Array>();
  #scratch: Uint8Array<ArrayBuffer> | undefined;
  #damage: string | undefined;
  readonly header: Header;

  /**
   * Takes over a file that is open for reading and reads its header and block table; see {@linkcode decodeHeader}. What is
   * thrown does not close the file.
   */
  constructor(file: Deno.FsFile, key: IndexKey, anyFormat: boolean) {
    this.#file = file;
    const size = this.#trying(() => file.statSync().size);
    if (size < HEADER_BYTES) throw this.damaged(`${size} bytes are too few for a header`);
    this.header = decodeHeader(this.#read(0, new Uint8Array(HEADER_BYTES)), size, key, anyFormat);
    const { tableAt, tableHash } = this.header;
    this.#end = tableAt;
    this.#table = this.#read(tableAt, new Uint8Array(size - tableAt));
    if (!sameBytes(hashOf(this.#table), 0, tableHash, 0, tableHash.length)) {
      throw this.damaged("checksum of the block table");
    }
  }

  /** What was found damaged since it was opened, in English. */
  get damage(): string | undefined {
    return this.#damage;
  }

  /** Notes damage, and gives the error that tells of it. */
  damaged(problem: string, cause?: unknown): DamagedBlobError {
    this.#damage ??= problem;
    return new DamagedBlobError(problem, cause === undefined ? {} : { cause });
  }

  /** Fills `target` from byte `from` of the file on, within the sections. Throws {@linkcode DamagedBlobError}. */
  readInto(from: number, target: Uint8Array): void {
    if (target.length === 0) return;
    const first = blockAt(from), last = blockAt(from + target.length - 1);
    const isSmall = last - first < MAX_SMALL;
    for (let block = first; block <= last; block += isSmall ? 1 : BLOCKS_A_READ) {
      const bytes = isSmall
        ? this.#small(block)
        : this.#checked(block, Math.min(block + BLOCKS_A_READ, last + 1), this.#room());
      const at = placeOf(block) - from;
      const part = bytes.subarray(Math.max(0, -at), target.length - at);
      target.set(part, Math.max(0, at));
    }
  }

  /** Reads every block; throws {@linkcode DamagedBlobError} where one is not what was written. */
  verify(from = HEADER_BYTES, to: number = this.#end): void {
    if (to <= from) return;
    const last = blockAt(to - 1);
    for (let block = blockAt(from); block <= last; block += BLOCKS_A_READ) {
      this.#checked(block, Math.min(block + BLOCKS_A_READ, last + 1), this.#room());
    }
  }

  /** Bytes of the file as they are, unchecked: for a copy of a file that was verified. */
  raw(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#read(from, new Uint8Array(to - from));
  }

  close(): void {
    this.#file.close();
  }

  #room(): Uint8Array<ArrayBuffer> {
    return this.#scratch ??= new Uint8Array(BLOCKS_A_READ * BLOCK_BYTES);
  }

  #small(block: number): Uint8Array {
    let bytes = this.#kept.get(block);
    if (bytes === undefined) bytes = this.#checked(block, block + 1, new Uint8Array(BLOCK_BYTES));
    else this.#kept.delete(block);
    this.#kept.set(block, bytes);
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return bytes;
  }

  /** Blocks `first` to `end` (exclusive), read into `room` and compared with the table. */
  #checked(first: number, end: number, room: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const from = placeOf(first);
    const bytes = this.#read(from, room.subarray(0, Math.min(placeOf(end), this.#end) - from));
    for (let block = first; block < end; block++) {
      const at = placeOf(block) - from;
      const hash = hashOf(bytes.subarray(at, at + BLOCK_BYTES));
      if (sameBytes(hash, 0, this.#table, block * BLOCK_HASH_BYTES, BLOCK_HASH_BYTES)) continue;
      const to = Math.min(from + at + BLOCK_BYTES, this.#end);
      throw this.damaged(`checksum of bytes ${from + at} to ${to}`);
    }
    return bytes;
  }

  /** Fills `bytes` from the file, from `from` on, unchecked. */
  #read(from: number, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    this.#trying(() => {
      this.#file.seekSync(from, Deno.SeekMode.Start);
      for (let at = 0; at < bytes.length;) {
        const count = this.#file.readSync(bytes.subarray(at));
        if (count === null) throw this.damaged(TOO_SHORT);
        at += count;
      }
    });
    return bytes;
  }

  /** What the system says of a file that it cannot read (a disk that fails, a network drive that is gone) is damage too. */
  #trying<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      // a blob that was closed is a mistake of ours, and says nothing of the file
      if (error instanceof DamagedBlobError || error instanceof Deno.errors.BadResource) throw error;
      throw this.damaged(reasonOf(error), error);
    }
  }
}

function blockAt(byte: number): number {
  return Math.floor((byte - HEADER_BYTES) / BLOCK_BYTES);
}

function placeOf(block: number): number {
  return HEADER_BYTES + block * BLOCK_BYTES;
}

function sameBytes(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number, count: number): boolean {
  for (let i = 0; i < count; i++) if (a[aAt + i] !== b[bAt + i]) return false;
  return true;
}
