/**
 * One HTTP/1.1 connection: reading requests strictly, each in its time, and writing the answers. What two readers could understand
 * differently is refused.
 */

/** A request over HTTP. */
export interface HttpRequest {
  readonly method: string;
  /** The path, with the query. */
  readonly url: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** IP address of the client. */
  readonly remoteAddress: string;
  /** Stands for the connection: the same object for all its requests. */
  readonly connection: object;
  /** Aborts when the client goes away before the request is answered, and after the answer. */
  readonly signal: AbortSignal;
  /** The body. Rejects where the client goes away or sends it too slowly. */
  body(maxBytes: number): Promise<Uint8Array | typeof TOO_LARGE>;
  /** Says that the client may use the server. Its connection then leaves the share of those that have not shown it. */
  admit(): void;
}

/** The response to a request over HTTP. Its promises reject when the connection has ended. */
export interface HttpReply {
  /** Whether the connection has ended. */
  readonly isClosed: boolean;
  /** Prepares status and headers. `length`: bytes of the body; `undefined` if it is not known. */
  begin(status: number, headers: Iterable<readonly [string, string]>, length?: number): void;
  /** Sends status and headers now, if nothing of the body has been sent. */
  flush(): Promise<void>;
  /** Sends a part of the body. Resolves when the system has taken it. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the connection, with all that is not sent. */
  close(): void;
}

/** The body of a request is longer than allowed. */
export const TOO_LARGE = Symbol("too large");

/** The times that a connection may take, in milliseconds. */
export interface ConnectionTimes {
  /** Time for a handshake of TLS, and then for the headers of a request to arrive. */
  readonly headersMs: number;
  /** Time for a whole request to arrive. */
  readonly requestMs: number;
  /** Time that a connection may be idle between two requests. */
  readonly idleMs: number;
  /** Time for a client to read what is written at once. */
  readonly readMs: number;
}

/** The bytes of a connection, encrypted or not. */
export interface Wire {
  readonly remoteAddress: string;
  /** The handshake of TLS. */
  begin(): Promise<void>;
  /** The next bytes; null when there are no more. */
  read(): Promise<Uint8Array | null>;
  /** Resolves when the system has taken the bytes. Rejects where the connection has ended. */
  write(bytes: Uint8Array): Promise<void>;
  /** Says that nothing more is written. */
  closeWrite(): Promise<void>;
  /** Ends the connection and what waits for it. */
  close(): void;
}

/** Reasons to close a connection. */
export type ClosedBecause = "timeout" | "malformed" | "unread";

/** Callbacks of an {@linkcode HttpConnection}. */
interface ConnectionEvents {
  readonly onRequest: (request: HttpRequest, reply: HttpReply) => Promise<void>;
  /** The connection is closed because its client sent no valid request, or none in time, or does not read its answer. */
  readonly onFailure: (reason: ClosedBecause) => void;
  /** A request was admitted, or the connection has begun to wait for the next one. */
  readonly onChange: () => void;
}

/** Bytes of an answer's head and first part that are sent together. */
const TOGETHER_BYTES = 64 * 1024;

/** A client that is sent an answer before it has sent its whole request may send so much more before it is cut off. */
const MAX_REST_BYTES = 4 * 1024 * 1024;
const REST_MS = 2000;

/** Pieces of a body that are kept apart: in chunks of one byte, the pieces of 1 MB take 150 MB of memory. */
const MAX_PIECES = 1024;

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();

/**
 * A connection that speaks HTTP/1.1, one request after the other. It is not the runtime's server, of which each version limits other
 * things: this one reads no more than it can use, and has a deadline for whatever its client should do.
 */
export class HttpConnection {
  readonly remoteAddress: string;
  /** In milliseconds of the monotonic clock. */
  readonly begunAt = performance.now();
  readonly #wire: Wire;
  readonly #times: ConnectionTimes;
  readonly #events: ConnectionEvents;
  readonly #refusalHeaders: Readonly<Record<string, string>>;
  /** Read and not used yet. */
  #unused: Uint8Array = NOTHING;
  #reading: Promise<boolean> | undefined;
  /** When the client must have done what is expected of it, and the reason to close the connection otherwise. */
  #deadline = Infinity;
  #reason: ClosedBecause | undefined;
  #state: "waiting" | "receiving" | "answering" = "waiting";
  #isFirst = true;
  #isWatched = false;
  #isAdmitted = false;
  #isClosed = false;
  #gone: AbortController | undefined;

