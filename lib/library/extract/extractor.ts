/**
 * Parses documents in processes of their own. Files may be hostile: a process has no permissions, and is ended
 * when a document takes too long or too much memory; the next document gets a new one.
 */
import type { Document, FileName, PictureRequest, PicturesRead, ReadDocument } from "#documents/mod.ts";
import { DocumentError } from "#documents/errors.ts";
import { UserError } from "#foundation/errors.ts";
import type { Connection, OpenConnection } from "#foundation/boundary/mod.ts";
import { present } from "#foundation/present.ts";
import { unrefTimer } from "#foundation/runtime.ts";
import { encodeFrame, FrameDecoder, MAX_FRAME_BYTES, READY } from "./frames.ts";
import type { ExtractRequest, ExtractResponse } from "./serve_loaders.ts";

/** Options of an {@linkcode Extractor}. */
export interface ExtractorOptions {
  /** Most processes at a time. Each takes about 100 MB while it works. */
  readonly processes?: number;
  /** Milliseconds after which an idle process ends. */
  readonly idleMs?: number;
}

/** A document that waits to be read. */
interface Job {
  readonly format: ExtractRequest["format"];
  readonly bytes: Uint8Array;
  readonly file: FileName;
  readonly inside?: ExtractRequest["inside"];
  readonly answer: PromiseWithResolvers<Answer>;
}

/** The answer of a process, with the bytes that follow it. */
interface Answer {
  readonly response: Exclude<ExtractResponse, { readonly error: unknown }>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** A process and the document that it is reading. */
interface Member {
  connection: Connection;
  readonly decoder: FrameDecoder;
  ready: boolean;
  job: Job | undefined;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/** Thrown if no extractor process can be started. `message` gives the reason. */
export class ExtractorUnavailableError extends Error {
  override readonly name = "ExtractorUnavailableError";
}

/**
 * Reads documents in separate processes. A process starts when the first document comes, and ends when it is idle.
 */
export class Extractor implements Disposable {
  readonly #open: OpenConnection;
  readonly #processes: number;
  readonly #idleMs: number;
  readonly #members = new Set<Member>();
  #waiting: Job[] = [];
  #nextId = 1;

  constructor(open: OpenConnection, { processes = 1, idleMs = 5_000 }: ExtractorOptions = {}) {
    this.#open = open;
    this.#processes = processes;
    this.#idleMs = idleMs;
  }

  /** Returns an extractor that starts no process and rejects every document with {@linkcode ExtractorUnavailableError}. */
  static none(): Extractor {
    return new Extractor(({ onEnd }) => {
      queueMicrotask(() => onEnd("it is switched off"));
      return { send: () => {}, close: () => {}, end: () => {} };
    });
  }

  /**
   * Returns the document in the bytes of a file. The loader of its format runs in a process; a text is decoded in this one.
   * Throws the errors of {@linkcode documentError}, `UserError` `extractor_unavailable` with `path`, and the reason of
   * `signal` when it aborts.
   */
  async read(bytes: Uint8Array, file: FileName, signal?: AbortSignal): Promise<ReadDocument> {
    const { path } = file;
    // Loaded with the first document: a server is there before.
    const { readDocument } = await import("#documents/mod.ts");
    try {
      return await readDocument(bytes, file, async (format, ...rest) => {
        try {
          return await this.extract(format, ...rest, signal);
        } catch (error) {
          if (format !== "code" || !(error instanceof ExtractorUnavailableError)) throw error;
          // Keywords and indentation show the outline as well.
          throw new DocumentError("unsupported", error.message);
        }
      });
    } catch (error) {
      throw await this.#readingError(error, path, bytes.length);
    }
  }

  /**
   * Returns the document in `bytes`. Rejects with {@linkcode DocumentError}, with {@linkcode ExtractorUnavailableError} if
   * no process can be started, and with the reason of `signal` when it aborts.
   */
  async extract(format: string, bytes: Uint8Array, file: FileName, signal?: AbortSignal): Promise<Document> {
    const { response, body } = await this.ask({ format, bytes, file }, signal);
    if (!("document" in response)) throw new Error("the answer has no document");
    return { ...response.document, text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(body) };
  }

  /**
   * Answers a request for the pictures of a document of any format. Throws the errors of {@linkcode documentError}, `UserError`
   * `extractor_unavailable` with `path`, and the reason of `signal` when it aborts.
   */
  async pictures(
    bytes: Uint8Array,
    file: FileName,
    request: PictureRequest,
    signal?: AbortSignal,
  ): Promise<PicturesRead> {
    const { path } = file;
    try {
      const { response, body } = await this.ask({ format: request, bytes, file }, signal);
      if (!("pictures" in response)) throw new Error("the answer has no pictures");
      let at = 0;
      const contents = [...response.pictures.pictures, response.pictures].flatMap(({ given }) =>
        given === undefined ? [] : [body.subarray(at, at += given.size)]
      );
      return { answer: response.pictures, contents };
    } catch (error) {
      throw await this.#readingError(error, path, bytes.length);
    }
  }

