/**
 * The pictures of a binary Word document: those in the line lie in the stream `Data`, floating ones are shapes that refer to a list.
 * Below it: the records of Office drawings (MS-ODRAW), which both consist of.
 */
import type { PictureSource } from "../pictures/types.ts";
import { DocumentError, viewOf } from "../types.ts";
import { type Fib, PART } from "./properties.ts";

/** Streams and parts of a document that hold pictures. */
interface Input {
  /** `WordDocument`, and `Data` if there is one. */
  readonly stream: Uint8Array;
  readonly data: Uint8Array | undefined;
  /** Returns the bytes of a part. */
  readonly part: (index: number) => Uint8Array;
}

/** Length of an anchor of a floating shape behind its place. */
const ANCHOR = 26;

/** Finds the pictures of a document by their character in the text. */
export class DocPictures {
  readonly #input: Input;
  /** Numbers of the floating shapes by their place in the text. */
  readonly #anchors = new Map<number, number>();
  #drawings: Drawings | undefined;

  constructor(input: Input, { lengths }: Fib) {
    this.#input = input;
    const anchors = input.part(PART.anchors);
    const view = viewOf(anchors);
    const count = Math.max(0, Math.floor((anchors.length - 4) / (4 + ANCHOR)));
    for (let i = 0; i < count; i++) {
      const at = view.getUint32(4 * i, true);
      if (at < lengths.text) this.#anchors.set(at, view.getUint32(4 * (count + 1) + ANCHOR * i, true));
    }
  }

  /**
   * Returns where the picture of a character is; `undefined` for the anchor of a text box or another shape without a picture. `place`:
   * its offset in the stream `Data`, if it stands in the line.
   */
  source(at: number, place: number | undefined): PictureSource | undefined {
    const { data, stream, part } = this.#input;
    const shape = this.#anchors.get(at);
    if (shape === undefined) {
      return { bytes: () => data === undefined || place === undefined ? undefined : inLine(data, place) };
    }
    const { pictures, entries } = this.#drawings ??= drawingsIn(part(PART.drawings));
    const number = pictures.get(shape);
    if (number === undefined) return undefined;
    const entry = entries[number - 1];
    return { bytes: () => entry && entryPicture(entry, stream) };
  }
}

/** Kinds of a picture in the line: a shape, and one with the name of a file. */
const SHAPE = 0x64, NAMED_SHAPE = 0x66;

/** Returns the picture at an offset of the stream `Data` (MS-DOC 2.9.190). */
function inLine(data: Uint8Array, at: number): Uint8Array | undefined {
  const view = viewOf(data);
  if (at + 8 > data.length) return undefined;
  const end = Math.min(data.length, at + view.getUint32(at, true));
  const kind = view.getUint16(at + 6, true);
  if (kind !== SHAPE && kind !== NAMED_SHAPE) throw metafile();
  let from = at + view.getUint16(at + 4, true);
  if (kind === NAMED_SHAPE) from += 1 + (data[from] ?? 0);
  for (const { type, body, whole } of records(data.subarray(from, end))) {
    if (type === ENTRY) return entryPicture(body);
    if (isPicture(type)) return pictureIn(whole);
  }
  return undefined;
}

/** A record. One that contains others comes before them. */
interface DrawingRecord {
  readonly type: number;
  readonly isContainer: boolean;
  readonly instance: number;
  readonly body: Uint8Array;
  /** With its head. */
  readonly whole: Uint8Array;
}

const HEAD = 8;
const ENTRY = 0xf007, SHAPE_NUMBER = 0xf00a, OPTIONS = 0xf00b, DRAWING = 0xf002;
/** Version of a record that contains others. */
const CONTAINER = 0xf;

/** Yields the records in some bytes, those inside of others, too, in their order. */
function* records(bytes: Uint8Array): Generator<DrawingRecord, void, undefined> {
  const view = viewOf(bytes);
  for (let at = 0; at + HEAD <= bytes.length;) {
    const first = view.getUint16(at, true);
    const type = view.getUint16(at + 2, true);
    // A byte says to which part of the document the drawing behind it belongs.
    if (type !== DRAWING && bytes[at + 3] === 0x02 && bytes[at + 4] === 0xf0) {
      at++;
      continue;
    }
    const end = Math.min(bytes.length, at + HEAD + view.getUint32(at + 4, true));
    const isContainer = (first & 0xf) === CONTAINER;
    yield {
      type,
      isContainer,
      instance: first >> 4,
      body: bytes.subarray(at + HEAD, end),
      whole: bytes.subarray(at, end),
    };
    at = isContainer ? at + HEAD : end;
  }
}

