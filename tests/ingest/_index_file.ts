import { crc32 } from "node:zlib";
import { BlobReader, BlobWriter } from "../../lib/index/blob/mod.ts";

/** How an index is to differ from what was written. */
export interface IndexChange {
  /** What it says of itself. */
  readonly meta?: (meta: Record<string, unknown>) => Record<string, unknown>;
  /** The version of its format. */
  readonly format?: number;
  /** A section to leave out. */
  readonly without?: string;
  /** A section of which one byte is wrong. */
  readonly damaged?: string;
}

/** Writes the index at `path` anew with something changed, and all else sound. */
export async function rewriteIndex(
  path: string,
  { meta, format, without, damaged }: IndexChange,
): Promise<void> {
  const blob = BlobReader.open(Deno.openSync(path));
  const sections = [...blob.sections].map(({ name }) => ({ name, bytes: blob.section(name) }));
  blob.close();
  using file = await Deno.open(path, { write: true, truncate: true });
  const writer = new BlobWriter(file);
  for (const { name, bytes } of sections) {
    if (name === without) continue;
    const changed = name === "meta" && meta !== undefined
      ? new TextEncoder().encode(JSON.stringify(meta(JSON.parse(new TextDecoder().decode(bytes)))))
      : bytes;
    writer.section(name, changed);
  }
  writer.finish();
  const bytes = Deno.readFileSync(path);
  if (format !== undefined) {
    const header = bytes.subarray(0, 4096);
    const view = new DataView(header.buffer);
    view.setUint32(8, format, true);
    view.setUint32(12, 0, true);
    view.setUint32(12, crc32(header), true);
  }
  if (damaged !== undefined) {
    const after = BlobReader.open(Deno.openSync(path));
    const { offset } = [...after.sections].find(({ name }) => name === damaged)!;
    after.close();
    bytes[offset]! ^= 1;
  }
  Deno.writeFileSync(path, bytes);
}
