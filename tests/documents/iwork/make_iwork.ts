import { joinedBytes } from "#documents/mod.ts";
import { zipOf } from "../zip_of.ts";

/** A value of a message: a number, a text, bytes, a message, or several of them. */
export type Value = number | string | Uint8Array | Fields | readonly Value[];
/** A message of Protocol Buffers: values by the number of their field. */
export interface Fields {
  readonly [field: number]: Value;
}

/** An object: its number, its type, its message, and the objects that it refers to. */
export type Item = readonly [id: number, type: number, message: Fields, references?: readonly number[]];

/** Returns a reference to an object. */
export const ref = (id: number): Fields => ({ 1: id });

/** Returns a package of iWork since 2013. */
export function makeIwork(
  items: readonly Item[],
  others: Record<string, string | Uint8Array> = {},
): Uint8Array<ArrayBuffer> {
  return zipOf({ "Index/Document.iwa": iwa(items), ...others });
}

/** Returns an archive of objects, in chunks without compression. */
export function iwa(items: readonly Item[]): Uint8Array {
  const parts = items.flatMap(([id, type, fields, references = []]) => {
    const body = encode(fields);
    const info = encode({ 1: id, 2: { 1: type, 3: body.length, 5: joinedBytes(references.map(varint)) } });
    return [varint(info.length), info, body];
  });
  return chunk(literal(joinedBytes(parts)));
}

/** Adds the header of iWork to compressed bytes. */
export function chunk(packed: Uint8Array): Uint8Array {
  return joinedBytes([
    Uint8Array.of(0, packed.length & 255, packed.length >> 8 & 255, packed.length >> 16),
    packed,
  ]);
}

/** Returns bytes as one literal of Snappy. */
function literal(bytes: Uint8Array): Uint8Array {
  const length = bytes.length - 1;
  return joinedBytes([
    varint(bytes.length),
    Uint8Array.of(62 << 2, length & 255, length >> 8 & 255, length >> 16),
    bytes,
  ]);
}

export function encode(fields: Fields): Uint8Array {
  return joinedBytes(
    Object.entries(fields).flatMap(([field, value]) =>
      (Array.isArray(value) ? value as readonly Value[] : [value as Value]).map((one) => {
        if (typeof one === "number") return joinedBytes([varint(Number(field) * 8), varint(one)]);
        const bytes = typeof one === "string"
          ? new TextEncoder().encode(one)
          : one instanceof Uint8Array
          ? one
          : encode(one as Fields);
        return joinedBytes([varint(Number(field) * 8 + 2), varint(bytes.length), bytes]);
      })
    ),
  );
}

export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push(value % 128 + 128);
  return Uint8Array.of(...bytes, value);
}
