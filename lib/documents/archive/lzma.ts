/**
 * Decodes LZMA and LZMA2, the compression of 7z and xz, and the x86 filter that 7z puts before it. Written after the description of
 * the format in Igor Pavlov's public LZMA specification. The output is the dictionary, so nothing but it takes memory.
 */
import { DocumentError } from "../types.ts";
import type { GrowingBytes } from "../bytes.ts";
import { cutOff } from "./budget.ts";

const STATES = 12;
const TOP = 2 ** 24;
const EVEN = 1024;

// Places of the probabilities. A length has two choices, two tables of 8 for each of 16 positions, and one of 256.
const LENGTH = 2 + 16 * 8 + 16 * 8 + 256;
const IS_MATCH = 0;
const IS_REP = IS_MATCH + STATES * 16;
const IS_REP_0 = IS_REP + STATES;
const IS_REP_1 = IS_REP_0 + STATES;
const IS_REP_2 = IS_REP_1 + STATES;
const IS_REP_0_LONG = IS_REP_2 + STATES;
const SLOTS = IS_REP_0_LONG + STATES * 16;
const NEAR = SLOTS + 4 * 64;
const ALIGN = NEAR + 128;
const MATCH_LENGTH = ALIGN + 16;
const REP_LENGTH = MATCH_LENGTH + LENGTH;
const LITERALS = REP_LENGTH + LENGTH;

/** The state of a decoder, which LZMA2 keeps from one piece to the next. */
class Lzma {
  readonly #in: Uint8Array;
  readonly #out: GrowingBytes;
  #probabilities = new Uint16Array(LITERALS);
  #lc = 0;
  #lpMask = 0;
  #pbMask = 0;
  #state = 0;
  #reps: [number, number, number, number] = [0, 0, 0, 0];
  /** Place in the output where the dictionary begins. */
  #base = 0;
  #at = 0;
  #range = 0;
  #code = 0;

  constructor(bytes: Uint8Array, out: GrowingBytes) {
    this.#in = bytes;
    this.#out = out;
  }

