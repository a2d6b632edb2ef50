import {
  ALIGNMENT,
  ENTRIES_AT,
  ENTRY_BYTES,
  FORMAT_VERSION,
  MAGIC,
} from "#models/embedding/builtin/decode.ts";

const ascii = new TextEncoder();

/** Returns a file with the given sections. `unpacked`: the lengths of those that are compressed. */
export function writeSections(
  sections: ReadonlyMap<string, ArrayBufferView>,
  unpacked: ReadonlyMap<string, number> = new Map(),
): Uint8Array<ArrayBuffer> {
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
    view.setUint32(at + 24, unpacked.get(name) ?? 0, true);
    bytes.set(new Uint8Array(content.buffer, content.byteOffset, content.byteLength), offsets[i]);
  });
  return bytes;
}
