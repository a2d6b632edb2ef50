/**
 * Downloads one file: continues what exists, checks its digest, and stops in time.
 */
import type { MessageKey } from "#foundation/messages/mod.ts";
import { isMissing, type OwnFolder, writeAll } from "#foundation/boundary/mod.ts";
import { cannotWrite, digestOf, SourceFailure } from "./model_location.ts";
import type { Digest } from "./catalogue.ts";
import { networkKind, networkWords, type ServerFailureKind } from "#models/remote/mod.ts";

/** Requests for one file in a row that brought nothing new. */
const MAX_IDLE_TRIES = 2;
/** Requests for one file in all. */
const MAX_TRIES = 50;

/** The messages for answers that say what to do. */
const STATUS_KEYS: Readonly<Record<number, MessageKey>> = {
  401: "model_forbidden",
  403: "model_forbidden",
  407: "model_proxy_auth",
};

/** A file of a source. */
export interface RemoteFile extends Digest {
  readonly url: URL;
}

/** Where and how a file is downloaded. */
interface DownloadOptions extends RequestLimits {
  readonly folder: OwnFolder;
  /** Name of the file in the folder. */
  readonly name: string;
  /** Called with the bytes of the file that are there. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Downloads a file and checks its size and digest. A part of it that an earlier call left is continued, also from another
 * address; after a broken connection, or one that has stalled, it is continued at once. The part stays after a failure, unless its bytes are
 * wrong. Throws {@linkcode SourceFailure}, `UserError` `model_disk_full` and `data_folder_unwritable`, and the signal's
 * reason after an abort.
 */
export async function download(file: RemoteFile, options: DownloadOptions): Promise<void> {
  const partial = new PartialFile(options.folder, options.name, { url: file.url.href, sha256: file.sha256 });
  let idle = 0;
  for (let tries = 1;; tries++) {
    const before = await partial.bytes();
    try {
      await fetchRest(file, partial, options);
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      const hasMore = await partial.bytes() > before;
      if (!isPassing(error) && !(hasMore && error.key === "model_timeout")) throw error;
      idle = hasMore ? 0 : idle + 1;
      if (idle === MAX_IDLE_TRIES || tries === MAX_TRIES) throw error;
      continue;
    }
    const found = await digestOf(options.folder, partial.name);
    if (found.sha256 === file.sha256) return await partial.finish();
    partial.remove();
    // The start of the file may have come from another version of it.
    if (before > 0 && tries < MAX_TRIES) continue;
    throw wrongBytes(file, found);
  }
}

/** Whether trying again may help: the connection broke in the middle, or the rest of a file was refused. */
function isPassing({ key }: SourceFailure): boolean {
  return key === "model_cut_off" || key === "model_no_rest";
}

function wrongBytes({ url, sha256 }: RemoteFile, found: Digest): SourceFailure {
  return new SourceFailure("model_wrong_hash", {
    host: url.host,
    file: fileNameOf(url),
    expected: sha256,
    found: found.sha256,
  });
}

/** Appends to the partial file what it lacks. */
async function fetchRest(file: RemoteFile, partial: PartialFile, options: DownloadOptions): Promise<void> {
  let start = await partial.bytes();
  if (start > file.bytes) {
    partial.remove();
    start = 0;
  }
  if (start === file.bytes) return;
  const headers: Record<string, string> = { "accept-encoding": "identity" };
  const validator = await partial.validator();
  if (start > 0) {
    headers["range"] = `bytes=${start}-`;
    // Without a validator the digest tells whether the two parts belong together.
    if (validator !== undefined) headers["if-range"] = validator;
  }
  using answer = await request(file.url, headers, options);
  if (answer.status === 416 || answer.status === 206 && !continues(answer, start)) {
    partial.remove();
    throw new SourceFailure("model_no_rest", { host: file.url.host, file: fileNameOf(file.url) });
  }
  if (answer.status !== 200 && answer.status !== 206) {
    throw new SourceFailure(STATUS_KEYS[answer.status] ?? "model_status", {
      host: file.url.host,
      file: fileNameOf(file.url),
      status: answer.status,
    });
  }
  if (answer.status === 200) start = 0;
  checkLength(answer, start, file);
  await append(answer, start, { file, partial, options });
}

/** Whether the answer begins at the byte that was asked for. */
function continues({ headers }: DownloadAnswer, start: number): boolean {
  return start > 0 && headers.get("content-range")?.startsWith(`bytes ${start}-`) === true;
}

/** Throws for an announced length that is not that of the file, before anything is read. */
function checkLength({ headers }: DownloadAnswer, start: number, file: RemoteFile): void {
  const length = headers.get("content-length");
  if (length === null || headers.has("content-encoding")) return;
  if (Number(length) !== file.bytes - start) throw wrongSize(file, start + Number(length));
}

interface Target {
  readonly file: RemoteFile;
  readonly partial: PartialFile;
  readonly options: DownloadOptions;
}

async function append(
  answer: DownloadAnswer,
  start: number,
  { file, partial, options }: Target,
): Promise<void> {
  const { onBytes } = options;
  using out = await partial.open(start, answer.headers);
  let bytes = start;
  onBytes?.(bytes);
  for (;;) {
    const part = await nextPart(answer, file);
    if (part === undefined) break;
    bytes += part.length;
    if (bytes > file.bytes) throw wrongSize(file, file.bytes + 1);
    try {
      await writeAll(out, part);
    } catch (error) {
      throw cannotWrite(error, options.folder.at(options.name));
    }
    onBytes?.(bytes);
  }
  if (bytes < file.bytes) throw cutOff(file);
}

/** The next part of the body. A connection that breaks here is one that can be continued. */
async function nextPart(
  answer: DownloadAnswer,
  file: RemoteFile,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await answer.next();
  } catch (error) {
    throw error instanceof SourceFailure && error.key === "model_unreachable" ? cutOff(file) : error;
  }
}

