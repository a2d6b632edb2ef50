/** Decodes bzip2: Huffman codes, a list of recent bytes, and the Burrows-Wheeler transform, block by block. */
import { DocumentError } from "../types.ts";
import type { GrowingBytes } from "../bytes.ts";
import { cutOff } from "./budget.ts";

const BLOCK = 0x314159265359;
const END = 0x177245385090;
const LONGEST_CODE = 20;
/** Symbols that one table codes before the next is chosen. */
const GROUP = 50;

/** Decodes all streams in `bytes` into `out`, which keeps the blocks before an error. */
export function decodeBzip2(bytes: Uint8Array, out: GrowingBytes): void {
  const bits = new Bits(bytes);
  do {
    if (bits.take(24) !== 0x425a68) throw broken();
    const size = bits.take(8) - 0x30;
    if (size < 1 || size > 9) throw broken();
    for (;;) {
      const mark = bits.take(24) * 2 ** 24 + bits.take(24);
      bits.take(16); // the checksum
      bits.take(16);
      if (mark === END) break;
      if (mark !== BLOCK) throw broken();
      decodeBlock(bits, size * 100_000, out);
    }
    bits.toByte();
  } while (bits.left >= 14);
}

/** Numbers of some bits, the highest first. */
class Bits {
  #at = 0;
  /** Bits that were read and not taken, the last ones of this number. */
  #kept = 0;
  #keptCount = 0;

  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get left(): number {
    return this.bytes.length - this.#at;
  }

  /** At most 24 bits. */
  take(count: number): number {
    while (this.#keptCount < count) {
      const byte = this.bytes[this.#at++];
      if (byte === undefined) throw cutOff();
      this.#kept = this.#kept << 8 | byte;
      this.#keptCount += 8;
    }
    this.#keptCount -= count;
    return this.#kept >>> this.#keptCount & (1 << count) - 1;
  }

  toByte(): void {
    this.#keptCount = 0;
  }
}

function decodeBlock(bits: Bits, most: number, out: GrowingBytes): void {
  if (bits.take(1) === 1) throw new DocumentError("unsupported", "the bzip2 block is randomised");
  const origin = bits.take(24);
  const recent = usedBytes(bits);
  const ending = recent.length + 1;
  const tableCount = bits.take(3);
  const selectors = readSelectors(bits, tableCount);
  const tables = Array.from({ length: tableCount }, () => new Huffman(bits, ending + 1));

  const counts = new Uint32Array(256);
  const block = new Uint32Array(most);
  let size = 0;
  let [run, weight] = [0, 1];
  let table: Huffman | undefined;
  for (let symbols = 0;; symbols++) {
    if (symbols % GROUP === 0) table = tables[selectors[symbols / GROUP] ?? tableCount];
    if (table === undefined) throw broken();
    const symbol = table.read(bits);
    if (symbol <= 1) {
      // A run of the most recent byte, whose length has the digits 1 and 2.
      run += weight << symbol;
      weight *= 2;
      if (run > most) throw broken();
      continue;
    }
    if (run > 0) {
      const byte = recent[0]!;
      if (size + run > most) throw broken();
      block.fill(byte, size, size + run);
      counts[byte]! += run;
      size += run;
      [run, weight] = [0, 1];
    }
    if (symbol === ending) break;
    if (size >= most) throw broken();
    const byte = recent[symbol - 1]!;
    recent.copyWithin(1, 0, symbol - 1);
    recent[0] = byte;
    counts[byte]!++;
    block[size++] = byte;
  }
  if (size > 0) writeBlock(block, size, origin, counts, out);
}

/** The bytes that occur in a block, in their order. */
function usedBytes(bits: Bits): Uint8Array {
  const rows = bits.take(16);
  const used: number[] = [];
  for (let row = 0; row < 16; row++) {
    if ((rows >> 15 - row & 1) === 0) continue;
    const columns = bits.take(16);
    for (let column = 0; column < 16; column++) {
      if ((columns >> 15 - column & 1) === 1) used.push(row * 16 + column);
    }
  }
  if (used.length === 0) throw broken();
  return Uint8Array.from(used);
}

/** The number of the table for each group of symbols. */
function readSelectors(bits: Bits, tables: number): Uint8Array {
  const count = bits.take(15);
  if (tables < 2 || tables > 6 || count === 0) throw broken();
  const recent = [0, 1, 2, 3, 4, 5].slice(0, tables);
  return Uint8Array.from({ length: count }, () => {
    let at = 0;
    while (bits.take(1) === 1) if (++at >= tables) throw broken();
    const [table] = recent.splice(at, 1);
    recent.unshift(table!);
    return table!;
  });
}

/** A canonical Huffman code. */
class Huffman {
  /** For each length: the first code that is longer, and what to subtract from a code to get the place of its symbol. */
  readonly #limits = new Float64Array(LONGEST_CODE + 2);
  readonly #offsets = new Int32Array(LONGEST_CODE + 2);
  readonly #symbols: number[] = [];
  readonly #shortest: number;

  constructor(bits: Bits, symbols: number) {
    const lengths: number[] = [];
    let length = bits.take(5);
    for (let i = 0; i < symbols; i++) {
      while (bits.take(1) === 1) length += bits.take(1) === 0 ? 1 : -1;
      if (length < 1 || length > LONGEST_CODE) throw broken();
      lengths.push(length);
    }
    this.#shortest = Math.min(...lengths);
    let code = 0;
    for (let bitCount = 1; bitCount <= LONGEST_CODE; bitCount++) {
      this.#offsets[bitCount] = code - this.#symbols.length;
      for (const [symbol, of] of lengths.entries()) if (of === bitCount) this.#symbols.push(symbol);
      code = this.#symbols.length + this.#offsets[bitCount]!;
      this.#limits[bitCount] = code;
      code *= 2;
    }
  }

  read(bits: Bits): number {
    let code = bits.take(this.#shortest - 1);
    for (let length = this.#shortest; length <= LONGEST_CODE; length++) {
      code = code << 1 | bits.take(1);
      if (code < this.#limits[length]!) {
        const symbol = this.#symbols[code - this.#offsets[length]!];
        if (symbol === undefined) break;
        return symbol;
      }
    }
    throw broken();
  }
}

/** Undoes the Burrows-Wheeler transform. Four equal bytes are followed by a byte that says how many more there are. */
function writeBlock(
  block: Uint32Array,
  size: number,
  origin: number,
  counts: Uint32Array,
  out: GrowingBytes,
): void {
  if (origin >= size) throw broken();
  let sum = 0;
  for (let byte = 0; byte < 256; byte++) {
    const count = counts[byte]!;
    counts[byte] = sum;
    sum += count;
  }
  // The low 8 bits are the byte, the others the place of the byte that follows it.
  for (let i = 0; i < size; i++) {
    const byte = block[i]! & 0xff;
    block[counts[byte]!]! |= i << 8;
    counts[byte]!++;
  }
  let next = block[origin]! >>> 8;
  let [equal, before] = [0, -1];
  for (let i = 0; i < size; i++) {
    const entry = block[next]!;
    const byte = entry & 0xff;
    next = entry >>> 8;
    if (equal === 4) {
      for (let more = byte; more > 0; more--) out.push(before);
      [equal, before] = [0, -1];
      continue;
    }
    equal = byte === before ? equal + 1 : 1;
    before = byte;
    out.push(byte);
  }
}

function broken(): DocumentError {
  return new DocumentError("damaged", "the bzip2 bytes are broken");
}
