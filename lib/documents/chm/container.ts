/**
 * Reads the files in a compiled help file (ITSF): its directory, and the section that is compressed by LZX.
 * Described by Matthew Russotto ("Microsoft's HTML Help (.chm) format") and the project chmlib.
 */
import { NumberReader } from "../bytes.ts";
import { DocumentError, viewOf } from "../types.ts";
import { FRAME, LzxDecoder } from "./lzx.ts";

/** A file in the container. */
interface Entry {
  /** 0: stored as it is, 1: compressed. */
  readonly section: number;
  readonly offset: number;
  readonly length: number;
}

const MOST_ENTRIES = 200_000;
/** Most bytes that the compressed section unpacks to, and bytes for each byte of the file beyond {@linkcode SMALL}. */
const MOST_UNPACKED = 300_000_000;
const SMALL = 16_000_000;
const RATIO = 300;

const STORAGE = "::DataSpace/Storage/MSCompressed/";
const RESET_TABLE = `${STORAGE}Transform/{7FC28940-9D31-11D0-9B27-00A0C91E9C7C}/InstanceData/ResetTable`;

/** The files in a compiled help file, by their paths. */
export class HelpContainer {
  /** Language of the author's computer by its number in Windows. */
  readonly locale: number;
  readonly #bytes: Uint8Array;
  /** Offset of the files that are stored as they are. */
  readonly #content: number;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** Paths in lower case: links often use another case. */
  readonly #folded = new Map<string, string>();
  #unpacked: Uint8Array | undefined;
  #read = 0;

