/**
 * The entries of a 7z archive. Files lie one after the other in compressed blocks ("folders" in the format's description), each
 * unpacked as a whole when one of its files is read.
 */
import { crc32 } from "node:zlib";
import { DocumentError, viewOf } from "../types.ts";
import { inflate } from "../zip.ts";
import { cutOff, type RawEntry, tooComplex, type UnpackBudget } from "./budget.ts";
import { decodeBzip2 } from "./bzip2.ts";
import { decodeLzma, decodeLzma2, undoX86 } from "./lzma.ts";
import { decodeZstandard } from "./streams.ts";

/** One step of unpacking a block. */
interface Coder {
  readonly id: string;
  readonly properties: Uint8Array;
}

/** Files that are compressed together. */
interface Block {
  readonly coders: readonly Coder[];
  /** Numbers of the coders in the order in which they unpack; empty if they are not in a row. */
  readonly order: readonly number[];
  readonly packed: Uint8Array;
  /** Bytes after each coder. */
  sizes: readonly number[];
}

/** Bytes of the files in a block. */
function sizeOf({ order, sizes }: Block): number {
  return sizes[order.at(-1) ?? 0] ?? 0;
}

/** A file's place in a block. */
interface Place {
  readonly block: Block;
  readonly from: number;
  readonly size: number;
  readonly crc?: number;
}

/**
 * Yields the entries of a 7z archive. `content`: the name of one without a name, in UTF-8. Throws {@linkcode DocumentError},
 * `encrypted` if even the names are.
 */
export function* sevenZipEntries(
  bytes: Uint8Array,
  content: Uint8Array,
  budget: UnpackBudget,
): Generator<RawEntry> {
  const header = new Reader(bytes, 12);
  const [offset, size] = [header.u64(), header.u64()];
  if (size === 0) return;
  if (32 + offset + size > bytes.length) throw cutOff();
  let at = new Reader(bytes.subarray(32 + offset, 32 + offset + size));
  for (let packedTimes = 0; at.peek() === 0x17; packedTimes++) {
    if (packedTimes > 3) throw cutOff();
    at.byte();
    const [place] = readStreams(at, bytes, budget);
    if (place === undefined) throw cutOff();
    const { bytes: names, problem } = unpackBlock(place.block, budget);
    if (problem !== undefined) throw problem;
    at = new Reader(names.subarray(place.from, place.from + place.size));
  }
  if (at.byte() !== 1) throw cutOff();
  let type = at.byte();
  if (type === 2) {
    for (let property = at.byte(); property !== 0; property = at.byte()) at.take(at.number());
    type = at.byte();
  }
  let places: readonly Place[] = [];
  if (type === 4) {
    places = readStreams(at, bytes, budget);
    type = at.byte();
  }
  if (type !== 5) return;
  for (const entry of files(at, places, budget)) {
    yield entry.name.length > 0 ? entry : { ...entry, name: content, encoding: "utf-8" };
  }
}

