/**
 * Fetches pages: those that calls miss in one turn of the event loop together, and no page twice at the same time.
 */
import { setImmediate } from "node:timers";
import { DamagedIndexError } from "../blob/format.ts";
import { PAGE_BYTES, type PagedBlob, PART_BYTES, type PartRange } from "./remote_bytes.ts";

/** Bytes of one request to a blob, approximately. More bytes are fetched by further requests, one after the other. */
const REQUEST_BYTES = 16 * 1024 * 1024;
/** A fetch of more than this share of the cache is not kept there, because it would displace everything else. */
const MOST_KEPT = 1 / 4;

/** A page on its way. */
interface ComingPage {
  bytes?: Uint8Array<ArrayBuffer>;
  /** Whether a call may need it again. */
  isKept: boolean;
}

/** Pages that are fetched together, and the calls that wait for them. */
class Batch {
  readonly pages = new Map<PagedBlob, Map<number, ComingPage>>();
  readonly controller = new AbortController();
  waiting = 0;
  isOver = false;
  done: Promise<void> = Promise.resolve();

  /** Bytes of the pages that a call may need again. */
  get keptBytes(): number {
    const pages = this.pages.values().flatMap((ofFile) => ofFile.values());
    return pages.reduce((sum, { isKept }) => sum + (isKept ? PAGE_BYTES : 0), 0);
  }
}

/** A call of a method: the pages that it misses, and those that were fetched for it. */
export class PagedCall {
  /** By number: whether a page is not needed again. */
  readonly missing = new Map<PagedBlob, Map<number, boolean>>();
  readonly #held = new Map<PagedBlob, Map<number, Uint8Array<ArrayBuffer>>>();

  held(file: PagedBlob, number: number): Uint8Array<ArrayBuffer> | undefined {
    return this.#held.get(file)?.get(number);
  }

  miss(file: PagedBlob, number: number, isOnce: boolean): void {
    let pages = this.missing.get(file);
    if (pages === undefined) this.missing.set(file, pages = new Map());
    pages.set(number, isOnce && pages.get(number) !== false);
  }

  hold(file: PagedBlob, number: number, bytes: Uint8Array<ArrayBuffer>): void {
    let pages = this.#held.get(file);
    if (pages === undefined) this.#held.set(file, pages = new Map());
    pages.set(number, bytes);
  }
}

/** Keeps pages that were fetched. */
interface PageKeeper {
  /** Bytes that it keeps at most. */
  readonly maxBytes: number;
  keep(file: PagedBlob, number: number, bytes: Uint8Array<ArrayBuffer>): void;
}

/** The requests for the pages of a cache. */
export class PageRequests {
  readonly #cache: PageKeeper;
  /** Pages that were asked for and are not there yet. */
  readonly #inFlight = new Map<PagedBlob, Map<number, Batch>>();
  /** The batch that this turn of the event loop fills. */
  #next: Batch | undefined;

  constructor(cache: PageKeeper) {
    this.#cache = cache;
  }

  /** Fetches the pages that a call misses, and hands them to it. Throws the reason of the signal, and the error of a failed request. */
  async bring(call: PagedCall, signal?: AbortSignal): Promise<void> {
    const batches = new Set<Batch>();
    for (const [file, numbers] of call.missing) {
      for (const [number, isOnce] of numbers) {
        const batch = this.#batchOf(file, number);
        if (!isOnce) batch.pages.get(file)!.get(number)!.isKept = true;
        batches.add(batch);
      }
    }
    for (const batch of batches) batch.waiting++;
    try {
      await unlessAborted(Promise.all(Array.from(batches, ({ done }) => done)), signal);
    } finally {
      for (const batch of batches) {
        batch.waiting--;
        if (batch.waiting === 0) this.#giveUp(batch);
      }
    }
    for (const [file, numbers] of call.missing) {
      for (const number of numbers.keys()) {
        for (const { pages } of batches) {
          const bytes = pages.get(file)?.get(number)?.bytes;
          if (bytes !== undefined) call.hold(file, number, bytes);
        }
      }
    }
    call.missing.clear();
  }

