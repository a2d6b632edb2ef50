import { joinedBytes } from "#documents/mod.ts";

/** Parts of a compiled help file. */
export interface Help {
  /** Files of the compressed section, by their path. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Title, and language by its number in Windows. */
  readonly title?: string;
  readonly lcid?: number;
  /** Compresses the files; by default into LZX blocks that are not compressed. */
  readonly compress?: (bytes: Uint8Array) => Uint8Array[];
  /** Size that the tables claim for the unpacked files. */
  readonly claimed?: number;
  /** Further names of the first file. */
  readonly copies?: number;
}

const FRAME = 0x8000;
const STORAGE = "::DataSpace/Storage/MSCompressed/";
const utf8 = (text: string) => new TextEncoder().encode(text);

/** Returns a compiled help file with an LZX window of 64 KB. */
export function makeChm(
  { files, title = "", lcid = 0x409, compress = stored, claimed, copies = 0 }: Help,
): Uint8Array<ArrayBuffer> {
  const entries: [name: string, section: number, offset: number, length: number][] = [];
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const [path, content] of Object.entries(files)) {
    const bytes = typeof content === "string" ? utf8(content) : content;
    entries.push([path, 1, size, bytes.length]);
    parts.push(bytes);
    size += bytes.length;
  }
  for (let i = 0; i < copies; i++) entries.push([`/copy${i}.htm`, 1, 0, entries[0]![3]]);
  const frames = compress(joinedBytes(parts));
  const starts = frames.map((_, i) => sum(frames.slice(0, i)));
  const system = [[3, utf8(`${title}\0`)], [4, low(lcid)]] as const;
  const streams: Record<string, Uint8Array> = {
    "/#SYSTEM": joinedBytes([
      low(3),
      ...system.flatMap(([code, value]) => [half(code, value.length), value]),
    ]),
    "/": new Uint8Array(),
    [`${STORAGE}ControlData`]: joinedBytes([low(6), utf8("LZXC"), low(2, 2, 2, 1, 0)]),
    [`${STORAGE}Transform/{7FC28940-9D31-11D0-9B27-00A0C91E9C7C}/InstanceData/ResetTable`]: joinedBytes([
      ...[low(2, frames.length, 8, 0x28), low(claimed ?? size, 0, sum(frames), 0, FRAME, 0)],
      ...starts.map((start) => low(start, 0)),
    ]),
    [`${STORAGE}Content`]: joinedBytes(frames),
  };
  let at = 0;
  for (const [name, bytes] of Object.entries(streams)) {
    entries.push([name, 0, at, bytes.length]);
    at += bytes.length;
  }
  const list = joinedBytes(entries.flatMap(([name, ...numbers]) => [
    ...[number(utf8(name).length), utf8(name), ...numbers.map(number)],
  ]));
  const block = joinedBytes([utf8("PMGL"), low(0, 0, 0xffffffff, 0xffffffff), list]);
  const directory = joinedBytes([
    utf8("ITSP"),
    low(1, 0x54, 10, block.length, 2, 1, 0, 0, 0, 0, 1),
    new Uint8Array(36),
    block,
  ]);
  const header = joinedBytes([utf8("ITSF"), low(3, 0x60, 1, 0, lcid), new Uint8Array(48)]);
  const places = low(0x60, 0, directory.length, 0, 0x60 + directory.length, 0);
  return joinedBytes([header, places, directory, ...Object.values(streams)]);
}

/** Writes LZX blocks that are not compressed, one for each frame. */
function stored(bytes: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += FRAME) {
    const frame = new Uint8Array(FRAME);
    frame.set(bytes.subarray(at, at + FRAME));
    const bits = new BitWriter();
    if (frames.length % 2 === 0) bits.add(0, 1);
    bits.add(3, 3);
    bits.add(FRAME, 24);
    frames.push(joinedBytes([bits.finish(), low(1, 1, 1), frame]));
  }
  return frames;
}

/** Writes bits into 16-bit words, low byte first, from the highest bit of each. */
export class BitWriter {
  readonly #bits: number[] = [];

  add(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i--) this.#bits.push(Math.floor(value / 2 ** i) & 1);
  }

  finish(): Uint8Array {
    while (this.#bits.length % 16 !== 0) this.#bits.push(0);
    const bytes = new Uint8Array(this.#bits.length / 8);
    for (const [i, bit] of this.#bits.entries()) bytes[(i >> 3) ^ 1]! |= bit << (7 - i % 8);
    return bytes;
  }
}

/** Writes a number of 7 bits per byte. All but the last byte have their highest bit set. */
function number(value: number): Uint8Array {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    digits.unshift(rest % 128 | 0x80);
  }
  return Uint8Array.from(digits);
}

function low(...numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * numbers.length);
  for (const [i, value] of numbers.entries()) new DataView(bytes.buffer).setUint32(4 * i, value, true);
  return bytes;
}

function half(...numbers: readonly number[]): Uint8Array {
  return Uint8Array.from(numbers.flatMap((value) => [value & 0xff, value >> 8]));
}

function sum(parts: readonly Uint8Array[]): number {
  return parts.reduce((all, { length }) => all + length, 0);
}
