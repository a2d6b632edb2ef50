/** A request as far as the tests look at it. */
export interface RawRequest {
  readonly path: string;
  readonly headers: Headers;
}

/** An answer, byte by byte. */
export interface RawAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array | string;
  /** The end of the connection after the body. `close` is the default; `hang`: the connection stays open and nothing is sent. */
  readonly end?: "close" | "hang";
}

/** An HTTP server that sends exactly what it is told, so that answers can be cut off, too long or endless. */
export class RawServer implements AsyncDisposable {
  readonly requests: RawRequest[] = [];
  readonly url: string;
  readonly host: string;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #connections = new Set<Deno.Conn>();
  readonly #done: Promise<void>;

  constructor(readonly answer: (request: RawRequest, count: number) => RawAnswer | "silence") {
    this.host = `127.0.0.1:${this.#listener.addr.port}`;
    this.url = `http://${this.host}`;
    this.#done = this.#accept();
  }

  async #accept(): Promise<void> {
    const answers: Promise<void>[] = [];
    try {
      for await (const connection of this.#listener) answers.push(this.#serve(connection));
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
    await Promise.all(answers);
  }

  async #serve(connection: Deno.Conn): Promise<void> {
    this.#connections.add(connection);
    try {
      const request = await readRequest(connection);
      if (request === undefined) return;
      this.requests.push(request);
      const answer = this.answer(request, this.requests.length);
      if (answer !== "silence") await send(connection, answer);
      if (answer === "silence" || answer.end === "hang") await untilClosed(connection);
    } catch {
      // The client has gone, as it should where it gives up.
    } finally {
      this.#connections.delete(connection);
      close(connection);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    close(this.#listener);
    this.#connections.forEach(close);
    await this.#done;
  }
}

/** Closes what may be closed already. */
function close(resource: { close(): void }): void {
  try {
    resource.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}

async function readRequest(connection: Deno.Conn): Promise<RawRequest | undefined> {
  let text = "";
  const buffer = new Uint8Array(4096);
  while (!text.includes("\r\n\r\n")) {
    const count = await connection.read(buffer);
    if (count === null) return undefined;
    text += new TextDecoder().decode(buffer.subarray(0, count));
  }
  const [first = "", ...lines] = text.split("\r\n\r\n")[0]!.split("\r\n");
  const headers = new Headers(lines.map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at), line.slice(at + 1).trim()];
  }));
  return { path: first.split(" ")[1] ?? "", headers };
}

async function send(
  connection: Deno.Conn,
  { status = 200, headers = {}, body = "" }: RawAnswer,
): Promise<void> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const lines = Object.entries({ connection: "close", ...headers }).map(([name, value]) =>
    `${name}: ${value}\r\n`
  );
  const start = new TextEncoder().encode(`HTTP/1.1 ${status} Status\r\n${lines.join("")}\r\n`);
  for (const part of [start, bytes]) {
    for (let at = 0; at < part.length;) at += await connection.write(part.subarray(at));
  }
}

/** Waits until the other side closes. */
async function untilClosed(connection: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(1);
  while (await connection.read(buffer) !== null) { /* nothing is expected */ }
}

/** The answer of a server that can continue a file (RFC 9110, 14): all of it, or the rest from the byte in `Range`. */
export function fileAnswer(
  { headers }: RawRequest,
  bytes: Uint8Array,
  etag = '"v1"',
): RawAnswer & { readonly body: Uint8Array } {
  const from = /^bytes=(\d+)-$/.exec(headers.get("range") ?? "")?.[1];
  const isSame = headers.get("if-range") === null || headers.get("if-range") === etag;
  if (from === undefined || !isSame) {
    return { headers: { etag, "content-length": String(bytes.length) }, body: bytes };
  }
  const rest = bytes.subarray(Number(from));
  const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
  return {
    status: 206,
    headers: { etag, "content-length": String(rest.length), "content-range": range },
    body: rest,
  };
}
