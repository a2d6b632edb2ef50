/** A request that is not HTTP/1.1 as this server reads it, with the status of the answer that says why. */
export class MalformedRequest extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The first line and the headers of a request. */
export interface RequestHead {
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
export const MAX_HEAD_BYTES = 16 * 1024;

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
export function endOfHead(bytes: Uint8Array, from: number): number {
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
export function parseHead(bytes: Uint8Array): RequestHead {
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
    ...{ method, target, headers, isHttp10 },
    body: framingOf(headers, isHttp10),
    keepsAlive: !isHttp10 && !/(?:^|[\s,])close(?:$|[\s,])/.test(connection),
  };
}

/** The size in the first line of a chunk. Throws `MalformedRequest`. */
export function chunkSize(line: string): number {
  const [, size] = /^([0-9a-f]{1,8})(?:[\t ]*;[\t\x20-\x7e\x80-\xff]*)?$/i.exec(line) ?? [];
  if (size === undefined) throw new MalformedRequest(400, "Bad request: the size of a chunk is no number");
  return parseInt(size, 16);
}

/** The text of bytes, a character each. */
export function latin1(bytes: Uint8Array): string {
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
