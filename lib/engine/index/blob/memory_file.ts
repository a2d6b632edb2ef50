/**
 * A file in memory, for an index that is never on a disk.
 */
import { ByteBuffer } from "../bytes.ts";
import type { BlobFile } from "./reader.ts";
import type { BlobTarget } from "./writer.ts";

/** A file in memory. An index is written into it, and then `IndexReader.open` opens it. */
export class MemoryFile implements BlobFile, BlobTarget {
  readonly #content = new ByteBuffer();
  #offset = 0;

  readSync(into: Uint8Array): number | null {
    const bytes = this.#content.view().subarray(this.#offset, this.#offset + into.length);
    into.set(bytes);
    this.#offset += bytes.length;
    return bytes.length === 0 ? null : bytes.length;
  }

  writeSync(bytes: Uint8Array): number {
    const content = this.#content, end = this.#offset + bytes.length;
    if (end > content.length) {
      content.reserve(end - content.length);
      content.length = end;
    }
    content.bytes.set(bytes, this.#offset);
    this.#offset = end;
    return bytes.length;
  }

  seekSync(offset: number): number {
    return this.#offset = offset;
  }

  statSync(): { readonly size: number } {
    return { size: this.#content.length };
  }

  close(): void {}
}
