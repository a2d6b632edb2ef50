/** The real program with its web pages, asked over sockets of our own, so that a test says every header itself. */
import { EXECUTABLE, program, type Sandbox, spawnIn } from "../e2e/_program.ts";
import { freshPages } from "../../scripts/pages/build.ts";

/** A running `ui`, or another command that prints an address of the pages. */
export interface Ui extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** The page that the address opens: `/`. */
  readonly path: string;
  /** The code of the address; empty without one. */
  readonly code: string;
  /** The token, exchanged for the code with the first call of this function. */
  token(): Promise<string>;
  /** A call as the browser makes it, with the token unless `headers` has another one. */
  call(path: string, body: unknown, headers?: Headers): Promise<Answer>;
  /** Its output on stderr so far. */
  stderr(): string;
}

/** Headers by their names; `undefined` leaves one out. */
export type Headers = Readonly<Record<string, string | undefined>>;

export interface Answer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON. */
  // deno-lint-ignore no-explicit-any
  readonly json: any;
}

/** Starts `ui --no-open` over the sandbox's folder, or another command. */
export async function startUi(
  sandbox: Sandbox,
  args: readonly string[] = ["ui", "--dir", sandbox.folder, "--no-open"],
): Promise<Ui> {
  if (EXECUTABLE === undefined) await freshPages();
  const child = spawnIn(sandbox, program(args), "null");
  const { promise: listening, resolve, reject } = Promise.withResolvers<URL>();
  let stderr = "";
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>, isErrors: boolean) => {
    let all = "";
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      all += text;
      if (isErrors) stderr = all;
      const [address] = /https?:\/\/[\w.:[\]]+\/(?:ingestion)?(?:#code=[\w-]+)?(?=[\s(（])/.exec(all) ?? [];
      if (address !== undefined) resolve(new URL(address));
    }
  };
  const reading = Promise.all([read(child.stdout, false), read(child.stderr, true)])
    .then(() => reject(new Error(`it has ended: ${stderr}`)));
  const end = async () => {
    try {
      child.kill("SIGTERM");
    } catch {
      // It has ended.
    }
    await child.status;
    await reading;
  };
  const address = await listening.catch(async (error) => {
    await end();
    throw error;
  });
  const { origin, hash, pathname: path } = address;
  const port = Number(address.port);
  const code = hash.replace("#code=", "");
  let token: Promise<string> | undefined;
  const open = async () => {
    const answer = await send(port, post(origin, "session/open", { code }, { "Authorization": undefined }));
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json.token;
  };
  const ui: Ui = {
    ...{ port, origin, path, code, stderr: () => stderr },
    token: () => token ??= open(),
    async call(path, body, headers = {}) {
      const authorization = "Authorization" in headers ? undefined : `Bearer ${await ui.token()}`;
      return await send(port, post(origin, path, body, { "Authorization": authorization, ...headers }));
    },
    [Symbol.asyncDispose]: end,
  };
  return ui;
}

/** The text of a POST as the browser sends it; `headers` replace its own. */
export function post(origin: string, path: string, body: unknown, headers: Headers = {}): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return request("POST", `/api/${path}`, {
    "Host": new URL(origin).host,
    "Origin": origin,
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/json",
    "Accept-Language": "en",
    ...headers,
  }, text);
}

/** The text of a request. */
export function request(method: string, path: string, headers: Headers, body = ""): string {
  const length = new TextEncoder().encode(body).length;
  const all = { "Connection": "close", ...(body !== "" && { "Content-Length": `${length}` }), ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`]
  );
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n${body}`;
}

/** Sends a text on a connection of its own. Returns the answer; its status is 0 where the connection is closed without one. */
export async function send(port: number, text: string): Promise<Answer> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const bytes = new TextEncoder().encode(text);
  // A server that refuses a request may close the connection before all of it is sent.
  const writing = (async () => {
    for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  })().catch(() => {});
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const buffer = new Uint8Array(64 * 1024);
  try {
    for (let count; (count = await connection.read(buffer)) !== null;) parts.push(buffer.slice(0, count));
  } catch {
    // The rest is lost.
  }
  await writing;
  return answerIn(await new Blob(parts).text());
}

function answerIn(all: string): Answer {
  const [head = "", ...rest] = all.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(lines.map((line) => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  }));
  const body = rest.join("\r\n\r\n");
  const text = headers["transfer-encoding"] === "chunked" ? unchunked(body) : body;
  return {
    status: Number(first.split(" ")[1] ?? 0),
    headers,
    text,
    get json() {
      return JSON.parse(text);
    },
  };
}

/** The body in chunks, whose lengths count bytes. */
function unchunked(body: string): string {
  const bytes = new TextEncoder().encode(body);
  const decoder = new TextDecoder();
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const length = parseInt(decoder.decode(bytes.subarray(at, end)), 16);
    text += decoder.decode(bytes.subarray(end + 1, end + 1 + length), { stream: true });
    at = end + 1 + length + 2;
    if (length === 0) break;
  }
  return text;
}