/** The list of pictures, and the picture of each shape by its number, counted from 1 in the list. */
interface Drawings {
  readonly entries: readonly Uint8Array[];
  readonly pictures: ReadonlyMap<number, number>;
}

/** Number of the property of a shape that names its picture. */
const PICTURE = 0x104;

function drawingsIn(part: Uint8Array): Drawings {
  const entries: Uint8Array[] = [];
  const pictures = new Map<number, number>();
  let shape = 0;
  for (const { type, isContainer, instance, body } of records(part)) {
    // The records in a container follow it, and are read as such.
    if (isContainer) continue;
    const view = viewOf(body);
    if (type === ENTRY) entries.push(body);
    else if (type === SHAPE_NUMBER && body.length >= 4) shape = view.getUint32(0, true);
    else if (type === OPTIONS) {
      for (let i = 0; i < instance && 6 * i + 6 <= body.length; i++) {
        const isPicture = (view.getUint16(6 * i, true) & 0x3fff) === PICTURE;
        if (isPicture && !pictures.has(shape)) pictures.set(shape, view.getUint32(6 * i + 2, true));
      }
    }
  }
  return { entries, pictures };
}

/** Length of an entry before the name of the picture, and the picture. */
const ENTRY_LENGTH = 36;

/** Returns the picture of an entry: inside of it, or at an offset of the stream `WordDocument`. */
function entryPicture(entry: Uint8Array, stream?: Uint8Array): Uint8Array | undefined {
  if (entry.length < ENTRY_LENGTH) return undefined;
  const inside = entry.subarray(ENTRY_LENGTH + entry[33]!);
  if (inside.length > HEAD) return pictureIn(inside);
  const at = viewOf(entry).getUint32(28, true);
  if (stream === undefined || at + HEAD > stream.length) return undefined;
  const length = HEAD + viewOf(stream).getUint32(at + 4, true);
  return pictureIn(stream.subarray(at, at + length));
}

/** Types of pictures that are files of their own: JPEG, PNG, TIFF, and JPEG for printing; and a bitmap without its head. */
const FILES = [0xf01d, 0xf01e, 0xf029, 0xf02a], BITMAP = 0xf01f;

function isPicture(type: number): boolean {
  return type >= 0xf018 && type <= 0xf117;
}

/** Returns the file in the record of a picture. Throws {@linkcode DocumentError} for metafiles. */
function pictureIn(record: Uint8Array): Uint8Array | undefined {
  const view = viewOf(record);
  const type = view.getUint16(2, true);
  if (type !== BITMAP && !FILES.includes(type)) {
    if (isPicture(type)) throw metafile();
    return undefined;
  }
  // One or two digests and a mark lie before the file.
  const isTwice = (view.getUint16(0, true) >> 4 & 1) === 1;
  const file = record.subarray(HEAD + 16 * (isTwice ? 2 : 1) + 1);
  return type === BITMAP ? bitmapFile(file) : file;
}

function metafile(): DocumentError {
  return new DocumentError("unsupported", "the picture is a metafile");
}

/** Puts the head of a BMP before a bitmap. */
function bitmapFile(bitmap: Uint8Array): Uint8Array | undefined {
  if (bitmap.length < 40) return undefined;
  const view = viewOf(bitmap);
  const depth = view.getUint16(14, true);
  const colours = view.getUint32(32, true) || (depth <= 8 ? 1 << depth : 0);
  const file = new Uint8Array(14 + bitmap.length);
  file.set([0x42, 0x4d]);
  viewOf(file).setUint32(2, file.length, true);
  viewOf(file).setUint32(10, 14 + view.getUint32(0, true) + 4 * colours, true);
  file.set(bitmap, 14);
  return file;
}
