import { serveHttp, type ServeHttpOptions } from "#server/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { CONFIG, fakeLibrary, type Message, META } from "../_session.ts";

/** A server over HTTP in this process, with a real port. */
export interface HttpSession extends AsyncDisposable {
  /** Address of the endpoint. */
  readonly url: string;
  readonly port: number;
  /** Sends a POST with these headers and this body, an object as JSON. */
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Sends a request without a session (2026-07-28), and returns the answer. */
  request(method: string, params?: Record<string, unknown>, signal?: AbortSignal): Promise<Message>;
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "0" } },
};

/** Options of {@linkcode startHttpSession}. */
export interface HttpSessionOptions extends Partial<Omit<ServeHttpOptions, "address">> {
  readonly address?: Partial<ServeHttpOptions["address"]>;
}

/** Starts a server on a free port of this machine. */
export async function startHttpSession(options: HttpSessionOptions = {}): Promise<HttpSession> {
  const stop = new AbortController();
  const { promise: listening, resolve } = Promise.withResolvers<string>();
  const served = serveHttp({
    library: fakeLibrary(),
    language: "en",
    log: NO_LOG,
    version: "1.2.3",
    config: CONFIG,
    signal: stop.signal,
    onListening: resolve,
    ...options,
    address: { host: "127.0.0.1", port: 0, names: [], tokenHash: null, tls: null, ...options.address },
  });
  const url = await Promise.race([listening, served.then(() => "")]);
  const post: HttpSession["post"] = (body, headers = {}) =>
    fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  let id = 0;
  return {
    url,
    port: Number(new URL(url).port),
    post,
    async request(method, params = {}, signal) {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "Accept": "application/json, text/event-stream",
          "MCP-Protocol-Version": "2026-07-28",
          "Mcp-Method": method,
          ...(typeof params.name === "string" && { "Mcp-Name": params.name }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params: { ...params, _meta: META } }),
        ...(signal && { signal }),
      });
      return await answerOf(response);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await served;
    },
  };
}

/** The answer in a response: its JSON, or the last event of its stream. */
export async function answerOf(response: Response): Promise<Message> {
  const text = await response.text();
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return JSON.parse(text);
  const events = text.split("\n").filter((line) => line.startsWith("data: {"));
  return JSON.parse(events.at(-1)!.slice("data: ".length));
}

/** The text of a GET, with its status. */
export async function get(
  url: string,
  headers: Record<string, string> = {},
): Promise<[status: number, text: string]> {
  const response = await fetch(url, { headers });
  return [response.status, await response.text()];
}
