/**
 * A remote blob as the file that a reader reads.
 */
import { MISSING } from "../blob/missing.ts";
import type { BlobFile, FetchedPages } from "../blob/reader.ts";
import type { PageCache } from "./page_cache.ts";
import { PAGE_BYTES, type PagedBlob, type RemoteBytes } from "./remote_bytes.ts";

/** The bytes of a remote blob as far as they are at hand. Reading others throws `MissingBytes`; see {@linkcode PageCache.run}. */
export class PagedFile implements BlobFile, FetchedPages, PagedBlob {
  readonly remote: RemoteBytes;
  readonly #cache: PageCache;
  #offset = 0;
  #isClosed = false;

  constructor(remote: RemoteBytes, cache: PageCache) {
    this.remote = remote;
    this.#cache = cache;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get fetched(): FetchedPages {
    return this;
  }

  readSync(into: Uint8Array): number | null {
    const from = this.#offset, to = Math.min(from + into.length, this.remote.size);
    if (to <= from) return null;
    this.expect(from, to);
    for (let number = Math.floor(from / PAGE_BYTES); number * PAGE_BYTES < to; number++) {
      const at = number * PAGE_BYTES;
      const bytes = this.#cache.find(this, number)!;
      into.set(bytes.subarray(Math.max(0, from - at), to - at), Math.max(0, at - from));
    }
    this.#offset = to;
    return to - from;
  }

  expect(from: number, to: number, isOnce = false): void {
    let isMissing = false;
    for (let number = Math.floor(from / PAGE_BYTES); number * PAGE_BYTES < to; number++) {
      if (this.#cache.find(this, number, isOnce) === undefined) isMissing = true;
    }
    if (isMissing) throw MISSING;
  }

  page(at: number): Uint8Array<ArrayBuffer> {
    const bytes = this.#cache.find(this, at / PAGE_BYTES);
    if (bytes === undefined) throw MISSING;
    return bytes;
  }

  seekSync(offset: number): number {
    return this.#offset = offset;
  }

  statSync(): { readonly size: number } {
    return { size: this.remote.size };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cache.forget(this);
    this.remote.close();
  }
}
