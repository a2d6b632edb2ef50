/**
 * Unpacks LZX, the compression of Microsoft's help files: matches in a window, with Huffman codes that each block defines.
 * Described in MS-PATCH ("LZX DELTA compression") and for cabinets in the Cabinet SDK; help files cut it into frames.
 * Below the decoder: its bits, and its Huffman codes.
 */
import { DocumentError } from "../types.ts";

/** Bytes that a frame unpacks to. Each frame begins with a whole 16-bit word. */
export const FRAME = 0x8000;

const VERBATIM = 1, ALIGNED = 2, UNCOMPRESSED = 3;
/** Shortest match, and the number of lengths that a symbol of the main code can express. */
const SHORTEST = 2, LENGTHS = 7;
const LENGTH_SYMBOLS = 249;

/** Extra bits and first distance of each position slot. */
const EXTRA = Array.from({ length: 51 }, (_, slot) => slot < 4 ? 0 : Math.min((slot >> 1) - 1, 17));
const BASE = EXTRA.map((_, slot) => EXTRA.slice(0, slot).reduce((sum, bits) => sum + 2 ** bits, 0));
/** Position slots by the number of bits of the window. */
const SLOTS: Readonly<Record<number, number>> = {
  15: 30,
  16: 32,
  17: 34,
  18: 36,
  19: 38,
  20: 42,
  21: 50,
};

/**
 * Unpacks frames one after the other into `output`, which is also the window and has room for whole frames. Errors in the data throw {@linkcode
 * DocumentError} `damaged`.
 */
export class LzxDecoder {
  readonly #output: Uint8Array;
  readonly #window: number;
  readonly #lengths: { readonly main: Uint8Array; readonly length: Uint8Array };
  readonly #main: HuffmanCode;
  readonly #length = new HuffmanCode();
  readonly #aligned = new HuffmanCode();
  readonly #pretree = new HuffmanCode();
  #at = 0;
  /** Offset in the output of the last reset. Matches do not reach behind it. */
  #start = 0;
  #type = 0;
  /** Bytes that the open block still has. */
  #left = 0;
  /** Whether the open block has an odd number of uncompressed bytes, which another byte follows. */
  #isOdd = false;
  #hasHeader = false;
  /** The last three distances. */
  #recent: [number, number, number] = [1, 1, 1];