function* files(at: Reader, places: readonly Place[], budget: UnpackBudget): Generator<RawEntry> {
  const count = at.count();
  if (count > budget.limits.entries) tooMany(count, budget);
  let empty: boolean[] = [];
  let emptyCount = 0;
  let emptyFiles: boolean[] = [];
  let names: Uint8Array[] = [];
  let times: (number | undefined)[] = [];
  let attributes: (number | undefined)[] = [];
  for (let type = at.number(); type !== 0; type = at.number()) {
    const field = new Reader(at.take(at.number()));
    if (type === 14) {
      empty = field.bits(count);
      emptyCount = empty.filter(Boolean).length;
    } else if (type === 15) emptyFiles = field.bits(emptyCount);
    else if (type === 17) names = field.byte() === 0 ? field.names(count) : [];
    else if (type === 20) times = field.ofEach(count, () => field.u64() / 10_000 - 11_644_473_600_000);
    else if (type === 21) attributes = field.ofEach(count, () => field.u32());
  }
  let [place, nothing] = [0, 0];
  let last: { readonly block: Block; readonly unpacked: UnpackedBlock } | undefined;
  for (let i = 0; i < count; i++) {
    budget.countEntry();
    const mode = attributes[i] ?? 0;
    const name = names[i] ?? new Uint8Array();
    const mtimeMs = times[i] && Math.trunc(times[i]!);
    const facts = { name, encoding: "utf-16le" as const, ...(mtimeMs === undefined ? {} : { mtimeMs }) };
    if (empty[i]) {
      if (emptyFiles[nothing++]) yield { ...facts, size: 0, read: () => new Uint8Array() };
      continue;
    }
    const found = places[place++];
    if (found === undefined) throw cutOff();
    // A folder, or a link with the type of Unix in the high half.
    if ((mode & 0x10) !== 0 || (mode & 0x8000) !== 0 && mode >>> 28 === 0xa) continue;
    const { block, from, size, crc } = found;
    const problem = problemOf(block);
    const read = () => {
      if (last?.block !== block) last = { block, unpacked: unpackBlock(block, budget) };
      const { bytes, problem = cutOff() } = last.unpacked;
      const content = bytes.subarray(from, from + size);
      if (content.length < size) throw problem;
      if (crc !== undefined && crc32(content) !== crc) throw cutOff();
      return content;
    };
    yield { ...facts, size, ...(problem === undefined ? { read } : { problem }) };
  }
}

const METHODS: Readonly<Record<string, string>> = {
  "": "copy",
  "00": "copy",
  "21": "lzma2",
  "030101": "lzma",
  "040108": "deflate",
  "040202": "bzip2",
  "04f71101": "zstandard",
  "03030103": "x86",
  "04": "x86",
};

/** Methods that are not read. */
const OTHER_METHODS: Readonly<Record<string, string>> = {
  "030401": "PPMd",
  "0303011b": "BCJ2",
  "040109": "Deflate64",
  "03": "Delta",
  "04f71102": "Brotli",
  "04f71104": "LZ4",
};

function problemOf({ coders, order }: Block): DocumentError | undefined {
  if (coders.some(({ id }) => id === "06f10701")) return new DocumentError("encrypted", "it is encrypted");
  const unknown = coders.map(({ id }) => id).find((id) => METHODS[id] === undefined);
  if (unknown === undefined && order.length > 0) return undefined;
  const method = OTHER_METHODS[unknown ?? ""] ?? `the method ${unknown ?? "of several streams"}`;
  return new DocumentError("unsupported", `it is compressed by ${method}, which is not read in 7z archives`);
}

/** The bytes of a block up to the place where it is broken. */
interface UnpackedBlock {
  readonly bytes: Uint8Array;
  /** Set if bytes are missing at the end. */
  readonly problem?: DocumentError;
}

function unpackBlock(block: Block, budget: UnpackBudget): UnpackedBlock {
  let problem = problemOf(block);
  if (problem !== undefined) throw problem;
  let bytes = block.packed;
  for (const i of block.order) {
    const { id, properties } = block.coders[i]!;
    const size = block.sizes[i]!;
    const method = METHODS[id];
    if (method === "copy") continue;
    if (method === "x86") {
      // The bytes may be those of the archive.
      bytes = bytes.slice();
      undoX86(bytes);
      continue;
    }
    if (size > budget.limits.stream) {
      throw tooComplex(
        `a block of the archive unpacks to ${Math.ceil(size / 1e6)} MB, more than ${
          budget.limits.stream / 1e6
        }`,
      );
    }
    const out = budget.unpacked(bytes.length, size);
    try {
      if (method === "lzma") decodeLzma(bytes, properties, size, out);
      else if (method === "lzma2") decodeLzma2(bytes, 0, out);
      else if (method === "zstandard") decodeZstandard(bytes, out);
      else if (method === "deflate") { for (const piece of inflate(bytes)) out.append(piece); }
      else decodeBzip2(bytes, out);
    } catch (error) {
      problem ??= error instanceof DocumentError ? error : cutOff();
    }
    bytes = out.taken;
  }
  return { bytes, ...(problem === undefined ? {} : { problem }) };
}