  /** Sends a request to a process. Rejects like {@linkcode extract}. */
  async ask(request: Omit<Job, "answer">, signal: AbortSignal | undefined): Promise<Answer> {
    signal?.throwIfAborted();
    if (request.bytes.length > MAX_FRAME_BYTES / 2) {
      throw new DocumentError("too_complex", `the file has ${request.bytes.length} bytes`);
    }
    const job: Job = { ...request, answer: Promise.withResolvers() };
    this.#waiting.push(job);
    this.#advance();
    return await (signal === undefined ? job.answer.promise : this.#untilAborted(job, signal));
  }

  async #readingError(error: unknown, path: string, size: number): Promise<unknown> {
    const { documentError } = await import("#library/corpus/mod.ts");
    return error instanceof ExtractorUnavailableError
      ? new UserError("extractor_unavailable", { path, error: error.message }, { cause: error })
      : documentError(error, path, size);
  }

  /** Ends all processes. Promises for unfinished documents never settle. */
  [Symbol.dispose](): void {
    this.#waiting = [];
    for (const member of this.#members) {
      clearTimeout(member.idle);
      member.connection.close();
    }
    this.#members.clear();
  }

  async #untilAborted(job: Job, signal: AbortSignal): Promise<Answer> {
    const onAbort = () => {
      job.answer.reject(signal.reason);
      this.#giveUp(job);
    };
    signal.addEventListener("abort", onAbort);
    try {
      return await job.answer.promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /**
   * Takes a document out of the queue, or ends the process that is reading it: a busy parser cannot be stopped in another
   * way.
   */
  #giveUp(job: Job): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== job);
    const member = [...this.#members].find((member) => member.job === job);
    if (member === undefined) return;
    this.#members.delete(member);
    member.connection.close();
    this.#advance();
  }

  /** Gives waiting documents to idle processes, and starts processes for the rest, up to the limit. */
  #advance(): void {
    for (const member of this.#members) {
      if (member.ready && member.job === undefined) this.#give(member);
    }
    const starting = [...this.#members].filter(({ ready }) => !ready).length;
    for (let missing = this.#waiting.length - starting; missing > 0; missing--) {
      if (this.#members.size >= this.#processes) return;
      this.#start();
    }
  }

  #give(member: Member): void {
    const job = this.#waiting.shift();
    if (job === undefined) return;
    clearTimeout(member.idle);
    member.job = job;
    const { format, bytes, file: { path, encoding, ignoreImages }, inside } = job;
    const request: ExtractRequest = {
      id: this.#nextId++,
      format,
      ...present({ path, encoding, ignoreImages, inside }),
    };
    member.connection.send(encodeFrame(request, bytes));
  }

  #start(): void {
    const member: Member = {
      connection: { send: () => {}, close: () => {}, end: () => {} },
      decoder: new FrameDecoder(MAX_FRAME_BYTES),
      ready: false,
      job: undefined,
      idle: undefined,
    };
    this.#members.add(member);
    member.connection = this.#open({
      onData: (bytes) => this.#receive(member, bytes),
      onEnd: (reason) => this.#ended(member, reason),
    });
  }

  #receive(member: Member, bytes: Uint8Array<ArrayBuffer>): void {
    try {
      for (const { header, body } of member.decoder.push(bytes)) {
        if (header === READY) member.ready = true;
        else this.#settle(member, header as ExtractResponse, body);
      }
    } catch (error) {
      member.connection.close();
      this.#ended(member, String(error));
      return;
    }
    this.#advance();
    if (member.job === undefined && this.#members.has(member)) this.#endWhenIdle(member);
  }

  #settle(member: Member, response: ExtractResponse, body: Uint8Array<ArrayBuffer>): void {
    const { job } = member;
    member.job = undefined;
    if (job === undefined) return;
    if (response.last) this.#members.delete(member);
    if ("error" in response) {
      job.answer.reject(new DocumentError(response.error.problem, response.error.message));
      return;
    }
    job.answer.resolve({ response, body });
  }

  #endWhenIdle(member: Member): void {
    clearTimeout(member.idle);
    member.idle = setTimeout(() => {
      this.#members.delete(member);
      member.connection.close();
    }, this.#idleMs);
    unrefTimer(member.idle);
  }

  #ended(member: Member, reason: string): void {
    clearTimeout(member.idle);
    if (!this.#members.delete(member)) return;
    if (!member.ready) {
      // The other processes take the waiting documents. After each document, another start is tried.
      if (this.#members.size > 0) return;
      for (const { answer } of this.#waiting) answer.reject(new ExtractorUnavailableError(reason));
      this.#waiting = [];
      return;
    }
    // The heap was probably full, which ends a process at once.
    member.job?.answer.reject(new DocumentError("too_complex", reason));
    this.#advance();
  }
}
