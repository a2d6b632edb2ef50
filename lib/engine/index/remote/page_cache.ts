/**
 * The pages of remote blobs that a process has at hand, and the calls that wait for others.
 */
import { MissingBytes } from "../blob/missing.ts";
import { PagedCall, PageRequests } from "./page_requests.ts";
import type { PagedBlob } from "./remote_bytes.ts";

/** Bytes that a page takes beside its content. */
const OVERHEAD = 320;

/** A page in the list of the cache. */
interface Page {
  readonly file: PagedBlob;
  readonly number: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The pages that were used just before and just after it. */
  before: Page | undefined;
  after: Page | undefined;
}

/**
 * The most recently used pages of all blobs of a process. A running call keeps the pages that were fetched for it, even beyond the
 * limit, so that it comes to an end.
 */
export class PageCache {
  readonly maxBytes: number;
  readonly requests: PageRequests;
  readonly #pages = new Map<PagedBlob, Map<number, Page>>();
  #bytes = 0;
  #oldest: Page | undefined;
  #newest: Page | undefined;
  #call: PagedCall | undefined;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
    this.requests = new PageRequests(this);
  }

  /** Bytes that the pages take. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Returns the result of work that is synchronous up to its first `await`. When the work throws `MissingBytes`, the missing pages are
   * fetched and it is done again, so it must leave nothing half-done. Throws what the work throws, the reason of the signal, and errors
   * of the fetch.
   */
  async run<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const call = new PagedCall();
    for (;;) {
      signal?.throwIfAborted();
      try {
        return await this.#within(call, work);
      } catch (error) {
        if (!(error instanceof MissingBytes) || call.missing.size === 0) throw error;
      }
      await this.requests.bring(call, signal);
    }
  }

  #within<T>(call: PagedCall, work: () => T): T {
    const outer = this.#call;
    this.#call = call;
    try {
      return work();
    } finally {
      this.#call = outer;
    }
  }

  /** Returns the bytes of a page; `undefined` if it is not at hand, and the running call then misses it. `isOnce`: it is not needed again. */
  find(file: PagedBlob, number: number, isOnce = false): Uint8Array<ArrayBuffer> | undefined {
    const held = this.#call?.held(file, number);
    if (held !== undefined) return held;
    const page = this.#pages.get(file)?.get(number);
    if (page === undefined) {
      this.#call?.miss(file, number, isOnce);
      return undefined;
    }
    if (page !== this.#newest) {
      this.#unlink(page);
      this.#append(page);
    }
    return page.bytes;
  }

  /** Keeps a page, in the place of those that were not used for the longest time. */
  keep(file: PagedBlob, number: number, bytes: Uint8Array<ArrayBuffer>): void {
    let pages = this.#pages.get(file);
    if (pages === undefined) this.#pages.set(file, pages = new Map());
    if (pages.has(number)) return;
    const page: Page = { file, number, bytes, before: undefined, after: undefined };
    pages.set(number, page);
    this.#append(page);
    this.#bytes += bytes.length + OVERHEAD;
    while (this.#bytes > this.maxBytes && this.#oldest !== undefined) this.#remove(this.#oldest);
  }

  /** Removes the pages of a file. */
  forget(file: PagedBlob): void {
    for (const page of this.#pages.get(file)?.values() ?? []) this.#remove(page);
  }

  #remove(page: Page): void {
    this.#unlink(page);
    this.#bytes -= page.bytes.length + OVERHEAD;
    const pages = this.#pages.get(page.file)!;
    pages.delete(page.number);
    if (pages.size === 0) this.#pages.delete(page.file);
  }

  #append(page: Page): void {
    page.before = this.#newest;
    page.after = undefined;
    if (this.#newest === undefined) this.#oldest = page;
    else this.#newest.after = page;
    this.#newest = page;
  }

  #unlink({ before, after }: Page): void {
    if (before === undefined) this.#oldest = after;
    else before.after = after;
    if (after === undefined) this.#newest = before;
    else after.before = before;
  }
}