  /** Reads the directory. Throws {@linkcode DocumentError} `damaged` or `too_complex`. */
  constructor(bytes: Uint8Array) {
    const view = viewOf(bytes);
    if (bytes.length < 0x60 || view.getUint32(0) !== ITSF) throw damaged("it is not a compiled help file");
    this.#bytes = bytes;
    this.locale = view.getUint32(20, true);
    const directory = whole(view, 0x48);
    this.#content = view.getUint32(4, true) >= 3 ? whole(view, 0x58) : directory + whole(view, 0x50);
    this.#entries = readDirectory(bytes, directory);
    for (const path of this.#entries.keys()) this.#folded.set(path.toLowerCase(), path);
  }

  /** Paths of the files, which begin with a slash, and of internal streams. */
  get paths(): Iterable<string> {
    return this.#entries.keys();
  }

  /** Returns the path of a file as the directory writes it; `undefined` if there is none. */
  find(path: string): string | undefined {
    // Folders are entries too.
    if (path.endsWith("/")) return undefined;
    return this.#entries.has(path) ? path : this.#folded.get(path.toLowerCase());
  }

  /**
   * Returns the bytes of a file; `undefined` if there is none, or it lies in a part that is cut off or broken. Throws
   * {@linkcode DocumentError}: `damaged`, `unsupported` or `too_complex`.
   */
  read(path: string): Uint8Array | undefined {
    const found = this.find(path);
    const entry = found === undefined ? undefined : this.#entries.get(found);
    if (entry === undefined) return undefined;
    const source = entry.section === 0 ? this.#bytes : this.#unpacked ??= this.#unpack();
    const start = entry.offset + (entry.section === 0 ? this.#content : 0);
    if (start + entry.length > source.length) return undefined;
    // Many entries can name the same bytes.
    this.#read += entry.length;
    if (this.#read > 2 * (this.#bytes.length + (this.#unpacked?.length ?? 0))) throw tooLarge();
    return source.subarray(start, start + entry.length);
  }

  #stream(path: string): Uint8Array {
    const bytes = this.#entries.get(path)?.section === 0 ? this.read(path) : undefined;
    if (bytes === undefined) throw damaged(`the stream ${path.split("/").at(-1)} is missing`);
    return bytes;
  }

  /** Unpacks the compressed section. Returns what lies before an error, if it has any. */
  #unpack(): Uint8Array {
    const control = viewOf(this.#stream(`${STORAGE}ControlData`));
    const table = viewOf(this.#stream(RESET_TABLE));
    const packed = this.#packed();
    if (control.byteLength < 24 || table.byteLength < 0x28) {
      throw damaged("the tables of the LZX data are cut off");
    }
    const unit = control.getUint32(8, true) === 1 ? 1 : FRAME;
    const [interval, window] = [control.getUint32(12, true) * unit, control.getUint32(16, true) * unit];
    const [header, size] = [table.getUint32(12, true), whole(table, 16)];
    const frames = Math.min(table.getUint32(4, true), Math.floor((table.byteLength - header) / 8));
    if (size > MOST_UNPACKED || (size > SMALL && size > this.#bytes.length * RATIO)) throw tooLarge();
    if (whole(table, 32) !== FRAME || size > frames * FRAME) throw damaged("the LZX data has no frames");
    // The last frame is filled up.
    const output = new Uint8Array(Math.ceil(size / FRAME) * FRAME);
    const decoder = new LzxDecoder(output, window);
    const framesToReset = Math.max(1, Math.floor(interval / FRAME));
    try {
      for (let i = 0; i < frames && decoder.at < size; i++) {
        if (i % framesToReset === 0) decoder.reset();
        const start = whole(table, header + 8 * i);
        const end = i + 1 < frames ? whole(table, header + 8 * (i + 1)) : packed.length;
        if (end < start || start >= packed.length) break;
        decoder.frame(packed.subarray(start, end));
      }
    } catch (error) {
      if (!(error instanceof DocumentError) || decoder.at === 0) throw error;
    }
    return output.subarray(0, Math.min(decoder.at, size));
  }

  /** Returns the bytes of the compressed section. Those of a cut file end early. */
  #packed(): Uint8Array {
    const entry = this.#entries.get(`${STORAGE}Content`);
    if (entry?.section !== 0) throw damaged("the compressed content is missing");
    const start = this.#content + entry.offset;
    return this.#bytes.subarray(start, start + entry.length);
  }
}

/** Signatures, as numbers with the first letter highest: ITSF, ITSP, PMGL. */
const ITSF = 0x49545346, ITSP = 0x49545350, PMGL = 0x504d474c;
/** Bytes before the entries of a block of the directory. */
const BLOCK_HEADER = 20;

/** Reads the directory: blocks of one size, of which those with a list of files count, in any order. */
function readDirectory(bytes: Uint8Array, start: number): Map<string, Entry> {
  const view = viewOf(bytes);
  if (start + 0x54 > bytes.length || view.getUint32(start) !== ITSP) {
    throw damaged("the directory is missing");
  }
  const size = view.getUint32(start + 16, true);
  const blocks = view.getUint32(start + 44, true);
  const entries = new Map<string, Entry>();
  const first = start + view.getUint32(start + 8, true);
  if (size < BLOCK_HEADER) throw damaged("the directory is broken");
  for (
    let i = 0;
    i < blocks && first + i * size + BLOCK_HEADER <= bytes.length;
    i++
  ) {
    const block = bytes.subarray(first + i * size, first + (i + 1) * size);
    if (viewOf(block).getUint32(0) !== PMGL) continue;
    readBlock(
      block.subarray(0, block.length - Math.min(block.length, viewOf(block).getUint32(4, true))),
      entries,
    );
    if (entries.size > MOST_ENTRIES) {
      throw new DocumentError("too_complex", "the help file has too many files");
    }
  }
  return entries;
}

/** Reads entries: a name with its length before it, section, offset and length. */
function readBlock(block: Uint8Array, entries: Map<string, Entry>): void {
  const decoder = new TextDecoder();
  const reader = new NumberReader(block, BLOCK_HEADER);
  while (reader.at < block.length) {
    const length = reader.highFirst();
    const name = decoder.decode(block.subarray(reader.at, reader.at + length));
    reader.at += length;
    const entry = { section: reader.highFirst(), offset: reader.highFirst(), length: reader.highFirst() };
    if (reader.at <= block.length && name !== "" && !entries.has(name)) entries.set(name, entry);
  }
}

/** Reads a number of 64 bits. */
function whole(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

function damaged(message: string): DocumentError {
  return new DocumentError("damaged", message);
}

function tooLarge(): DocumentError {
  return new DocumentError("too_complex", "the help file unpacks to more than the limit");
}