/** Reads where the files lie: `PackInfo`, `UnpackInfo`, `SubStreamsInfo`. */
function readStreams(at: Reader, bytes: Uint8Array, budget: UnpackBudget): Place[] {
  const packed: Uint8Array[] = [];
  let blocks: Block[] = [];
  let blockCrcs: (number | undefined)[] = [];
  let places: Place[] | undefined;
  for (let type = at.number(); type !== 0; type = at.number()) {
    if (type === 6) {
      let start = 32 + at.number();
      const count = at.count();
      if (count > budget.limits.entries) tooMany(count, budget);
      for (let field = at.number(); field !== 0; field = at.number()) {
        if (field === 9) {
          for (let i = 0; i < count; i++) {
            const size = at.number();
            packed.push(bytes.subarray(start, start + size));
            if (start + size > bytes.length) throw cutOff();
            start += size;
          }
        } else if (field === 10) at.ofEachOf(count, () => at.u32());
        else throw cutOff();
      }
    } else if (type === 7) {
      if (at.number() !== 11) throw cutOff();
      const count = at.count();
      if (count > budget.limits.entries) tooMany(count, budget);
      if (at.byte() !== 0) throw cutOff();
      let next = 0;
      blocks = Array.from({ length: count }, () => {
        const { coders, order, outputs, inputs } = readCoders(at);
        const own = packed.slice(next, next + inputs);
        next += inputs;
        if (own.length < inputs) throw cutOff();
        return { coders, order, packed: own[0]!, sizes: Array.from({ length: outputs }, () => 0) };
      });
      for (let field = at.number(); field !== 0; field = at.number()) {
        if (field === 12) { for (const block of blocks) block.sizes = block.sizes.map(() => at.number()); }
        else if (field === 10) blockCrcs = at.ofEachOf(count, () => at.u32());
        else throw cutOff();
      }
    } else if (type === 8 && places === undefined) places = readPlaces(at, blocks, blockCrcs, budget);
    else throw cutOff();
  }
  return places ?? blocks.map((block, i) => placeOf(block, 0, sizeOf(block), blockCrcs[i]));
}

function placeOf(block: Block, from: number, size: number, crc: number | undefined): Place {
  return { block, from, size, ...(crc === undefined ? {} : { crc }) };
}

