import type { ByteSource } from "./byte_source.ts";
import { ALIGNMENT, ENTRIES_AT, ENTRY_BYTES, FORMAT_VERSION, MAGIC } from "./format.ts";

const ascii = new TextEncoder();

/** Returns a file of the given sections. */
export function writeSections(sections: ReadonlyMap<string, ArrayBufferView>): Uint8Array<ArrayBuffer> {
  const align = (at: number) => Math.ceil(at / ALIGNMENT) * ALIGNMENT;
  let size = align(ENTRIES_AT + sections.size * ENTRY_BYTES);
  const offsets = [...sections.values()].map(({ byteLength }) => {
    const offset = size;
    size = align(size + byteLength);
    return offset;
  });
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  ascii.encodeInto(MAGIC, bytes);
  view.setUint32(8, FORMAT_VERSION, true);
  view.setUint32(12, sections.size, true);
  [...sections].forEach(([name, content], i) => {
    const at = ENTRIES_AT + i * ENTRY_BYTES;
    ascii.encodeInto(name, bytes.subarray(at, at + 16));
    view.setUint32(at + 16, offsets[i]!, true);
    view.setUint32(at + 20, content.byteLength, true);
    bytes.set(new Uint8Array(content.buffer, content.byteOffset, content.byteLength), offsets[i]);
  });
  return bytes;
}

/** Returns offset and length in bytes of each section of a file, by name. Throws an error if the file is not valid. */
export function readSections(file: ByteSource): ReadonlyMap<string, readonly [number, number]> {
  if (file.length < ENTRIES_AT) throw new Error("not a table of word vectors");
  const count = new DataView(file.read(0, ENTRIES_AT).slice().buffer).getUint32(12, true);
  const header = file.read(0, Math.min(file.length, ENTRIES_AT + count * ENTRY_BYTES)).slice();
  const view = new DataView(header.buffer);
  const text = (at: number, length: number) => {
    let characters = "";
    for (let i = at; i < at + length && view.getUint8(i) !== 0; i++) {
      characters += String.fromCharCode(view.getUint8(i));
    }
    return characters;
  };
  if (text(0, 8) !== MAGIC) throw new Error("not a table of word vectors");
  const version = view.getUint32(8, true);
  if (version !== FORMAT_VERSION) throw new Error(`table format ${version}, wanted ${FORMAT_VERSION}`);
  const sections = new Map<string, readonly [number, number]>();
  if (header.length < ENTRIES_AT + count * ENTRY_BYTES) {
    throw new Error("the table of word vectors is cut off");
  }
  for (let i = 0; i < count; i++) {
    const at = ENTRIES_AT + i * ENTRY_BYTES;
    const [offset, bytes] = [view.getUint32(at + 16, true), view.getUint32(at + 20, true)];
    if (offset + bytes > file.length) throw new Error("the table of word vectors is cut off");
    sections.set(text(at, 16), [offset, bytes]);
  }
  return sections;
}