  /** The batch that brings a page. */
  #batchOf(file: PagedBlob, number: number): Batch {
    let ofFile = this.#inFlight.get(file);
    if (ofFile === undefined) this.#inFlight.set(file, ofFile = new Map());
    let batch = ofFile.get(number);
    if (batch !== undefined) return batch;
    batch = this.#next ??= this.#begin();
    ofFile.set(number, batch);
    let pages = batch.pages.get(file);
    if (pages === undefined) batch.pages.set(file, pages = new Map());
    pages.set(number, { isKept: false });
    return batch;
  }

  #begin(): Batch {
    const batch = new Batch();
    batch.done = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      if (this.#next === batch) this.#next = undefined;
      batch.controller.signal.throwIfAborted();
      return this.#load(batch);
    }).finally(() => this.#end(batch));
    // Calls that were given up do not await it.
    batch.done.catch(() => {});
    return batch;
  }

  async #load(batch: Batch): Promise<void> {
    const isSmall = batch.keptBytes <= this.#cache.maxBytes * MOST_KEPT;
    await Promise.all(Array.from(batch.pages, async ([file, pages]) => {
      for (const ranges of requestsOf([...pages.keys()], file.remote.size)) {
        const parts = await file.remote.read(ranges, batch.controller.signal);
        for (const [i, { part, from, to }] of ranges.entries()) {
          const bytes = parts[i];
          if (bytes?.length !== to - from) {
            throw new DamagedIndexError(`${bytes?.length ?? "no"} of ${to - from} bytes of part ${part}`);
          }
          for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
            const number = (part * PART_BYTES + from + at) / PAGE_BYTES;
            const page = pages.get(number)!;
            // A copy: a view would keep all that came with it.
            page.bytes = new Uint8Array(bytes.subarray(at, at + PAGE_BYTES));
            if (isSmall && page.isKept && !file.isClosed) this.#cache.keep(file, number, page.bytes);
          }
        }
      }
    }));
  }

  /** Ends a batch that no call waits for any more. */
  #giveUp(batch: Batch): void {
    if (batch.isOver) return;
    batch.controller.abort();
    this.#end(batch);
  }

  #end(batch: Batch): void {
    batch.isOver = true;
    if (this.#next === batch) this.#next = undefined;
    for (const [file, pages] of batch.pages) {
      const ofFile = this.#inFlight.get(file);
      for (const number of pages.keys()) if (ofFile?.get(number) === batch) ofFile.delete(number);
      if (ofFile?.size === 0) this.#inFlight.delete(file);
    }
  }
}

/** The ranges of pages of a blob of `size` bytes, in requests of a size that is limited. */
function requestsOf(numbers: number[], size: number): PartRange[][] {
  const requests: PartRange[][] = [[]];
  let bytes = 0;
  numbers.sort((a, b) => a - b);
  for (let i = 0, next = 0; i < numbers.length; i = next) {
    const at = numbers[i]! * PAGE_BYTES, part = Math.floor(at / PART_BYTES), from = at - part * PART_BYTES;
    const most = (PART_BYTES - from) / PAGE_BYTES;
    for (next = i + 1; next < numbers.length && next - i < most; next++) {
      if (numbers[next] !== numbers[i]! + next - i) break;
    }
    const to = Math.min(from + (next - i) * PAGE_BYTES, size - part * PART_BYTES);
    if (bytes >= REQUEST_BYTES) {
      requests.push([]);
      bytes = 0;
    }
    requests.at(-1)!.push({ part, from, to });
    bytes += to - from;
  }
  return requests;
}

/** Waits for work, or throws the reason of a signal that comes before its end. */
async function unlessAborted(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return void await work;
  const { promise, reject } = Promise.withResolvers<never>();
  // Its failure after an abort is not awaited.
  work.catch(() => {});
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