  /** `refusalHeaders`: those of the answer to a request that cannot be read. */
  constructor(
    wire: Wire,
    times: ConnectionTimes,
    events: ConnectionEvents,
    refusalHeaders: Readonly<Record<string, string>> = {},
  ) {
    this.#refusalHeaders = refusalHeaders;
    this.#wire = wire;
    this.#times = times;
    this.#events = events;
    this.remoteAddress = wire.remoteAddress;
  }

  /** Whether its client has shown that it may use the server. */
  get isAdmitted(): boolean {
    return this.#isAdmitted;
  }

  /** Whether it waits for a request, receives one or answers one. */
  get state(): "waiting" | "receiving" | "answering" {
    return this.#state;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Answers requests until the connection ends. Never rejects. */
  async serve(): Promise<void> {
    try {
      this.#expect(this.#times.headersMs, "timeout");
      await this.#shakeHands();
      while (await this.#serveOne());
    } catch (error) {
      if (error instanceof MalformedRequest && !this.#isClosed) await this.#refuse(error);
    } finally {
      this.close();
    }
  }

  /** Closes the connection if its client has not done in time what is expected of it. `now`: milliseconds of the monotonic clock. */
  check(now: number): void {
    if (now < this.#deadline || this.#isClosed) return;
    if (this.#reason !== undefined) this.#events.onFailure(this.#reason);
    this.close();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#wire.close();
    this.#gone?.abort();
  }

  async #shakeHands(): Promise<void> {
    try {
      await this.#wire.begin();
    } catch (error) {
      if (!this.#isClosed) this.#events.onFailure("malformed");
      throw error;
    }
  }

  /** Whether another request may follow. */
  async #serveOne(): Promise<boolean> {
    const head = await this.#head();
    if (head === undefined) return false;
    const body = new RequestBody(head, this.#source, () => this.#send("HTTP/1.1 100 Continue\r\n\r\n"));
    const answer = new HttpAnswer(head, (bytes) => this.#send(bytes), () => !body.skip());
    if (head.body === 0) this.#answering();
    let failure: unknown;
    const gone = () => this.#gone ??= new AbortController();
    const isClosed = () => this.#isClosed;
    await this.#events.onRequest({
      method: head.method,
      url: head.target,
      headers: head.headers,
      remoteAddress: this.remoteAddress,
      connection: this,
      get signal() {
        const controller = gone();
        if (isClosed()) controller.abort();
        return controller.signal;
      },
      body: async (maxBytes) => {
        try {
          const bytes = await body.read(maxBytes);
          this.#answering();
          return bytes;
        } catch (error) {
          failure = error;
          throw error;
        }
      },
      admit: () => this.#admit(),
    }, {
      get isClosed() {
        return isClosed();
      },
      begin: (...begun) => answer.begin(...begun),
      flush: () => answer.flush(),
      write: (bytes) => answer.write(bytes),
      close: () => this.close(),
    });
    if (failure !== undefined) throw failure;
    await answer.end();
    this.#gone?.abort();
    this.#gone = undefined;
    if (this.#isClosed) return false;
    if (answer.keepsAlive) return true;
    await this.#leave();
    return false;
  }

  /** The head of the next request; `undefined` if the client has closed the connection. */
  async #head(): Promise<RequestHead | undefined> {
    this.#state = "waiting";
    // The time for the first request runs since the connection began.
    if (!this.#isFirst) this.#expect(this.#times.idleMs, undefined);
    this.#isFirst = false;
    this.#events.onChange();
    while (this.#unused.length === 0) if (!await this.#more()) return undefined;
    this.#state = "receiving";
    this.#expect(this.#times.headersMs, "timeout");
    const begun = performance.now();
    for (let searched = 0;;) {
      // Some clients send an empty line after a body.
      while (this.#unused[0] === 13 && this.#unused[1] === 10) this.#unused = this.#unused.subarray(2);
      const end = endOfHead(this.#unused, searched);
      if (end >= 0) {
        const head = parseHead(this.#unused.subarray(0, end));
        this.#unused = this.#unused.subarray(end);
        this.#expect(begun + this.#times.requestMs - performance.now(), "timeout");
        return head;
      }
      searched = this.#unused.length;
      if (!await this.#more()) return undefined;
    }
  }

  readonly #source: Source = {
    take: (maxBytes) => {
      const taken = this.#unused.subarray(0, maxBytes);
      this.#unused = this.#unused.subarray(taken.length);
      return taken;
    },
    line: () => {
      const end = this.#unused.indexOf(10);
      if (end < 0) return undefined;
      if (this.#unused[end - 1] !== 13) {
        throw new MalformedRequest(400, "Bad request: lines must end with CR LF");
      }
      const line = latin1(this.#unused.subarray(0, end - 1));
      this.#unused = this.#unused.subarray(end + 1);
      return line;
    },
    available: () => this.#unused.length,
    more: () => this.#more(),
  };

  /** Reads more bytes. Resolves with `false` when there are no more. */
  #more(): Promise<boolean> {
    return this.#reading ??= this.#readMore();
  }

  async #readMore(): Promise<boolean> {
    let bytes: Uint8Array | null = null;
    try {
      bytes = await this.#wire.read();
    } catch {
      // The connection has ended.
    }
    this.#reading = undefined;
    if (bytes === null) {
      this.#gone?.abort();
      return false;
    }
    const unused = this.#unused.length === 0
      ? bytes
      : joined([this.#unused, bytes], this.#unused.length + bytes.length);
    this.#unused = unused;
    return true;
  }

  /** The request is complete. Its client is watched, so that nothing is done for one that has gone. */
  #answering(): void {
    this.#state = "answering";
    this.#deadline = Infinity;
    if (!this.#isWatched) void this.#watch();
  }

  async #watch(): Promise<void> {
    this.#isWatched = true;
    // Of a client that sends further requests meanwhile, no more is read.
    while (this.#state === "answering" && this.#unused.length < MAX_HEAD_BYTES) {
      if (!await this.#more()) this.close();
      if (this.#isClosed) return;
    }
    this.#isWatched = false;
  }

  #admit(): void {
    if (this.#isAdmitted) return;
    this.#isAdmitted = true;
    this.#events.onChange();
  }

  async #send(bytes: Uint8Array | string): Promise<void> {
    const all = typeof bytes === "string" ? encoder.encode(bytes) : bytes;
    const [before, reason] = [this.#deadline, this.#reason];
    this.#expect(this.#times.readMs, "unread");
    await this.#wire.write(all);
    [this.#deadline, this.#reason] = [before, reason];
  }

  #expect(milliseconds: number, reason: ClosedBecause | undefined): void {
    this.#deadline = performance.now() + milliseconds;
    this.#reason = reason;
  }

  /** Tells the client why its request is not understood. */
  async #refuse(error: MalformedRequest): Promise<void> {
    this.#events.onFailure("malformed");
    const body = encoder.encode(`${error.message}\n`);
    const headers = Object.entries({
      ...{ "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
      ...this.#refusalHeaders,
    });
    const answer = new HttpAnswer(undefined, (bytes) => this.#send(bytes), () => true);
    try {
      answer.begin(error.status, headers, body.length);
      await answer.write(body);
      await this.#leave();
    } catch {
      // The client has gone.
    }
  }

  /** Closes the connection when the client has read its answer: the system drops an answer if the client still sends. */
  async #leave(): Promise<void> {
    this.#expect(Math.min(REST_MS, this.#times.requestMs), undefined);
    this.#state = "waiting";
    await this.#wire.closeWrite();
    for (let count = this.#unused.length; count <= MAX_REST_BYTES; count += this.#unused.length) {
      this.#unused = NOTHING;
      if (!await this.#more()) return;
    }
  }
}

/** The bytes that a client has sent and that are not used yet. */
interface Source {
  /** So many bytes at most, of those that are there. */
  take(maxBytes: number): Uint8Array;
  /** The next line; `undefined` while its end is not there. */
  line(): string | undefined;
  available(): number;
  more(): Promise<boolean>;
}

/** The body of one request. */
class RequestBody {
  readonly #head: RequestHead;
  readonly #source: Source;
  readonly #onExpected: () => Promise<void>;
  #isRead = false;

  constructor(head: RequestHead, source: Source, onExpected: () => Promise<void>) {
    this.#head = head;
    this.#source = source;
    this.#onExpected = onExpected;
  }

  /** Skips a body that nobody has read, if all of it is there. Whether the next bytes are those of the next request. */
  skip(): boolean {
    const { body } = this.#head;
    if (!this.#isRead && body !== "chunked" && this.#source.available() >= body) {
      this.#source.take(body);
      this.#isRead = true;
    }
    return this.#isRead;
  }

  async read(maxBytes: number): Promise<Uint8Array | typeof TOO_LARGE> {
    const { body, headers } = this.#head;
    if (body !== "chunked" && body > maxBytes) return TOO_LARGE;
    if (headers.expect?.toLowerCase() === "100-continue") await this.#onExpected();
    const pieces: Uint8Array[] = [];
    let length = 0;
    const part = async (count: number) => {
      for (let left = count; left > 0;) {
        const piece = this.#source.take(left);
        if (piece.length === 0) {
          await this.#more();
          continue;
        }
        pieces.push(piece);
        left -= piece.length;
        length += piece.length;
        if (pieces.length === MAX_PIECES) pieces.splice(0, MAX_PIECES, joined(pieces, length));
      }
    };
    if (body !== "chunked") {
      await part(body);
    } else {
      for (let size; (size = chunkSize(await this.#line())) > 0;) {
        if (length + size > maxBytes) return TOO_LARGE;
        await part(size);
        if (await this.#line() !== "") throw new MalformedRequest(400, "Bad request: a chunk is too long");
      }
      for (let lines = 0; await this.#line() !== ""; lines++) {
        if (lines === 100) throw new MalformedRequest(431, "Too many trailers");
      }
    }
    this.#isRead = true;
    return pieces.length === 1 ? pieces[0]! : joined(pieces, length);
  }

  async #line(): Promise<string> {
    for (;;) {
      const line = this.#source.line();
      if (line !== undefined) return line;
      if (this.#source.available() > MAX_HEAD_BYTES) throw new MalformedRequest(431, "A line is too long");
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    if (!await this.#source.more()) throw new Error("The client has gone");
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** The answer to one request. */
class HttpAnswer {
  readonly #head: RequestHead | undefined;
  readonly #send: (bytes: Uint8Array) => Promise<void>;
  readonly #isRequestLeft: () => boolean;
  /** Status and headers that are not sent yet; `undefined` before `begin`. */
  #unsent: Uint8Array | undefined;
  #isChunked = false;
  #hasBody = true;
  #keepsAlive = false;

  constructor(
    head: RequestHead | undefined,
    send: (bytes: Uint8Array) => Promise<void>,
    isRequestLeft: () => boolean,
  ) {
    this.#head = head;
    this.#send = send;
    this.#isRequestLeft = isRequestLeft;
  }

  /** Whether the client can send its next request. */
  get keepsAlive(): boolean {
    return this.#keepsAlive;
  }

  begin(status: number, headers: Iterable<readonly [string, string]>, length?: number): void {
    const isKnown = length !== undefined || status === 204 || status === 304;
    this.#isChunked = !isKnown && this.#head?.isHttp10 === false;
    this.#hasBody = this.#head?.method !== "HEAD";
    this.#keepsAlive = this.#head?.keepsAlive === true && (isKnown || this.#isChunked) &&
      !this.#isRequestLeft();
    let text = `HTTP/1.1 ${status} ${REASONS[status] ?? "Status"}\r\nDate: ${new Date().toUTCString()}\r\n`;
    for (const [name, value] of headers) text += `${name}: ${value}\r\n`;
    if (length !== undefined) text += `Content-Length: ${length}\r\n`;
    if (this.#isChunked) text += "Transfer-Encoding: chunked\r\n";
    text += `Connection: ${this.#keepsAlive ? "keep-alive" : "close"}\r\n\r\n`;
    this.#unsent = Uint8Array.from(text, (character) => character.charCodeAt(0));
  }

  async flush(): Promise<void> {
    const head = this.#unsent;
    if (head === undefined || head.length === 0) return;
    this.#unsent = NOTHING;
    await this.#send(head);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0 || !this.#hasBody) return;
    const parts = [this.#unsent ?? NOTHING];
    this.#unsent = NOTHING;
    if (this.#isChunked) {
      parts.push(encoder.encode(`${bytes.length.toString(16)}\r\n`), bytes, encoder.encode("\r\n"));
    } else parts.push(bytes);
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length <= 2 * TOGETHER_BYTES) return await this.#send(joined(parts, length));
    for (const part of parts) await this.#send(part);
  }

  /** Sends what is left. */
  async end(): Promise<void> {
    if (this.#unsent === undefined) return;
    await this.flush();
    if (this.#isChunked && this.#hasBody) await this.#send(encoder.encode("0\r\n\r\n"));
  }
}

const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  202: "Accepted",
  204: "No Content",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
  505: "HTTP Version Not Supported",
};

/** A request that is not HTTP/1.1 as this server reads it, with the status of the answer that says why. */
class MalformedRequest extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The first line and the headers of a request. */
interface RequestHead {
  readonly method: string;
  /** The path, with the query. */
  readonly target: string;
  /** By their names in lower case. Values of a name that is repeated are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body, or how it is framed. */
  readonly body: number | "chunked";
  readonly isHttp10: boolean;
  /** Whether the client wants to use the connection again. */
  readonly keepsAlive: boolean;
}

/** Bytes of the first line and the headers of a request. */
const MAX_HEAD_BYTES = 16 * 1024;

const MAX_HEADERS = 100;

/** Headers that decide where a message ends, who sends it and whom it is for. Two of one of them are a disguise. */
const SINGLE: ReadonlySet<string> = new Set([
  ...["authorization", "content-length", "content-type", "expect", "host", "mcp-session-id", "origin"],
  ...["mcp-method", "mcp-name", "mcp-protocol-version", "transfer-encoding"],
]);

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const TARGET = /^(?:\/[\x21-\x7e\x80-\xff]*|\*)$/;

const LF = 10;
const CR = 13;

/**
 * The position after the empty line that ends a head, searched from `from`; -1 while it has not arrived. Throws
 * `MalformedRequest` for a line that ends otherwise than with CR LF, and for a head that is too long.
 */
function endOfHead(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at - 1] !== CR) throw new MalformedRequest(400, "Bad request: lines must end with CR LF");
    if (bytes[at - 2] === LF && at < MAX_HEAD_BYTES) return at + 1;
  }
  if (bytes.length > MAX_HEAD_BYTES) {
    throw new MalformedRequest(
      431,
      `The first line and the headers of a request have at most ${MAX_HEAD_BYTES} bytes`,
    );
  }
  return -1;
}

/**
 * Reads the head of a request, strictly: what two readers could understand differently is refused, so that a proxy in front of the
 * server and the server see the same requests. `bytes`: up to the empty line, inclusive. Throws `MalformedRequest`.
 */
function parseHead(bytes: Uint8Array): RequestHead {
  const [first = "", ...lines] = latin1(bytes).slice(0, -4).split("\r\n");
  const [method = "", target = "", version = "", ...more] = first.split(" ");
  if (!TOKEN.test(method) || more.length > 0 || !/^HTTP\/\d\.\d$/.test(version)) {
    throw new MalformedRequest(400, "Bad request: the first line must be METHOD PATH HTTP/1.1");
  }
  if (version !== "HTTP/1.1" && version !== "HTTP/1.0") {
    throw new MalformedRequest(505, "The server speaks HTTP/1.1");
  }
  if (!TARGET.test(target)) throw new MalformedRequest(400, "Bad request: the address must be a path");
  const headers = headersIn(lines);
  const isHttp10 = version === "HTTP/1.0";
  const connection = (headers.connection ?? "").toLowerCase();
  return {
    method,
    target,
    headers,
    isHttp10,
    body: framingOf(headers, isHttp10),
    keepsAlive: !isHttp10 && !/(?:^|[\s,])close(?:$|[\s,])/.test(connection),
  };
}

/** The size in the first line of a chunk. Throws `MalformedRequest`. */
function chunkSize(line: string): number {
  const [, size] = /^([0-9a-f]{1,8})(?:[\t ]*;[\t\x20-\x7e\x80-\xff]*)?$/i.exec(line) ?? [];
  if (size === undefined) throw new MalformedRequest(400, "Bad request: the size of a chunk is no number");
  return parseInt(size, 16);
}

/** The text of bytes, a character each. */
function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function headersIn(lines: readonly string[]): Record<string, string> {
  if (lines.length > MAX_HEADERS) {
    throw new MalformedRequest(431, `A request has at most ${MAX_HEADERS} headers`);
  }
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(":");
    const [name, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 1)];
    // A line that begins with a space would continue the one before it.
    if (colon < 0 || !TOKEN.test(name) || !VALUE.test(value)) {
      throw new MalformedRequest(400, "Bad request: a header must be NAME: VALUE on one line");
    }
    const before = headers[name];
    if (before !== undefined && SINGLE.has(name)) {
      throw new MalformedRequest(400, `Bad request: the header ${name} must not be repeated`);
    }
    const trimmed = value.replace(/^[\t ]+|[\t ]+$/g, "");
    headers[name] = before === undefined ? trimmed : `${before}, ${trimmed}`;
  }
  return headers;
}

function framingOf(headers: Readonly<Record<string, string>>, isHttp10: boolean): number | "chunked" {
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  if (encoding !== undefined) {
    if (length !== undefined || isHttp10) {
      throw new MalformedRequest(400, "Bad request: the length of the body is given in two ways");
    }
    if (encoding.toLowerCase() !== "chunked") {
      throw new MalformedRequest(501, "The server reads no Transfer-Encoding but chunked");
    }
    return "chunked";
  }
  if (length === undefined) return 0;
  if (!/^\d{1,15}$/.test(length)) throw new MalformedRequest(400, "Bad request: Content-Length is no number");
  return Number(length);
}
