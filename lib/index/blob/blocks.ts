import { timingSafeEqual } from "node:crypto";
import { reasonOf } from "../../errors.ts";
import { BLOCK_BYTES, DamagedIndexError, GROUP_BLOCKS, HEADER_BYTES } from "./format.ts";
import { decodeHeader, hashOf, type Header } from "./header.ts";
import type { IndexKey } from "./seal.ts";
import { isInTable } from "./table.ts";

/** Blocks kept in memory at most: 16 MiB. */
const MAX_KEPT = 4096;
/** Blocks read at once: 1 MiB. */
const BLOCKS_A_READ = 16 * GROUP_BLOCKS;
const TOO_SHORT = "the file ends too early";

/** The file of a blob as far as it is read. */
export interface BlobFile extends Pick<Deno.FsFile, "readSync" | "seekSync" | "close"> {
  statSync(): Pick<Deno.FileInfo, "size">;
}

/** Reads the bytes of an open blob and checks them against the block table. */
export class Blocks {
  readonly #file: BlobFile;
  readonly #table: Uint8Array;
  /** Offset of the end of the blocks, and their number. */
  readonly #end: number;
  readonly #count: number;
  /** By number, the least recently used first. */
  readonly #kept = new Map<number, Uint8Array>();
  #scratch: Uint8Array<ArrayBuffer> | undefined;
  #damage: string | undefined;
  readonly header: Header;

  /** Offset of the end of the blocks. */
  get end(): number {
    return this.#end;
  }

  /**
   * Takes over a file that is open for reading and reads its header and block table; see {@linkcode decodeHeader}. The file
   * stays open if this throws.
   */
  constructor(file: BlobFile, key: IndexKey) {
    this.#file = file;
    const size = this.#trying(() => file.statSync().size);
    if (size < HEADER_BYTES) throw this.damaged(`${size} bytes are too few for a header`);
    this.header = decodeHeader(this.#read(0, new Uint8Array(HEADER_BYTES)), size, key);
    const { tableAt, tableHash } = this.header;
    this.#end = tableAt;
    this.#count = Math.ceil((tableAt - HEADER_BYTES) / BLOCK_BYTES);
    this.#table = this.#read(tableAt, new Uint8Array(size - tableAt));
    if (!timingSafeEqual(hashOf(this.#table), tableHash)) {
      throw this.damaged("checksum of the block table");
    }
  }

  /** Damage found since it was opened, in English. */
  get damage(): string | undefined {
    return this.#damage;
  }

  /** Notes damage and returns the error to throw. */
  damaged(problem: string, cause?: unknown): DamagedIndexError {
    this.#damage ??= problem;
    return new DamagedIndexError(problem, cause === undefined ? {} : { cause });
  }

  /**
   * Fills `target` with the bytes of the file from `from` on, within the sections. With `keep`, the latest blocks stay in
   * memory, for data that is read again and again in small pieces. Throws {@linkcode DamagedIndexError}.
   */
  readInto(from: number, target: Uint8Array, keep = false): void {
    this.#visit(from, from + target.length, keep, (bytes, at) => {
      const part = bytes.subarray(Math.max(0, -at), target.length - at);
      target.set(part, Math.max(0, at));
    });
  }

  /** Reads and checks all blocks, or the blocks with bytes `from` to `to`. Throws {@linkcode DamagedIndexError}. */
  verify(from = HEADER_BYTES, to: number = this.#end): void {
    this.#visit(from, to, false, () => {});
  }

  /** Passes on the blocks with bytes `from` to `to`, piece by piece, each with its offset relative to `from`. */
  #visit(from: number, to: number, keep: boolean, show: (bytes: Uint8Array, at: number) => void): void {
    if (to <= from) return;
    const end = blockAt(to - 1) + 1;
    for (let block = blockAt(from); block < end;) {
      const next = keep ? block + 1 : pieceEnd(block, end, this.#count);
      show(keep ? this.#keeping(block) : this.#checked(block, next, this.#room), placeOf(block) - from);
      block = next;
    }
  }

  /** Returns bytes of the file without checking them, for copying a verified file. */
  raw(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#read(from, new Uint8Array(to - from));
  }

  close(): void {
    this.#file.close();
  }

  get #room(): Uint8Array<ArrayBuffer> {
    return this.#scratch ??= new Uint8Array(BLOCKS_A_READ * BLOCK_BYTES);
  }

  #keeping(block: number): Uint8Array {
    let bytes = this.#kept.get(block);
    if (bytes === undefined) bytes = this.#checked(block, block + 1, new Uint8Array(BLOCK_BYTES));
    else this.#kept.delete(block);
    this.#kept.set(block, bytes);
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return bytes;
  }

  /** Reads blocks `first` to `end` (exclusive) into `room` and compares them with the table. */
  #checked(first: number, end: number, room: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const from = placeOf(first);
    const bytes = this.#read(from, room.subarray(0, Math.min(placeOf(end), this.#end) - from));
    const isGroups = first % GROUP_BLOCKS === 0 && (end - first >= GROUP_BLOCKS || end === this.#count);
    const step = isGroups ? GROUP_BLOCKS : 1;
    for (let block = first; block < end; block += step) {
      const at = placeOf(block) - from;
      const part = bytes.subarray(at, at + step * BLOCK_BYTES);
      if (isInTable(this.#table, part, block, isGroups)) continue;
      throw this.damaged(`checksum of bytes ${from + at} to ${from + at + part.length}`);
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

  /** A system error while reading (a disk that fails, a network drive that is gone) counts as damage too. */
  #trying<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      // reading a closed blob is an error of this program, not of the file
      if (error instanceof DamagedIndexError || error instanceof Deno.errors.BadResource) throw error;
      throw this.damaged(reasonOf(error), error);
    }
  }
}

/**
 * End of the piece of blocks to read and check at once: whole groups up to a megabyte, or single blocks up to the next
 * group. `count`: number of all blocks; the last group may be short.
 */
function pieceEnd(block: number, end: number, count: number): number {
  const group = block - block % GROUP_BLOCKS;
  const whole = end === count ? end : end - end % GROUP_BLOCKS;
  if (block === group && whole > block) return Math.min(whole, block + BLOCKS_A_READ);
  return Math.min(end, group + GROUP_BLOCKS);
}

function blockAt(byte: number): number {
  return Math.floor((byte - HEADER_BYTES) / BLOCK_BYTES);
}

function placeOf(block: number): number {
  return HEADER_BYTES + block * BLOCK_BYTES;
}
