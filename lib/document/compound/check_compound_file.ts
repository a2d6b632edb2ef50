import { DocumentError } from "../types.ts";

const HEADER_BYTES = 512;
const FREE = -1;
const END_OF_CHAIN = -2;
/** Addresses of sectors of the FAT in the header. */
const IN_HEADER = 109;
/** Numbers in an entry of the directory, and those of them that name other entries: two siblings and a child. */
const ENTRY_NUMBERS = 32;
const REFERENCES = [17, 18, 19];

/**
 * Throws {@linkcode DocumentError} `damaged` if a compound file (MS-CFB) has a chain of sectors without an end, or a directory
 * that is no tree. The libraries that read such files would follow them until the memory is full. Other damage is left to them.
 */
export function checkCompoundFile(bytes: Uint8Array): void {
  if (bytes.length < HEADER_BYTES) return;
  const sectors = new Sectors(bytes);
  const addresses = fatAddresses(sectors);
  const next = (sector: number) =>
    sectors.number(addresses[Math.floor(sector / sectors.numbers)] ?? FREE, sector % sectors.numbers);
  checkEnds(addresses.length * sectors.numbers, next);
  checkDirectory(sectors, next);
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
    if (addresses.length > sectors.count) throw damaged("a table of sectors is longer than the file");
    next = sectors.number(next, last);
  }
  return addresses;
}

/** Throws unless every chain of numbers below `count` leaves them: `next` gives the number after each. */
function checkEnds(count: number, next: (number: number) => number): void {
  /** The walk that met each number; 0: none yet. */
  const metBy = new Uint32Array(count);
  for (let start = 0; start < count; start++) {
    let at = start;
    while (at >= 0 && at < count && metBy[at] === 0) {
      metBy[at] = start + 1;
      at = next(at);
    }
    if (metBy[at] === start + 1) throw damaged("a chain has no end");
  }
}

/** Throws unless each entry of the directory is named by one other at most, and none by those below it (MS-CFB 2.6). */
function checkDirectory(sectors: Sectors, next: (sector: number) => number): void {
  const chain: number[] = [];
  for (let at = sectors.header(48); at >= 0 && at < sectors.count; at = next(at)) chain.push(at);
  const perSector = sectors.numbers / ENTRY_NUMBERS;
  const count = chain.length * perSector;
  const parents = new Int32Array(count).fill(-1);
  for (let entry = 0; entry < count; entry++) {
    for (const reference of REFERENCES) {
      const other = sectors.number(
        chain[Math.floor(entry / perSector)]!,
        (entry % perSector) * ENTRY_NUMBERS + reference,
      );
      // Entries that are not used may consist of zeros.
      if (other <= 0 || other >= count) continue;
      if (parents[other] !== -1) throw damaged("two entries name the same one");
      parents[other] = entry;
    }
  }
  checkEnds(count, (entry) => parents[entry]!);
}

function damaged(reason: string): DocumentError {
  return new DocumentError("damaged", `the compound file is broken: ${reason}`);
}
