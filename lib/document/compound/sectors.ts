import { DocumentError } from "../types.ts";

const HEADER_BYTES = 512;
const FREE = -1;
const END_OF_CHAIN = -2;
/** Addresses of sectors of the FAT in the header. */
const IN_HEADER = 109;

/**
 * The sectors of a compound file (MS-CFB 2.2 to 2.5) and the chains that they form. If the file is cut off, the chains end
 * where their next sector is missing. Throws {@linkcode DocumentError} `damaged` if a chain has no end.
 */
export class Sectors {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #size: number;
  /** The sectors that the FAT consists of. */
  readonly #fat: readonly number[];

  constructor(bytes: Uint8Array) {
    if (bytes.length < HEADER_BYTES) throw broken("it is cut off");
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#size = this.#view.getUint16(26, true) === 4 ? 4096 : 512;
    this.#fat = this.#addressesOfFat();
  }

  /** The signed number at an offset of the header. */
  header(offset: number): number {
    return this.#view.getInt32(offset, true);
  }

  /** Returns the content of the chain that begins with a sector, at most `most` bytes. */
  contentOf(first: number, most = Infinity): Uint8Array {
    const parts: Uint8Array[] = [];
    const met = new Set<number>();
    let length = 0;
    for (let at = first; at >= 0 && at < this.#count && length < most; at = this.#next(at)) {
      if (met.has(at)) throw broken("a chain of sectors has no end");
      met.add(at);
      const start = (at + 1) * this.#size;
      const part = this.#bytes.subarray(start, start + Math.min(this.#size, most - length));
      parts.push(part);
      length += part.length;
    }
    const content = new Uint8Array(length);
    for (let i = 0, offset = 0; i < parts.length; offset += parts[i++]!.length) {
      content.set(parts[i]!, offset);
    }
    return content;
  }

  get #count(): number {
    return Math.ceil(this.#bytes.length / this.#size) - 1;
  }

  #next(sector: number): number {
    const perSector = this.#size / 4;
    const table = this.#fat[Math.floor(sector / perSector)];
    return table === undefined ? END_OF_CHAIN : this.#number(table, sector % perSector);
  }

  /** A number of a sector, or the end of a chain where it is missing. */
  #number(sector: number, index: number): number {
    const offset = (sector + 1) * this.#size + index * 4;
    const isThere = sector >= 0 && offset + 4 <= this.#bytes.length;
    return isThere ? this.#view.getInt32(offset, true) : END_OF_CHAIN;
  }

  /** Returns the addresses in the header, and those in the sectors of the DIFAT. */
  #addressesOfFat(): number[] {
    const addresses: number[] = [];
    for (let i = 0; i < IN_HEADER; i++) {
      const address = this.header(76 + 4 * i);
      if (address < 0) break;
      addresses.push(address);
    }
    const last = this.#size / 4 - 1;
    let next = this.header(68);
    for (let left = this.header(72); left > 0 && next >= 0; left--) {
      for (let i = 0; i < last; i++) {
        const address = this.#number(next, i);
        if (address === END_OF_CHAIN) break;
        if (address !== FREE) addresses.push(address);
      }
      // The FAT is a part of the file.
      if (addresses.length > this.#count) throw broken("its table of sectors is longer than the file");
      next = this.#number(next, last);
    }
    return addresses;
  }
}

export function broken(reason: string): DocumentError {
  return new DocumentError("damaged", `the compound file is broken: ${reason}`);
}