function readCoders(at: Reader) {
  const count = at.number();
  if (count < 1 || count > 8) throw cutOff();
  let [inputs, outputs] = [0, 0];
  const coders = Array.from({ length: count }, (): Coder => {
    const flags = at.byte();
    const id = Array.from(at.take(flags & 15), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const [ins, outs] = (flags & 16) === 0 ? [1, 1] : [at.number(), at.number()];
    if (ins > 8 || outs > 8 || outs < 1) throw cutOff();
    inputs += ins;
    outputs += outs;
    const properties = (flags & 32) === 0 ? new Uint8Array() : at.take(at.number());
    return { id, properties };
  });
  /** The coder that reads the output of each coder. */
  const readers = new Map<number, number>();
  for (let i = 0; i < outputs - 1; i++) {
    const input = at.number();
    readers.set(at.number(), input);
  }
  const packed = inputs - (outputs - 1);
  if (packed < 1) throw cutOff();
  if (packed > 1) { for (let i = 0; i < packed; i++) at.number(); }
  return {
    coders,
    order: inputs === count && outputs === count ? orderOf(readers, count) : [],
    outputs,
    inputs: packed,
  };
}

/** The coders in a row, beginning with the one that reads no other's output. */
function orderOf(readers: ReadonlyMap<number, number>, count: number): number[] {
  const reading = new Set(readers.values());
  const order: number[] = [];
  let coder = Array.from({ length: count }, (_, i) => i).find((i) => !reading.has(i));
  while (coder !== undefined && order.length <= count) {
    order.push(coder);
    coder = readers.get(coder);
  }
  return order.length === count ? order : [];
}

function readPlaces(
  at: Reader,
  blocks: readonly Block[],
  blockCrcs: readonly (number | undefined)[],
  budget: UnpackBudget,
): Place[] {
  let counts = blocks.map(() => 1);
  let type = at.number();
  if (type === 13) {
    counts = blocks.map(() => at.number());
    type = at.number();
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total > budget.limits.entries) tooMany(total, budget);
  const sizes = blocks.map((block, i) => {
    const own: number[] = [];
    let left = sizeOf(block);
    for (let k = 1; k < counts[i]!; k++) {
      const size = type === 9 ? at.number() : 0;
      own.push(size);
      left -= size;
    }
    if (counts[i]! > 0) own.push(Math.max(0, left));
    return own;
  });
  if (type === 9) type = at.number();
  const isKnown = (i: number) => counts[i] === 1 && blockCrcs[i] !== undefined;
  const unknown = counts.reduce((sum, count, i) => sum + (isKnown(i) ? 0 : count), 0);
  let crcs: (number | undefined)[] = [];
  for (; type !== 0; type = at.number()) {
    if (type === 10) crcs = at.ofEachOf(unknown, () => at.u32());
    else throw cutOff();
  }
  let next = 0;
  return blocks.flatMap((block, i) => {
    let from = 0;
    return sizes[i]!.map((size) => {
      const place = placeOf(block, from, size, isKnown(i) ? blockCrcs[i] : crcs[next++]);
      from += size;
      return place;
    });
  });
}

function tooMany(count: number, budget: UnpackBudget): never {
  throw tooComplex(`the archive has ${count} entries, more than ${budget.limits.entries}`);
}

/** Reads the numbers of a header. */
class Reader {
  readonly #view: DataView;

  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
    this.#view = viewOf(bytes);
  }

  peek(): number | undefined {
    return this.bytes[this.at];
  }

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw cutOff();
    return byte;
  }

  take(count: number): Uint8Array {
    if (this.at + count > this.bytes.length) throw cutOff();
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  u32(): number {
    this.take(4);
    return this.#view.getUint32(this.at - 4, true);
  }

  u64(): number {
    const low = this.u32();
    return low + this.u32() * 2 ** 32;
  }

  /** A number whose first byte says by its highest bits how many bytes follow. */
  number(): number {
    const first = this.byte();
    let value = 0;
    for (let i = 0; i < 8; i++) {
      const bit = 0x80 >> i;
      if ((first & bit) === 0) return value + (first & bit - 1) * 256 ** i;
      value += this.byte() * 256 ** i;
    }
    return value;
  }

  /** A number of things that take at least a bit each in the rest of the header. */
  count(): number {
    const count = this.number();
    if (count > (this.bytes.length - this.at) * 8 + 8) throw cutOff();
    return count;
  }

  bits(count: number): boolean[] {
    const bytes = this.take(Math.ceil(count / 8));
    return Array.from({ length: count }, (_, i) => (bytes[i >> 3]! & 0x80 >> (i & 7)) !== 0);
  }

  /** Reads `count` values, without those whose bit in a list before them is 0. */
  ofEachOf<Value>(count: number, read: () => Value): (Value | undefined)[] {
    const there = this.byte() === 0 ? this.bits(count) : undefined;
    return Array.from({ length: count }, (_, i) => there === undefined || there[i] ? read() : undefined);
  }

  /** {@linkcode ofEachOf} in a field that may lie elsewhere, which no program writes. */
  ofEach<Value>(count: number, read: () => Value): (Value | undefined)[] {
    const there = this.byte() === 0 ? this.bits(count) : undefined;
    if (this.byte() !== 0) return [];
    return Array.from({ length: count }, (_, i) => there === undefined || there[i] ? read() : undefined);
  }

  /** Names in UTF-16 with a zero behind each. */
  names(count: number): Uint8Array[] {
    return Array.from({ length: count }, () => {
      const from = this.at;
      while (this.byte() + this.byte() * 256 !== 0) { /* the next letter */ }
      return this.bytes.subarray(from, this.at - 2);
    });
  }
}
