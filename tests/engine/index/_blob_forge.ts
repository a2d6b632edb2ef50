/**
 * Splits blobs into sections, changes them, and seals them again, as somebody with the key or a bug of this program could
 * do.
 */
import {
  ALIGNMENT,
  AT,
  type BlobSection,
  BLOCK_BYTES,
  BlockTableBuilder,
  encodeHeader,
  ENTRY_BYTES,
  hashOf,
  HEADER_BYTES,
  seal,
} from "#engine/index/blob/format.ts";

/** The key of the indexes in all tests that are not about keys. */
export const KEY = new Uint8Array(32).fill(7);

/** Returns the sections of a blob in the order of the file, from the header, without any checks. */
export function sectionsIn(blob: Uint8Array): BlobSection[] {
  const view = new DataView(blob.buffer, blob.byteOffset);
  return Array.from({ length: view.getUint32(AT.count, true) }, (_, i) => {
    const at = AT.entries + i * ENTRY_BYTES;
    const name = new TextDecoder().decode(blob.subarray(at, at + 16)).replace(/\0+$/, "");
    return { name, offset: view.getFloat64(at + 16, true), length: view.getFloat64(at + 24, true) };
  });
}

/** Returns the bytes of a section as a view into the blob. Changes to it change the blob. */
export function sectionOf(blob: Uint8Array, name: string): Uint8Array {
  const section = sectionsIn(blob).find((each) => each.name === name);
  if (section === undefined) throw new RangeError(name);
  return blob.subarray(section.offset, section.offset + section.length);
}

/** Returns a sound, sealed blob with changed sections. `undefined` removes a section. */
export function withSections(
  blob: Uint8Array,
  changed: Readonly<Record<string, Uint8Array | undefined>>,
  key: Uint8Array = KEY,
): Uint8Array<ArrayBuffer> {
  const contents = sectionsIn(blob).filter(({ name }) => !(name in changed && changed[name] === undefined))
    .map(({ name }) => ({ name, bytes: changed[name] ?? sectionOf(blob, name) }));
  const starts = new Map(sectionsIn(blob).map(({ name, offset }) => [name, offset]));
  let end = HEADER_BYTES;
  const sections = contents.map(({ name, bytes }) => {
    // A section that began a block begins a block again.
    const unit = (starts.get(name)! - HEADER_BYTES) % BLOCK_BYTES === 0 ? BLOCK_BYTES : ALIGNMENT;
    const offset = HEADER_BYTES + Math.ceil((end - HEADER_BYTES) / unit) * unit;
    end = offset + bytes.length;
    return { name, offset, length: bytes.length };
  });
  const all = new Uint8Array(end);
  contents.forEach(({ bytes }, i) => all.set(bytes, sections[i]!.offset));
  const table = tableOf(all);
  const forged = new Uint8Array(end + table.length);
  forged.set(all);
  forged.set(table, end);
  forged.set(encodeHeader(sections, end, table, key));
  return forged;
}

/** Returns a section that contains JSON, changed. */
export function changedJson(
  blob: Uint8Array,
  name: string,
  // deno-lint-ignore no-explicit-any -- JSON
  change: (json: any) => unknown,
): Record<string, Uint8Array> {
  const json = JSON.parse(new TextDecoder().decode(sectionOf(blob, name)));
  return { [name]: new TextEncoder().encode(JSON.stringify(change(json))) };
}

/** Recomputes block table and header of a blob that was changed in place, with the key. */
export function resign(blob: Uint8Array, key: Uint8Array = KEY): Uint8Array {
  const tableAt = new DataView(blob.buffer, blob.byteOffset).getFloat64(AT.table, true);
  const table = tableOf(blob.subarray(0, tableAt));
  blob.set(table, tableAt);
  blob.set(hashOf(table), AT.tableHash);
  seal(blob.subarray(0, HEADER_BYTES), key);
  return blob;
}

/** Returns a sound index as a program with another format version would have written it. */
export function ofFormat(version: number, index: Uint8Array, key: Uint8Array = KEY): Uint8Array {
  const bytes = index.slice();
  new DataView(bytes.buffer).setUint32(AT.version, version, true);
  seal(bytes.subarray(0, HEADER_BYTES), key);
  return bytes;
}

function tableOf(bytes: Uint8Array): Uint8Array {
  const table = new BlockTableBuilder();
  table.add(bytes.subarray(HEADER_BYTES));
  return table.finish();
}
