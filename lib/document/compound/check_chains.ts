import { DocumentError } from "../types.ts";

const HEADER_BYTES = 512;
const FREE = -1;
const END_OF_CHAIN = -2;
/** Addresses of sectors of the FAT in the header. */
const IN_HEADER = 109;

/**
 * Throws {@linkcode DocumentError} `damaged` if a chain of sectors in the FAT of a compound file (MS-CFB 2.3) has no end. The
 * libraries that read such files would follow it until the memory is full. Other damage is left to them.
 */
export function checkChains(bytes: Uint8Array): void {
  if (bytes.length < HEADER_BYTES) return;
  const sectors = new Sectors(bytes);
  const addresses = fatAddresses(sectors);
  const entries = addresses.length * sectors.numbers;
  /** The walk that met each entry; 0: none yet. */
  const metBy = new Uint32Array(entries);
  for (let start = 0; start < entries; start++) {
    let at = start;
    while (at >= 0 && at < entries && metBy[at] === 0) {
      metBy[at] = start + 1;
      at = sectors.number(addresses[Math.floor(at / sectors.numbers)]!, at % sectors.numbers);
    }
    if (metBy[at] === start + 1) throw damaged();
  }
}

/** The sectors of a compound file, read as numbers. */
class Sectors {
  readonly #view: DataView;
  readonly #size: number;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#size = this.header(24) >>> 16 === 4 ? 4096 : 512;
  }

  /** Numbers in a sector. */
  get numbers(): number {
    return this.#size / 4;
  }

  get count(): number {
    return Math.ceil(this.#view.byteLength / this.#size) - 1;
  }

  header(offset: number): number {
    return this.#view.getInt32(offset, true);
  }

  /** A number of a sector: the end of a chain where there is no such sector, 0 where the sector is cut off. */
  number(sector: number, index: number): number {
    if (sector < 0 || sector >= this.count) return END_OF_CHAIN;
    const offset = (sector + 1) * this.#size + index * 4;
    return offset + 4 <= this.#view.byteLength ? this.#view.getInt32(offset, true) : 0;
  }
}

/** Returns the sectors that the FAT consists of: those in the header, and those in the chain of the DIFAT (MS-CFB 2.5). */
function fatAddresses(sectors: Sectors): number[] {
  const addresses: number[] = [];
  for (let i = 0; i < IN_HEADER; i++) {
    const address = sectors.header(76 + 4 * i);
    if (address < 0) break;
    addresses.push(address);
  }
  const last = sectors.numbers - 1;
  let next = sectors.header(68);
  for (let left = sectors.header(72); left > 0 && next >= 0; left--) {
    for (let i = 0; i < last; i++) {
      const address = sectors.number(next, i);
      if (address === END_OF_CHAIN) break;
      if (address !== FREE) addresses.push(address);
    }
    // The FAT is a part of the file.
    if (addresses.length > sectors.count) throw damaged();
    next = sectors.number(next, last);
  }
  return addresses;
}

function damaged(): DocumentError {
  return new DocumentError("damaged", "a chain of sectors in the compound file has no end");
}