function cutOff({ url }: RemoteFile): SourceFailure {
  return new SourceFailure("model_cut_off", { host: url.host, file: fileNameOf(url) });
}

function wrongSize({ url, bytes }: RemoteFile, found: number): SourceFailure {
  return new SourceFailure("model_wrong_size", {
    host: url.host,
    file: fileNameOf(url),
    expected: bytes,
    found,
  });
}

function fileNameOf({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf("/") + 1);
}

/** The source of a partial file. */
interface Origin {
  /** SHA-256 of the complete file. */
  readonly sha256: string;
  readonly url: string;
  /** Strong `ETag`, or `Last-Modified`; absent if the server sends neither. */
  readonly validator?: string;
}

/**
 * A file that is not complete yet, `NAME.partial`, and beside it `NAME.partial.json` with its {@linkcode Origin}. Every source
 * of a file has the same bytes, so a part from one is continued from another. A file with another digest starts anew.
 */
class PartialFile {
  readonly name: string;
  readonly #origin: string;

  constructor(
    readonly folder: OwnFolder,
    readonly whole: string,
    readonly file: Pick<Origin, "url" | "sha256">,
  ) {
    this.name = `${whole}.partial`;
    this.#origin = `${this.name}.json`;
  }

  /** Bytes that are there and can be continued or checked. */
  async bytes(): Promise<number> {
    const size = this.folder.look(this.name)?.size ?? 0;
    return size > 0 && (await this.#read())?.sha256 === this.file.sha256 ? size : 0;
  }

  /** The validator that this address sent; `undefined` for a part from another one. */
  async validator(): Promise<string | undefined> {
    const origin = await this.#read();
    return origin?.url === this.file.url ? origin.validator : undefined;
  }

  /** Opens the file to append to it; with `start` 0 a new one, whose origin is written down. */
  async open(start: number, headers: Headers): Promise<Deno.FsFile> {
    try {
      if (start > 0) return this.folder.openToAppend(this.name);
      this.remove();
      const validator = validatorOf(headers);
      const origin: Origin = { ...this.file, ...(validator === undefined ? {} : { validator }) };
      const text = new TextEncoder().encode(JSON.stringify(origin));
      await this.folder.replace(this.#origin, (file) => writeAll(file, text));
      return this.folder.create(this.name);
    } catch (error) {
      throw cannotWrite(error, this.folder.at(this.name));
    }
  }

  /** Gives the complete file its name. */
  async finish(): Promise<void> {
    await this.folder.rename(this.name, this.whole);
    this.remove();
  }

  remove(): void {
    for (const name of [this.name, this.#origin]) {
      try {
        this.folder.remove(name);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    }
  }

  /** The origin; `undefined` if its file is missing or damaged. */
  async #read(): Promise<Origin | undefined> {
    try {
      const { sha256, url, validator } = JSON.parse(await this.folder.readText(this.#origin));
      if (typeof url !== "string" || typeof sha256 !== "string") return undefined;
      return typeof validator === "string" ? { sha256, url, validator } : { sha256, url };
    } catch {
      return undefined;
    }
  }
}

/** The header for `If-Range` (RFC 9110, 13.1.5), which takes no weak `ETag`. */
function validatorOf(headers: Headers): string | undefined {
  const etag = headers.get("etag");
  if (etag !== null && /^"[\x21\x23-\x7e]*"$/.test(etag)) return etag;
  return headers.get("last-modified") ?? undefined;
}

/** Redirects that are followed in a row. */
const MAX_REDIRECTS = 5;

/** The messages for requests that got no answer. */
const KEYS: Partial<Record<ServerFailureKind, MessageKey>> = {
  "unknown_host": "model_unknown_host",
  refused: "model_refused",
  certificate: "model_certificate",
};

/** The runtime's words where a proxy does not connect to the host. */
const PROXY_KEYS: readonly (readonly [MessageKey, RegExp])[] = [
  ["model_proxy_auth", /proxy auth/i],
  ["model_proxy_denied", /unsuccessful tunnel|tunnel error/i],
];

/** Limits of the requests of a download. */
export interface RequestLimits {
  /** Milliseconds to wait for an answer, and for each part of it. */
  readonly timeoutMs: number;
  /** Whether a host may be redirected to. The host of the source is always allowed. */
  readonly mayRedirectTo: (hostname: string) => boolean;
  readonly signal: AbortSignal;
}

/** Limits of a {@linkcode readPage}. */
interface PageLimits extends Pick<RequestLimits, "timeoutMs" | "signal"> {
  readonly maxBytes: number;
}

/**
 * Returns the status of a page and its bytes, or `undefined` for its bytes where there are more than `maxBytes`. The whole page must come
 * within `timeoutMs`. Redirects are followed on its host only. Throws as {@linkcode request} does.
 */
export async function readPage(
  url: URL,
  { maxBytes, timeoutMs, signal }: PageLimits,
): Promise<{ readonly status: number; readonly bytes: Uint8Array | undefined }> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    using answer = await request(url, { "user-agent": "muxue_rag" }, {
      ...{ timeoutMs, signal: AbortSignal.any([signal, deadline]) },
      mayRedirectTo: () => false,
    });
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    for (let part; (part = await answer.next()) !== undefined;) {
      length += part.length;
      if (length > maxBytes) return { status: answer.status, bytes: undefined };
      parts.push(part);
    }
    return { status: answer.status, bytes: await new Blob(parts).bytes() };
  } catch (error) {
    if (deadline.aborted && !signal.aborted) {
      throw new SourceFailure("model_timeout", { host: url.host, seconds: timeoutMs / 1000 });
    }
    throw error;
  }
}

/** An answer with its body not read yet. Disposing of it ends the connection. */
interface DownloadAnswer extends Disposable {
  readonly status: number;
  readonly headers: Headers;
  /** The next part of the body; `undefined` at its end. Throws {@linkcode SourceFailure} after the time limit. */
  readonly next: () => Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/**
 * Asks for a file. Redirects are followed to the hosts that `mayRedirectTo` names, never from an encrypted connection to one
 * that is not. Throws {@linkcode SourceFailure}, and the signal's reason after an abort.
 */
async function request(url: URL, headers: HeadersInit, limits: RequestLimits): Promise<DownloadAnswer> {
  let at = url;
  for (let redirects = 0;; redirects++) {
    const answer = await requestOnce(at, headers, limits);
    if (answer.status < 300 || answer.status >= 400 || answer.status === 304) return answer;
    answer[Symbol.dispose]();
    const location = answer.headers.get("location");
    const to = location === null ? null : URL.parse(location, at);
    if (to === null || redirects === MAX_REDIRECTS) {
      throw new SourceFailure("model_redirects", { host: at.host });
    }
    const isAllowed = to.host === url.host || limits.mayRedirectTo(to.hostname);
    if (!isAllowed || to.protocol !== "https:" && to.protocol !== url.protocol) {
      throw new SourceFailure("model_redirected", { host: at.host, to: to.origin });
    }
    at = to;
  }
}

async function requestOnce(
  url: URL,
  headers: HeadersInit,
  { timeoutMs, signal }: RequestLimits,
): Promise<DownloadAnswer> {
  signal.throwIfAborted();
  const ended = new AbortController();
  const end = () => ended.abort();
  const host = url.host;
  const within = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await inTime(work, timeoutMs, signal);
    } catch (error) {
      end();
      signal.throwIfAborted();
      throw failureOf(error, host, timeoutMs);
    }
  };
  const fetched = fetch(url, { headers, signal: ended.signal, redirect: "manual" });
  const response = await within(fetched);
  const reader = response.body?.getReader();
  return {
    status: response.status,
    headers: response.headers,
    next: async () => reader === undefined ? undefined : (await within(reader.read())).value,
    [Symbol.dispose]: () => {
      end();
      reader?.cancel().catch(() => {});
    },
  };
}

function failureOf(error: unknown, host: string, timeoutMs: number): SourceFailure {
  if (error instanceof TooLate) {
    return new SourceFailure("model_timeout", { host, seconds: timeoutMs / 1000 });
  }
  const words = networkWords(error);
  const [ofProxy] = PROXY_KEYS.find(([, pattern]) => pattern.test(words)) ?? [];
  const key = ofProxy ?? KEYS[networkKind(words)] ?? "model_unreachable";
  return new SourceFailure(key, { host, words }, { cause: error });
}

/** The error of work that took too long. */
class TooLate extends Error {
  override readonly name = "TooLate";
}

/**
 * The result of `work`, or its error. Rejects with {@linkcode TooLate} after `milliseconds`, and with the signal's reason as
 * soon as it aborts. The work is not waited for then: a runtime that does not end it must not hold up the program.
 */
async function inTime<T>(work: Promise<T>, milliseconds: number, signal: AbortSignal): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new TooLate()), milliseconds);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  // Nobody looks at the result of work that comes too late.
  work.catch(() => {});
  try {
    return await Promise.race([ended, work]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
