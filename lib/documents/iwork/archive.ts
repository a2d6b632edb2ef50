/**
 * Reads iWork archives (`.iwa`): objects with a number, a type and a message of Protocol Buffers, which refer to one another.
 * Described by the projects iWorkFileFormat, keynote-parser and numbers-parser. Below it: the messages.
 */
import { NumberReader } from "../bytes.ts";
import { DocumentError, viewOf } from "../types.ts";
import { unpackChunks } from "./snappy.ts";

/** An object of a document. */
export interface ArchiveObject {
  readonly id: number;
  /** Number of its type in the application, such as 2001 for a text. */
  readonly type: number;
  readonly message: Message;
  /** The objects that it refers to. */
  readonly references: readonly number[];
}

const MOST_OBJECTS = 2_000_000;
/** Most bytes that the archives of a document unpack to. */
const MOST_BYTES = 300_000_000;
/** Most values in the messages of a document, and in the header of one object. Each needs about 80 bytes of memory. */
const MOST_VALUES = 10_000_000, MOST_HEADER = 100_000;

/** The objects in all archives of a document, by their numbers. Messages are read when they are asked for. */
export class Archive {
  readonly #places = new Map<
    number,
    { readonly type: number; readonly bytes: Uint8Array; readonly info: Uint8Array }
  >();
  readonly #read = new Map<number, ArchiveObject>();
  readonly #room: Room = { values: MOST_VALUES };
  #size = 0;

  /** Adds the objects of an archive. Throws {@linkcode DocumentError} `damaged` or `too_complex`. */
  add(packed: Uint8Array): void {
    const bytes = unpackChunks(packed, MOST_BYTES - this.#size);
    this.#size += bytes.length;
    for (const reader = new Reader(bytes); reader.at < bytes.length;) {
      const info = new Message(reader.take(reader.varint()), { values: MOST_HEADER });
      const [first, ...others] = info.messages(2);
      const body = reader.take(first?.number(3) ?? 0);
      // Differences to the first message, for versions before the present one.
      for (const other of others) reader.take(other.number(3) ?? 0);
      const id = info.number(1);
      if (id === undefined || first === undefined || this.#places.has(id)) continue;
      this.#places.set(id, {
        type: first.number(1) ?? 0,
        bytes: body,
        info: first.bytes(5) ?? new Uint8Array(),
      });
      if (this.#places.size > MOST_OBJECTS) throw new DocumentError("too_complex", "it has too many objects");
    }
  }

  /** Returns an object; `undefined` if there is none of this number. */
  get(id: number | undefined): ArchiveObject | undefined {
    const place = id === undefined ? undefined : this.#places.get(id);
    if (id === undefined || place === undefined) return undefined;
    let object = this.#read.get(id);
    if (object === undefined) {
      const message = new Message(place.bytes, this.#room);
      object = { id, type: place.type, message, references: varints(place.info) };
      this.#read.set(id, object);
    }
    return object;
  }

  /** Returns the objects of a type, in the order of the archives. */
  *ofType(...types: readonly number[]): Generator<ArchiveObject, void, undefined> {
    for (const [id, { type }] of this.#places) if (types.includes(type)) yield this.get(id)!;
  }
}

/** Values that may still be read. */
interface Room {
  values: number;
}

/** A message of Protocol Buffers: values by the number of their field. Unknown fields are kept. */
export class Message {
  readonly #fields = new Map<number, (number | Uint8Array)[]>();
  readonly #room: Room;

  /** Throws {@linkcode DocumentError} `damaged`, or `too_complex` when there is no more room, as its methods do. */
  constructor(bytes: Uint8Array, room: Room) {
    this.#room = room;
    for (const reader = new Reader(bytes); reader.at < bytes.length;) {
      if (--room.values < 0) throw new DocumentError("too_complex", "its objects have too many values");
      const tag = reader.varint();
      const value = reader.value(tag % 8);
      const field = Math.floor(tag / 8);
      const values = this.#fields.get(field);
      if (values === undefined) this.#fields.set(field, [value]);
      else values.push(value);
    }
  }

  /** Returns a whole number; `undefined` if the field is absent. */
  number(field: number): number | undefined {
    const value = this.#fields.get(field)?.at(-1);
    return typeof value === "number" ? value : undefined;
  }

  /** Returns a whole number for each value of a field. */
  numbers(field: number): number[] {
    return (this.#fields.get(field) ?? []).flatMap((value) =>
      typeof value === "number" ? [value] : varints(value)
    );
  }

  /** Returns a floating point number of 64 bits. */
  double(field: number): number | undefined {
    const bytes = this.bytes(field);
    return bytes?.length === 8 ? viewOf(bytes).getFloat64(0, true) : undefined;
  }

  bytes(field: number): Uint8Array | undefined {
    const value = this.#fields.get(field)?.at(-1);
    return value instanceof Uint8Array ? value : undefined;
  }

  /** Returns the texts of a field as one. */
  text(field: number): string {
    return this.texts(field).join("");
  }

  texts(field: number): string[] {
    const values = this.#fields.get(field) ?? [];
    return values.map((value) => typeof value === "number" ? "" : DECODER.decode(value));
  }

  message(field: number): Message | undefined {
    const bytes = this.bytes(field);
    return bytes === undefined ? undefined : new Message(bytes, this.#room);
  }

  messages(field: number): Message[] {
    return (this.#fields.get(field) ?? []).flatMap((value) =>
      typeof value === "number" ? [] : [new Message(value, this.#room)]
    );
  }

  /** Returns the numbers of the objects that a field refers to. */
  references(field: number): number[] {
    return this.messages(field).flatMap((reference) => reference.number(1) ?? []);
  }

  /** Returns the number of the object that a field refers to. */
  reference(field: number): number | undefined {
    return this.message(field)?.number(1);
  }
}

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

function varints(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  for (const reader = new Reader(bytes); reader.at < bytes.length;) numbers.push(reader.varint());
  return numbers;
}

/** Reads the values of a message; throws where they are cut off. */
class Reader extends NumberReader {
  varint(): number {
    const value = this.lowFirst();
    if (value === undefined) throw broken();
    return value;
  }

  /** Returns the value of a wire type: a number, or the bytes of any other. */
  value(type: number): number | Uint8Array {
    switch (type) {
      case 0:
        return this.varint();
      case 1:
        return this.take(8);
      case 2:
        return this.take(this.varint());
      case 5:
        return this.take(4);
      default:
        throw broken();
    }
  }

  take(length: number): Uint8Array {
    if (!(this.at + length <= this.bytes.length)) throw broken();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

function broken(): DocumentError {
  return new DocumentError("damaged", "a message of the archive is broken");
}
