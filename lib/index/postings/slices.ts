import { IndexTooLargeError } from "./format.ts";

/** Pages are allocated when they are needed, so growing copies no bytes. */
const PAGE_BITS = 20;
const PAGE_BYTES = 1 << PAGE_BITS;
/** Bytes of the slices of a list. They grow, so rare terms waste little memory and frequent terms have few slices. */
const SLICE_BYTES = [12, 24, 48, 96, 192, 384, 768, 1536] as const;
/** Bytes at the end of a full slice with the address of the next one. */
const LINK_BYTES = 4;
/** Addresses of slices have 31 bits. */
const MAX_PAGES = 2 ** 31 / PAGE_BYTES;

/**
 * Many byte lists that grow side by side, one for each term, in chained slices (the layout of Lucene's in-memory
 * postings, McCandless 2010):
 *
 * ```
 * [12 bytes: data … | link]─>[24 bytes: data … | link]─>[48 bytes: data …        ]
 * ```
 */
export class Slices {
  readonly #pages: Uint8Array[] = [];
  #free = PAGE_BYTES;

  /** Allocates a slice of the given level. Returns its address. */
  allocate(level: number): number {
    const size = SLICE_BYTES[level]!;
    if (this.#free + size > PAGE_BYTES) {
      if (this.#pages.length === MAX_PAGES) throw new IndexTooLargeError("2 GiB of postings in memory");
      this.#pages.push(new Uint8Array(PAGE_BYTES));
      this.#free = 0;
    }
    const address = (this.#pages.length - 1) * PAGE_BYTES + this.#free;
    this.#free += size;
    return address;
  }

  /** Returns the page of an address. The offset in the page is `address & PAGE_MASK`. */
  page(address: number): Uint8Array {
    return this.#pages[address >>> PAGE_BITS]!;
  }

  /** Writes the link of a full slice, whose data end at `address`. */
  link(address: number, next: number): void {
    const page = this.page(address);
    const at = address & PAGE_MASK;
    page[at] = next & 0xff;
    page[at + 1] = next >>> 8 & 0xff;
    page[at + 2] = next >>> 16 & 0xff;
    page[at + 3] = next >>> 24;
  }

  /** Returns the link after the data of a full slice. */
  next(address: number): number {
    const page = this.page(address);
    const at = address & PAGE_MASK;
    return page[at]! | page[at + 1]! << 8 | page[at + 2]! << 16 | page[at + 3]! << 24;
  }
}

/** Mask for the offset in a page. */
export const PAGE_MASK = PAGE_BYTES - 1;

/** Returns the bytes of data in a slice of the given level. */
export function dataBytes(level: number): number {
  return SLICE_BYTES[level]! - LINK_BYTES;
}

/** Returns the level of the slice after one of `level`. */
export function nextLevel(level: number): number {
  return Math.min(level + 1, SLICE_BYTES.length - 1);
}