  /** `window`: its size in bytes. Throws {@linkcode DocumentError} `unsupported` for other sizes than 2¹⁵ to 2²¹. */
  constructor(output: Uint8Array, window: number) {
    const slots = SLOTS[Math.log2(window)];
    if (slots === undefined) {
      throw new DocumentError(
        "unsupported",
        `the LZX window has ${window} bytes`,
      );
    }
    this.#output = output;
    this.#window = window;
    this.#lengths = {
      main: new Uint8Array(256 + 8 * slots),
      length: new Uint8Array(LENGTH_SYMBOLS),
    };
    this.#main = new HuffmanCode();
  }

  /** Number of bytes unpacked so far. */
  get at(): number {
    return this.#at;
  }

  /** Forgets the codes and the window. Frames from here on do not depend on those before. */
  reset(): void {
    this.#start = this.#at;
    this.#left = 0;
    this.#isOdd = false;
    this.#hasHeader = false;
    this.#recent = [1, 1, 1];
    this.#lengths.main.fill(0);
    this.#lengths.length.fill(0);
  }

  /** Unpacks a frame. */
  frame(packed: Uint8Array): void {
    const bits = new Bits(packed);
    const end = this.#at + FRAME;
    if (!this.#hasHeader) {
      // The flag for machine code, whose addresses are rewritten. Help compilers do not set it.
      if (bits.take(1) === 1) throw new DocumentError("unsupported", "the LZX data is machine code");
      this.#hasHeader = true;
    }
    while (this.#at < end) {
      if (this.#left === 0) this.#openBlock(bits);
      const stop = Math.min(end, this.#at + this.#left);
      const before = this.#at;
      if (this.#type === UNCOMPRESSED) this.#copy(bits, stop);
      else this.#decode(bits, stop);
      this.#left -= this.#at - before;
    }
    // The byte that evens out an uncompressed block lies before the next frame.
    if (this.#left === 0) this.#isOdd = false;
  }

  #openBlock(bits: Bits): void {
    if (this.#isOdd) bits.skipByte();
    this.#isOdd = false;
    this.#type = bits.take(3);
    this.#left = bits.take(16) * 256 + bits.take(8);
    if (this.#left === 0 || this.#type < VERBATIM || this.#type > UNCOMPRESSED) throw broken();
    if (this.#type === UNCOMPRESSED) {
      this.#isOdd = this.#left % 2 === 1;
      bits.align();
      this.#recent = [bits.number(), bits.number(), bits.number()];
      return;
    }
    if (this.#type === ALIGNED) this.#aligned.build(Uint8Array.from({ length: 8 }, () => bits.take(3)));
    const { main, length } = this.#lengths;
    this.#readLengths(bits, main.subarray(0, 256));
    this.#readLengths(bits, main.subarray(256));
    this.#main.build(main);
    this.#readLengths(bits, length);
    this.#length.build(length);
  }

  /** Reads code lengths as differences to those of the block before, by a code of their own. */
  #readLengths(bits: Bits, lengths: Uint8Array): void {
    this.#pretree.build(Uint8Array.from({ length: 20 }, () => bits.take(4)));
    for (let i = 0; i < lengths.length;) {
      const symbol = this.#pretree.next(bits);
      if (symbol === 17 || symbol === 18) {
        const count = symbol === 17 ? bits.take(4) + 4 : bits.take(5) + 20;
        lengths.fill(0, i, i + count);
        i += count;
      } else {
        const count = symbol === 19 ? bits.take(1) + 4 : 1;
        const difference = symbol === 19 ? this.#pretree.next(bits) : symbol;
        if (difference > 16) throw broken();
        lengths.fill((lengths[i]! - difference + 17) % 17, i, i + count);
        i += count;
      }
    }
  }

  #copy(bits: Bits, stop: number): void {
    const bytes = bits.bytes(stop - this.#at);
    this.#output.set(bytes, this.#at);
    this.#at = stop;
  }

  #decode(bits: Bits, stop: number): void {
    const output = this.#output;
    let at = this.#at;
    while (at < stop) {
      const symbol = this.#main.next(bits);
      if (symbol < 256) {
        output[at++] = symbol;
        continue;
      }
      const header = (symbol - 256) & LENGTHS;
      const length = SHORTEST + header +
        (header === LENGTHS ? this.#length.next(bits) : 0);
      const distance = this.#distance(bits, (symbol - 256) >> 3);
      if (distance > at - this.#start || distance > this.#window || at + length > stop) throw broken();
      for (let i = 0; i < length; i++, at++) output[at] = output[at - distance]!;
    }
    this.#at = at;
  }

  #distance(bits: Bits, slot: number): number {
    const recent = this.#recent;
    if (slot < 3) {
      const distance = recent[slot]!;
      recent[slot] = recent[0];
      return recent[0] = distance;
    }
    const extra = EXTRA[slot]!;
    const isAligned = this.#type === ALIGNED && extra >= 3;
    const low = isAligned ? bits.take(extra - 3) * 8 + this.#aligned.next(bits) : bits.take(extra);
    const distance = BASE[slot]! - 2 + low;
    recent[2] = recent[1];
    recent[1] = recent[0];
    return recent[0] = distance;
  }
}

/** Bits in 16-bit words, low byte first, from the highest bit of each word. Behind the end there are a few zeros. */
class Bits {
  readonly #bytes: Uint8Array;
  #at = 0;
  #bits = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns the next 16 bits without taking them. */
  peek(): number {
    if (this.#count < 16) {
      if (this.#at > this.#bytes.length + 2) throw broken();
      const word = (this.#bytes[this.#at] ?? 0) |
        (this.#bytes[this.#at + 1] ?? 0) << 8;
      this.#at += 2;
      this.#bits = (this.#bits & 0xffff) << 16 | word;
      this.#count += 16;
    }
    return (this.#bits >>> (this.#count - 16)) & 0xffff;
  }

  /** Takes bits that were peeked at, at most 16. */
  skip(count: number): void {
    this.#count -= count;
  }

  /** Takes at most 17 bits. */
  take(count: number): number {
    if (count > 16) return this.take(count - 16) * 65536 + this.take(16);
    if (count === 0) return 0;
    const value = this.peek() >>> (16 - count);
    this.#count -= count;
    return value;
  }

  /** Skips to the next word, by 1 to 16 bits. */
  align(): void {
    if (this.#count === 0) this.#at += 2;
    else if (this.#count > 16) this.#at -= 2;
    this.#count = 0;
  }

  number(): number {
    const [a, b, c, d] = this.bytes(4);
    return (a! | b! << 8 | c! << 16 | d! << 24) >>> 0;
  }

  bytes(count: number): Uint8Array {
    if (this.#at + count > this.#bytes.length) throw broken();
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  skipByte(): void {
    this.#at++;
  }
}

/** Longest code, and the longest that is looked up at once. A larger table would cost more time than a small block. */
const LONGEST = 16, QUICK = 10;

/** A canonical Huffman code: shorter codes first, and by symbol among those of one length. */
class HuffmanCode {
  /** By the next bits: symbol × 16 + length, or 0 for a longer code. */
  readonly #quick = new Uint16Array(2 ** QUICK);
  readonly #counts = new Uint16Array(LONGEST + 1);
  /** Symbols by code. */
  #symbols = new Uint16Array(0);

  /** Defines the code by the length of each symbol; 0 for a symbol without a code. */
  build(lengths: Uint8Array): void {
    const counts = this.#counts.fill(0);
    for (const length of lengths) counts[length]!++;
    counts[0] = 0;
    const starts = new Uint16Array(LONGEST + 2);
    let room = 1;
    for (let length = 1; length <= LONGEST; length++) {
      room = room * 2 - counts[length]!;
      if (room < 0) throw broken();
      starts[length + 1] = starts[length]! + counts[length]!;
    }
    if (this.#symbols.length < lengths.length) this.#symbols = new Uint16Array(lengths.length);
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol]! > 0) this.#symbols[starts[lengths[symbol]!]!++] = symbol;
    }
    this.#quick.fill(0);
    let at = 0;
    for (let length = 1, i = 0; length <= QUICK; length++) {
      const size = 2 ** (QUICK - length);
      for (let left = counts[length]!; left > 0; left--, i++, at += size) {
        this.#quick.fill(this.#symbols[i]! * 16 + length, at, at + size);
      }
    }
  }

  next(bits: Bits): number {
    const word = bits.peek();
    const quick = this.#quick[word >>> (16 - QUICK)]!;
    if (quick !== 0) {
      bits.skip(quick & 15);
      return quick >> 4;
    }
    for (let length = 1, first = 0, index = 0; length <= LONGEST; length++) {
      const count = this.#counts[length]!;
      const code = word >>> (16 - length);
      if (code - first < count) {
        bits.skip(length);
        return this.#symbols[index + code - first]!;
      }
      index += count;
      first = (first + count) * 2;
    }
    throw broken();
  }
}

function broken(): DocumentError {
  return new DocumentError("damaged", "the LZX data is broken");
}