  /** `most`: bits by which the table of a literal is chosen. No program uses more than 8, though LZMA has room for 12. */
  setProperties(byte: number, most = 8): void {
    if (byte >= 9 * 5 * 5) throw broken();
    this.#lc = byte % 9;
    const rest = Math.floor(byte / 9);
    const lp = rest % 5;
    if (this.#lc + lp > most) throw broken();
    this.#lpMask = (1 << lp) - 1;
    this.#pbMask = (1 << Math.floor(rest / 5)) - 1;
    this.#probabilities = new Uint16Array(LITERALS + (0x300 << (this.#lc + lp)));
  }

  resetState(): void {
    this.#probabilities.fill(EVEN);
    this.#state = 0;
    this.#reps = [0, 0, 0, 0];
  }

  resetDictionary(): void {
    this.#base = this.#out.length;
  }

  /** Begins to read at `at`, where the first byte is always 0. */
  begin(at: number): void {
    if (at + 5 > this.#in.length) throw cutOff();
    if (this.#in[at] !== 0) throw broken();
    this.#range = 0xffffffff;
    this.#code = new DataView(this.#in.buffer, this.#in.byteOffset).getUint32(at + 1);
    this.#at = at + 5;
  }

  /** Decodes up to a length of the output, or to the mark of the end. Throws when it would read beyond `end`. */
  decode(until: number, end: number): void {
    const out = this.#out;
    const base = this.#base;
    let [rep0, rep1, rep2, rep3] = this.#reps;
    let state = this.#state;
    while (out.length < until) {
      if (this.#at > end) throw cutOff();
      const place = out.length - base;
      const position = place & this.#pbMask;
      if (this.#bit(IS_MATCH + (state << 4) + position) === 0) {
        out.push(this.#literal(place, state, rep0));
        state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
        continue;
      }
      let length: number;
      if (this.#bit(IS_REP + state) === 0) {
        [rep3, rep2, rep1] = [rep2, rep1, rep0];
        length = this.#length(MATCH_LENGTH, position);
        state = state < 7 ? 7 : 10;
        rep0 = this.#distance(length);
        if (rep0 === 0xffffffff) break;
      } else {
        if (this.#bit(IS_REP_0 + state) === 0) {
          if (this.#bit(IS_REP_0_LONG + (state << 4) + position) === 0) {
            if (rep0 >= place) throw broken();
            state = state < 7 ? 9 : 11;
            out.push(out.bytes[out.length - rep0 - 1]!);
            continue;
          }
        } else {
          let distance = rep1;
          if (this.#bit(IS_REP_1 + state) === 1) {
            if (this.#bit(IS_REP_2 + state) === 0) distance = rep2;
            else [distance, rep3] = [rep3, rep2];
            rep2 = rep1;
          }
          [rep1, rep0] = [rep0, distance];
        }
        length = this.#length(REP_LENGTH, position);
        state = state < 7 ? 8 : 11;
      }
      if (rep0 >= place) throw broken();
      out.repeat(rep0 + 1, Math.min(length + 2, until - out.length));
    }
    if (this.#at > end) throw cutOff();
    this.#reps = [rep0, rep1, rep2, rep3];
    this.#state = state;
  }

  #bit(index: number): number {
    const chance = this.#probabilities[index]!;
    const bound = (this.#range >>> 11) * chance;
    let bit = 0;
    if (this.#code < bound) {
      this.#range = bound;
      this.#probabilities[index] = chance + ((2048 - chance) >> 5);
    } else {
      this.#range -= bound;
      this.#code -= bound;
      this.#probabilities[index] = chance - (chance >> 5);
      bit = 1;
    }
    if (this.#range < TOP) this.#more();
    return bit;
  }

  #more(): void {
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | this.#in[this.#at++]!) >>> 0;
  }

  #literal(place: number, state: number, rep0: number): number {
    const out = this.#out;
    const before = place === 0 ? 0 : out.bytes[out.length - 1]!;
    const table = LITERALS +
      0x300 * (((place & this.#lpMask) << this.#lc) + (before >> (8 - this.#lc)));
    let symbol = 1;
    if (state >= 7) {
      if (rep0 >= place) throw broken();
      let match = out.bytes[out.length - rep0 - 1]!;
      while (symbol < 0x100) {
        const wanted = (match >> 7) & 1;
        match <<= 1;
        const bit = this.#bit(table + ((1 + wanted) << 8) + symbol);
        symbol = (symbol << 1) | bit;
        if (bit !== wanted) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | this.#bit(table + symbol);
    return symbol & 0xff;
  }

  #length(table: number, position: number): number {
    if (this.#bit(table) === 0) return this.#tree(table + 2 + (position << 3), 3);
    if (this.#bit(table + 1) === 0) return 8 + this.#tree(table + 2 + 128 + (position << 3), 3);
    return 16 + this.#tree(table + 2 + 256, 8);
  }

  #distance(length: number): number {
    const slot = this.#tree(SLOTS + (Math.min(length, 3) << 6), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const start = (2 | (slot & 1)) * 2 ** bits;
    if (slot < 14) return start + this.#reversed(NEAR + start - slot, bits);
    let direct = 0;
    for (let i = bits - 4; i > 0; i--) {
      this.#range >>>= 1;
      const isOne = this.#code >= this.#range;
      if (isOne) this.#code -= this.#range;
      direct = direct * 2 + (isOne ? 1 : 0);
      if (this.#range < TOP) this.#more();
    }
    return start + direct * 16 + this.#reversed(ALIGN, 4);
  }

  #tree(table: number, bits: number): number {
    let symbol = 1;
    for (let i = 0; i < bits; i++) symbol = (symbol << 1) | this.#bit(table + symbol);
    return symbol - (1 << bits);
  }

  #reversed(table: number, bits: number): number {
    let symbol = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const bit = this.#bit(table + symbol);
      symbol = (symbol << 1) | bit;
      value |= bit << i;
    }
    return value;
  }
}

/** Decodes LZMA. `properties`: 5 bytes. `size`: bytes of the output. */
export function decodeLzma(bytes: Uint8Array, properties: Uint8Array, size: number, out: GrowingBytes): void {
  const lzma = new Lzma(bytes, out);
  lzma.setProperties(properties[0] ?? 0xff);
  lzma.resetState();
  lzma.resetDictionary();
  lzma.begin(0);
  lzma.decode(out.length + size, bytes.length);
}

/** Decodes LZMA2 up to the mark of its end. Returns the place behind it. */
export function decodeLzma2(bytes: Uint8Array, from: number, out: GrowingBytes): number {
  const lzma = new Lzma(bytes, out);
  let at = from;
  let [hasDictionary, hasProperties] = [false, false];
  for (;;) {
    const control = byteAt(bytes, at++);
    if (control === 0) return at;
    const isPacked = control >= 0x80;
    const resets = isPacked ? control >> 5 & 3 : 0;
    if (control === 1 || resets === 3) {
      lzma.resetDictionary();
      hasDictionary = true;
    }
    if (!hasDictionary || !isPacked && control > 2) throw broken();
    const size = byteAt(bytes, at) * 256 + byteAt(bytes, at + 1) + 1 +
      (isPacked ? (control & 0x1f) << 16 : 0);
    at += 2;
    if (!isPacked) {
      const piece = bytes.subarray(at, at + size);
      out.append(piece);
      if (piece.length < size) throw cutOff();
      at += size;
      continue;
    }
    const packed = byteAt(bytes, at) * 256 + byteAt(bytes, at + 1) + 1;
    at += 2;
    if (resets >= 2) {
      // The format allows no more. Each piece of a few bytes may ask for new tables.
      lzma.setProperties(byteAt(bytes, at++), 4);
      hasProperties = true;
    }
    if (!hasProperties) throw broken();
    if (resets >= 1) lzma.resetState();
    lzma.begin(at);
    lzma.decode(out.length + size, Math.min(bytes.length, at + packed));
    at += packed;
  }
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw cutOff();
  return byte;
}

function broken(): DocumentError {
  return new DocumentError("damaged", "the compressed bytes are broken");
}

/** By the last bytes that looked like a high byte of an address: whether an operand may be one, and the byte to look at. */
const MAY_BE_ADDRESS = [true, true, true, false, true, false, false, false];
const BYTE_OF_MASK = [0, 1, 2, 2, 3, 3, 3, 3];

/** Turns absolute targets of x86 calls and jumps back into relative ones, in place. Some writers filter every file so. */
export function undoX86(bytes: Uint8Array): void {
  const isHigh = (byte: number) => byte === 0 || byte === 0xff;
  let mask = 0;
  let last = -5;
  for (let at = 0; at + 5 <= bytes.length;) {
    if ((bytes[at]! & 0xfe) !== 0xe8) {
      at++;
      continue;
    }
    const passed = at - last;
    last = at;
    mask = passed > 5 ? 0 : Array.from({ length: passed }).reduce((now: number) => (now & 0x77) << 1, mask);
    const high = bytes[at + 4]!;
    if (!isHigh(high) || !MAY_BE_ADDRESS[mask >> 1 & 7] || mask >> 1 >= 0x10) {
      at++;
      mask |= isHigh(high) ? 0x11 : 1;
      continue;
    }
    let target = bytes[at + 1]! | bytes[at + 2]! << 8 | bytes[at + 3]! << 16 | high << 24;
    for (;;) {
      const relative = target - (at + 5) | 0;
      const shift = 24 - BYTE_OF_MASK[mask >> 1]! * 8;
      if (mask === 0 || !isHigh(relative >> shift & 0xff)) {
        target = relative;
        break;
      }
      target = relative ^ ((2 ** (shift + 8) - 1) | 0);
    }
    for (let i = 0; i < 3; i++) bytes[at + 1 + i] = target >> 8 * i;
    bytes[at + 4] = (target >> 24 & 1) === 1 ? 0xff : 0;
    at += 5;
    mask = 0;
  }
}
