/** A field of a message of Protocol Buffers: its number, and a number, a text, bytes or a message. */
export type Field = readonly [number: number, value: number | string | Uint8Array | Message];

/** A message of Protocol Buffers; a repeated field occurs several times. */
export type Message = readonly Field[];

const VARINT = 0;
const LENGTH = 2;

/** Returns the bytes of a message. Numbers must be whole and not negative. */
export function encoded(message: Message): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const [number, value] of message) {
    if (typeof value === "number") bytes.push(...varint(number * 8 + VARINT), ...varint(value));
    else {
      const content = typeof value === "string"
        ? new TextEncoder().encode(value)
        : value instanceof Uint8Array
        ? value
        : encoded(value);
      bytes.push(...varint(number * 8 + LENGTH), ...varint(content.length), ...content);
    }
  }
  return Uint8Array.from(bytes);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(rest % 128 + 128);
  return [...bytes, rest];
}
