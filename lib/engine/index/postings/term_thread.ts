/**
 * Finds the terms of chunks in a thread, while the caller reads the next files. The texts go there in UTF-8, in buffers that travel
 * back and forth; the posting lists come back in pieces, which the caller writes while the thread encodes the next.
 */
import { reasonOf, ThreadError } from "#foundation/errors.ts";
import type { WrittenTerms } from "./chunk_terms.ts";
import { IndexTooLargeError } from "./format.ts";

/** A message to the thread. */
export type TermRequest =
  /** The texts and contexts of chunks one after the other, and the end of each. */
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly ends: readonly number[] }
  /** There are no more chunks. */
  | "finish"
  /** A piece of the lists was written. */
  | "written";

/** A message of the thread. */
export type TermAnswer =
  /** A buffer that may be used again. */
  | { readonly free: Uint8Array<ArrayBuffer> }
  /** A piece of the lists. */
  | { readonly lists: Uint8Array<ArrayBuffer> }
  /** The result, after the last piece. */
  | { readonly done: WrittenTerms }
  | { readonly failure: string; readonly isTooLarge: boolean };

/** Bytes of a buffer. */
const BUFFER_BYTES = 1 << 18;
/** Buffers that may wait for the thread, so that it is busy while the caller waits for a document. */
const MOST_WAITING = 32;
/** Longest time without a pause, in milliseconds. */
const PAUSE_MS = 50;

/** A thread that finds the terms of the chunks of one index. It starts when it is first used, because only some stores use it. */
export class TermThread implements Disposable {
  readonly #module: URL;
  #started: Worker | undefined;
  readonly #free: Uint8Array<ArrayBuffer>[] = [];
  #bytes = new Uint8Array(BUFFER_BYTES);
  #used = 0;
  #ends: number[] = [];
  #waiting = 0;
  readonly #lists: Uint8Array<ArrayBuffer>[] = [];
  #done: WrittenTerms | undefined;
  #failure: Error | undefined;
  #wake = () => {};

  /** `module`: `term_worker.ts`, which in an executable lies elsewhere. */
  constructor(module: URL) {
    this.#module = module;
  }

  /** Returns room for the next text and its context, `bytes` or more. Throws `ThreadError`. */
  room(bytes: number): Uint8Array<ArrayBuffer> {
    this.#worker();
    if (this.#used + bytes > this.#bytes.length) {
      this.#send();
      const free = this.#free.pop();
      this.#bytes = free !== undefined && free.length >= bytes
        ? free
        : new Uint8Array(Math.max(BUFFER_BYTES, bytes));
    }
    return this.#bytes.subarray(this.#used);
  }

  /** Adds the next chunk, whose text and context were written to the {@linkcode room}. */
  add(textBytes: number, contextBytes: number): void {
    this.#ends.push(this.#used += textBytes, this.#used += contextBytes);
  }

  /** Waits while the thread is far behind. `pause` is awaited after each step of it and may throw. Throws the failure of the thread. */
  async caughtUp(pause: () => Promise<void>): Promise<void> {
    while (this.#waiting > MOST_WAITING && this.#failure === undefined) {
      await this.#message();
      await pause();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * Passes the posting lists of all chunks to `write`, in pieces. Throws `IndexTooLargeError`, `ThreadError`, and any other failure of the
   * thread.
   */
  async finish(
    write: (bytes: Uint8Array) => void,
    pause: () => Promise<void>,
  ): Promise<WrittenTerms> {
    this.#send();
    const worker = this.#worker();
    worker.postMessage("finish" satisfies TermRequest);
    for (;;) {
      for (const bytes of this.#lists.splice(0)) {
        write(bytes);
        worker.postMessage("written" satisfies TermRequest);
      }
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#done !== undefined) return this.#done;
      await this.#message();
      await pause();
    }
  }

  [Symbol.dispose](): void {
    this.#started?.terminate();
  }

  #worker(): Worker {
    if (this.#started !== undefined) return this.#started;
    let worker: Worker;
    try {
      worker = this.#started = new Worker(this.#module, { type: "module", name: "terms" });
    } catch (error) {
      throw new ThreadError(reasonOf(error), { cause: error });
    }
    worker.onmessage = ({ data }: MessageEvent<TermAnswer>) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new ThreadError(event.message));
    };
    worker.onmessageerror = () => this.#fail(new Error("the answer of the thread cannot be read"));
    return worker;
  }

  #send(): void {
    if (this.#ends.length === 0) return;
    const request: TermRequest = { bytes: this.#bytes, ends: this.#ends };
    this.#worker().postMessage(request, [this.#bytes.buffer]);
    this.#waiting++;
    this.#ends = [];
    this.#used = 0;
  }

  #receive(answer: TermAnswer): void {
    if ("free" in answer) {
      this.#waiting--;
      this.#free.push(answer.free);
    } else if ("lists" in answer) this.#lists.push(answer.lists);
    else if ("done" in answer) this.#done = answer.done;
    else this.#fail(answer.isTooLarge ? new IndexTooLargeError(answer.failure) : new Error(answer.failure));
    this.#wake();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }

  /** Waits for the next message, or for a short time. */
  #message(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, PAUSE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
