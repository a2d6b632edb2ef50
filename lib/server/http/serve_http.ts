/**
 * MCP over streamable HTTP: which requests are admitted, and how they are answered.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { reasonOf, traceOf, UserError } from "#foundation/errors.ts";
import {
  clientAddress,
  type HttpListener,
  type HttpReply,
  type HttpRequest,
  isLoopbackAddress,
  listenHttp,
  TOO_LARGE,
} from "#foundation/boundary/http_listener.ts";
import type { Principal, TokenBook } from "#library/people/mod.ts";
import type { AccessLimit } from "#library/search/types.ts";
import type { ServerParts } from "../identity.ts";
import { CAPACITY } from "../tools/mod.ts";
import { idOfRefused, limitError, RequestGate } from "../guard_connection.ts";
import { shapeProblem, textProblem } from "../message_limits.ts";
import { Endpoint, Metrics } from "./endpoint.ts";
import { AnswerWriter, errorResponse, HTTP_LIMITS, type HttpLimits, type Rate } from "./exchange.ts";

/** The path of the protocol's endpoint. */
const ENDPOINT = "/mcp";

/** Milliseconds between two looks for ended tokens, whose sessions and streams end then. */
const LOOK_MS = 5000;

/** The parts of a server that differ for the clients with one token. */
export type LimitedParts = Pick<ServerParts, "library" | "changes" | "upkeep">;

/** Where a server listens, and who may send requests. */
export interface HttpAddress extends Omit<Admission, "isTls"> {
  /** 0 for any free port. */
  readonly port: number;
  /** Certificate and key in PEM; null for connections without encryption. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

/** Web pages beside the endpoint. */
export interface HttpPages {
  /** Headers that are added to every answer of the server that lacks them, because the pages have the origin of the server. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether a path is one of theirs. */
  has(path: string): Promise<boolean>;
  /** The answer to a request; `undefined` if the client has gone. They decide themselves who may ask. */
  answer(request: HttpRequest): Promise<Response | undefined>;
  /** Refuses clients whose tokens have ended from now on. */
  forgetEnded(isAdmitted: (token: LimitedToken) => boolean): void;
}

/** The part of the server that {@linkcode HttpPages} need. */
export interface HttpDoor {
  /** The origins of the server under a name in the `Host` header; none if it names another one. */
  readonly originsOf: (host: string) => readonly string[];
  /** Whose token a header has: one without limits, or a limited one. `undefined` without a token of the server. */
  readonly guestOf: (authorization: string | undefined) => "owner" | LimitedToken | undefined;
}

/** Options of {@linkcode serveHttp}. */
export interface ServeHttpOptions extends ServerParts {
  readonly address: HttpAddress;
  /** Stops the server when it aborts. */
  readonly signal: AbortSignal;
  /** Called with the address of the endpoint when the server listens. */
  readonly onListening: (url: string) => void;
  readonly limits?: Partial<HttpLimits>;
  /** Returns what the clients with a limited token get. They get no messages about the server. */
  readonly limitedParts?: (token: LimitedToken) => LimitedParts;
  /** The tokens of people, which come and go while the server runs. If there are any, every request needs a token. */
  readonly people?: TokenBook | undefined;
  /** Makes the web pages beside the endpoint. Absent without them. */
  readonly pages?: ((door: HttpDoor) => HttpPages) | undefined;
}

/**
 * Serves the tools over the library to HTTP clients until the signal aborts. All clients share the library. Supports the protocol
 * revisions 2025-03-26 to 2025-11-25 with sessions, and 2026-07-28 without, each request by itself. Requests in progress are
 * aborted at the end. Throws `UserError` where the address cannot be used.
 */
export async function serveHttp(options: ServeHttpOptions): Promise<void> {
  const limits = { ...HTTP_LIMITS, ...options.limits };
  await using server = new HttpServer(options, limits);
  options.onListening(await server.listen());
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  options.signal.addEventListener("abort", () => resolve());
  if (options.signal.aborted) resolve();
  await ended;
}

class HttpServer implements AsyncDisposable {
  readonly #options: ServeHttpOptions;
  readonly #limits: HttpLimits;
  /** By token; `undefined` for clients without limits. A session belongs to one token. */
  readonly #endpoints = new Map<LimitedToken | undefined, Endpoint>();
  readonly #gate = new RequestGate(CAPACITY, 0);
  readonly #metrics: Metrics;
  readonly #writer: AnswerWriter;
  readonly #rate = new RateLimiter();
  readonly #pages: HttpPages | undefined;
  #listener: HttpListener | undefined;
  #looking: ReturnType<typeof setInterval> | undefined;

  constructor(options: ServeHttpOptions, limits: HttpLimits) {
    this.#options = options;
    this.#limits = limits;
    this.#pages = options.pages?.({
      originsOf: (host) => originsOf(host, this.#admission),
      guestOf: (authorization) => guestOf(authorization, this.#admission),
    });
    this.#writer = new AnswerWriter(limits, () => this.#metrics.refused("unread"));
    this.#metrics = new Metrics({
      connections: () => this.#listener?.connections ?? 0,
      sessions: () => this.#sum(({ sessions }) => sessions.size),
      streams: () => this.#sum(({ streams }) => streams),
      waiting_requests: () => this.#gate.waiting,
      unread_bytes: () => this.#writer.unreadBytes,
      folders: () => options.library.roots.length,
    });
  }

  get #admission(): Admission {
    const { address, people } = this.#options;
    return { ...address, port: this.#listener?.port ?? address.port, isTls: address.tls !== null, people };
  }

  /** The endpoint of the clients with a token, made for the first of them. */
  #endpointOf(token: LimitedToken | undefined): Endpoint {
    const known = this.#endpoints.get(token);
    if (known !== undefined) return known;
    const options = this.#options;
    const parts = token === undefined ? options : {
      ...options,
      upkeep: undefined,
      ...options.limitedParts!(token),
      notes: undefined,
    };
    const endpoint = new Endpoint(parts, this.#limits, this.#metrics, this.#gate);
    this.#endpoints.set(token, endpoint);
    return endpoint;
  }

  /** Looks for changed tokens. The sessions, streams and requests of ended ones are ended. */
  async #look(): Promise<void> {
    const { people } = this.#options;
    if (people === undefined) return;
    await people.look();
    const { tokenHash } = this.#options.address;
    const isAdmitted = (token: LimitedToken) => token.principal === undefined || people.has(token);
    // A token may have been used for the pages only.
    this.#pages?.forgetEnded(isAdmitted);
    for (const [token, endpoint] of this.#endpoints) {
      // Requests without a token are refused from the first token of a person on.
      const isOpen = token === undefined ? tokenHash !== null || !people.isGuarding : isAdmitted(token);
      if (isOpen) continue;
      this.#endpoints.delete(token);
      void endpoint.close();
    }
  }

  #sum(numberOf: (endpoint: Endpoint) => number): number {
    return this.#endpoints.values().reduce((sum, endpoint) => sum + numberOf(endpoint), 0);
  }

  /** Begins to listen. Returns the address of the endpoint. */
  async listen(): Promise<string> {
    const { tls, host, port, tokenHash, limitedTokens = [] } = this.#options.address;
    await this.#look();
    const isGuarded = tokenHash !== null || limitedTokens.length > 0 ||
      (this.#options.people?.isGuarding ?? false);
    const shown = host.includes(":") ? `[${host}]` : host;
    try {
      const headers = this.#pages?.headers;
      this.#listener = await listenHttp({ host, port, tls, isGuarded, headers, ...this.#limits }, {
        onRequest: (request, reply) => this.#answer(request, reply),
        onClosed: (reason) => this.#metrics.refused(reason),
      });
    } catch (error) {
      const address = `${shown}:${port}`;
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      throw isTaken
        ? new UserError("http_port_taken", { address }, { cause: error })
        : new UserError("http_cannot_listen", { address, reason: reasonOf(error) }, { cause: error });
    }
    if (this.#options.people !== undefined) this.#looking = setInterval(() => void this.#look(), LOOK_MS);
    return `${tls === null ? "http" : "https"}://${shown}:${this.#listener.port}${ENDPOINT}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#looking);
    this.#listener?.close();
    await Promise.all(this.#endpoints.values().map((endpoint) => endpoint.close()));
  }

  async #answer(request: HttpRequest, reply: HttpReply): Promise<void> {
    try {
      const answer = await this.#answerTo(request);
      if (answer === undefined) return;
      this.#metrics.responded(answer.status);
      answer.headers.set("X-Content-Type-Options", "nosniff");
      for (const [name, value] of Object.entries(this.#pages?.headers ?? {})) {
        if (!answer.headers.has(name)) answer.headers.set(name, value);
      }
      // The connection is that of HTTP, and says itself how it goes on.
      answer.headers.delete("Connection");
      await this.#writer.write(reply, request.signal, answer);
    } catch (error) {
      this.#options.log.error("http_failed", { error: traceOf(error) });
      reply.close();
    }
  }

  /** The answer to a request; `undefined` if the client has gone. */
  async #answerTo(request: HttpRequest): Promise<Response | undefined> {
    const { method, url, remoteAddress, connection } = request;
    await this.#look();
    const refusal = refusalOf(request, this.#admission);
    const isLocal = isLoopbackAddress(remoteAddress);
    const { local, remote } = this.#limits.rate;
    const share = refusal === undefined ? "admitted" : "stranger";
    const sender = isLocal ? connection : `${clientAddress(remoteAddress)} ${share}`;
    if (!this.#rate.allows(sender, isLocal ? local : remote)) {
      this.#metrics.refused("rate");
      return errorResponse(429, -32000, "Too many requests. Try again later", null, { "Retry-After": "1" });
    }
    const path = url.replace(/\?.*$/s, "");
    if (path === "/healthz") return plain("ok\n");
    if (this.#pages !== undefined && path !== ENDPOINT && await this.#pages.has(path)) {
      return await this.#pages.answer(request);
    }
    if (refusal !== undefined) {
      this.#metrics.refused(refusal.status === 401 ? "token" : "host");
      return errorResponse(refusal.status, -32000, refusal.message, null, refusal.headers);
    }
    request.admit();
    const token = limitedTokenOf(request.headers.authorization, this.#admission);
    // The metrics count the folders and requests of all clients.
    if (path === "/metrics" && token?.principal === undefined) {
      return plain(this.#metrics.text(), "text/plain; version=0.0.4; charset=utf-8");
    }
    if (path !== ENDPOINT) return errorResponse(404, -32000, `Not found. The endpoint is ${ENDPOINT}`);
    if (method !== "POST" && method !== "GET" && method !== "DELETE") {
      return errorResponse(405, -32000, "Method not allowed", null, { "Allow": "GET, POST, DELETE" });
    }
    const body = method === "POST" ? await this.#bodyOf(request) : undefined;
    if (body instanceof Response) return body;
    if (body === GONE) return undefined;
    // The token may have ended, or have got other rights, while the body came.
    const late = refusalOf(request, this.#admission);
    if (late !== undefined) return errorResponse(late.status, -32000, late.message, null, late.headers);
    const present = limitedTokenOf(request.headers.authorization, this.#admission);
    if (present?.principal !== undefined) void this.#options.people?.noteUse(present);
    return await this.#endpointOf(present).handle(toFetchRequest(request), body);
  }

  /** The parsed body of a POST, or the response that refuses it. */
  async #bodyOf(request: HttpRequest): Promise<unknown> {
    if (!/^application\/json *(?:;|$)/i.test(request.headers["content-type"] ?? "")) {
      return errorResponse(415, -32000, "Unsupported media type: send Content-Type: application/json");
    }
    let bytes;
    try {
      bytes = await request.body(this.#limits.bodyBytes);
    } catch {
      return GONE;
    }
    if (bytes === TOO_LARGE) {
      this.#metrics.refused("body");
      return errorResponse(413, -32000, `The body is longer than ${this.#limits.bodyBytes} bytes`);
    }
    let body: unknown;
    let problem: string | undefined;
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      problem = shapeProblem(text);
      body = JSON.parse(text);
    } catch {
      return errorResponse(400, -32700, "Parse error: the body must hold one JSON value in UTF-8");
    }
    for (const each of Array.isArray(body) ? body : [body]) problem ??= textProblem(each);
    if (problem === undefined) return body;
    this.#metrics.refused("body");
    const { code, message } = limitError(problem);
    return errorResponse(400, code, message, idOfRefused(body));
  }
}

/** The client has gone before its request was complete. */
const GONE = Symbol("gone");

function plain(text: string, type = "text/plain; charset=utf-8"): Response {
  return new Response(text, { headers: { "Content-Type": type, "Cache-Control": "no-store" } });
}

/** The request for the SDK, without its body. */
function toFetchRequest({ method, headers, signal }: HttpRequest): Request {
  const all = new Headers(headers as Record<string, string>);
  const accept = all.get("accept");
  // curl and others accept everything. The SDK wants both types named.
  if (accept === null || accept.includes("*/*")) all.set("accept", "application/json, text/event-stream");
  return new Request(`http://localhost${ENDPOINT}`, { method, headers: all, signal });
}

/** Names of this machine that no server elsewhere can take. */
const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Conditions that a request must meet. */
export interface Admission {
  /** The IP address that the server listens on. */
  readonly host: string;
  /** The port that the server listens on, and whether with TLS. */
  readonly port: number;
  readonly isTls: boolean;
  /** Further names that clients call the server by, such as that of a proxy, each perhaps with a port. */
  readonly names: readonly string[];
  /** SHA-256 of the token that requests need; null without one. */
  readonly tokenHash: Uint8Array | null;
  /** Further tokens, one of which is enough. If there are any and no other, every request needs one of them. */
  readonly limitedTokens?: readonly LimitedToken[] | undefined;
  /** The tokens of people, each of which is enough as well. */
  readonly people?: Pick<TokenBook, "isGuarding" | "find"> | undefined;
}

/** A token, by its SHA-256, whose clients may know of some documents only. */
export interface LimitedToken {
  readonly hash: Uint8Array;
  readonly access?: AccessLimit | undefined;
  /** The person or program of the token, whose collections alone may be known of. Absent for a token of the configuration. */
  readonly principal?: Principal | undefined;
}

interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Why a request is refused because of its headers; `undefined` if it is not.
 *
 * A web page can send requests to a name that it made point at this machine (DNS rebinding), and its `Host` and `Origin` are then
 * that name. So both must be names that belong to the server, with its port: a page of another port of this machine is another
 * program's. An IP address cannot be rebound: a server that listens on more than
 * loopback accepts all of them, since it does not know by which it is reached.
 */
export function refusalOf(
  { headers }: Pick<HttpRequest, "headers">,
  admission: Admission,
): Refusal | undefined {
  const { host, origin, authorization } = headers;
  const scheme = admission.isTls ? "https" : "http";
  const own = host === undefined ? undefined : placeIn(`${scheme}://${host}`);
  if (own === undefined || !isOurs(own, admission)) {
    return {
      status: 403,
      message: `Forbidden: the Host header names another server. Allowed: ${allowed(admission)}`,
    };
  }
  if (origin !== undefined) {
    const from = placeIn(origin);
    if (from === undefined || !isOurs(from, admission)) {
      return { status: 403, message: "Forbidden: the Origin header names a web page of another server" };
    }
  }
  return tokenRefusal(authorization, admission);
}

/** See {@linkcode HttpDoor}. A proxy passes on its own name, and may speak HTTPS where this server speaks HTTP. */
function originsOf(host: string, admission: Admission): string[] {
  const scheme = admission.isTls ? "https" : "http";
  const place = placeIn(`${scheme}://${host}`);
  if (place === undefined || !isOurs(place, admission)) return [];
  const isProxy = !admission.isTls && isNamed(place, admission);
  return [`${scheme}://${host}`, ...isProxy ? [`https://${host}`] : []];
}

function guestOf(
  authorization: string | undefined,
  admission: Admission,
): "owner" | LimitedToken | undefined {
  const limited = limitedTokenOf(authorization, admission);
  if (limited !== undefined) return limited;
  const hash = hashIn(authorization);
  const { tokenHash } = admission;
  return hash !== undefined && tokenHash !== null && timingSafeEqual(hash, tokenHash) ? "owner" : undefined;
}

function tokenRefusal(authorization: string | undefined, admission: Admission): Refusal | undefined {
  const { tokenHash, limitedTokens = [], people } = admission;
  if (tokenHash === null && limitedTokens.length === 0 && !people?.isGuarding) return undefined;
  const hash = hashIn(authorization);
  const isFull = hash !== undefined && tokenHash !== null && timingSafeEqual(hash, tokenHash);
  if (isFull || limitedTokenOf(authorization, admission) !== undefined) return undefined;
  const [detail, message] = hash === undefined
    ? ["", "Unauthorized: send the header Authorization: Bearer TOKEN, with the token of this server"]
    : [', error="invalid_token"', "Unauthorized: the token that was sent is not the token of this server"];
  return { status: 401, message, headers: { "WWW-Authenticate": `Bearer realm="muxue_rag"${detail}` } };
}

/** Returns the limited token of a request. If a token is listed both without and with limits, the limits apply. */
function limitedTokenOf(
  authorization: string | undefined,
  { limitedTokens = [], people }: Pick<Admission, "limitedTokens" | "people">,
): LimitedToken | undefined {
  const sent = limitedTokens.length === 0 && people === undefined ? undefined : hashIn(authorization);
  if (sent === undefined) return undefined;
  return limitedTokens.find(({ hash }) => timingSafeEqual(sent, hash)) ?? people?.find(sent);
}

/** SHA-256 of the token in a header. Hashes have the same length, so that the comparison says nothing about the token's. */
function hashIn(authorization: string | undefined): Uint8Array | undefined {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  return token === undefined ? undefined : createHash("sha256").update(token).digest();
}

interface Place {
  readonly name: string;
  readonly port: number;
  readonly isDefaultPort: boolean;
}

/** Returns the place in an address; `undefined` for any other text. */
function placeIn(address: string): Place | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port, username, password, pathname } = new URL(address);
  if (!/^https?:$/.test(protocol) || username !== "" || password !== "" || pathname !== "/") return undefined;
  return {
    name: hostname.replace(/\.$/, "").toLowerCase(),
    port: port !== "" ? Number(port) : protocol === "https:" ? 443 : 80,
    isDefaultPort: port === "",
  };
}

/** Whether a place is one of the further names. Without a port, a name stands for the default port of the protocol and that of the server. */
function isNamed({ name, port: named, isDefaultPort }: Place, { port, names }: Admission): boolean {
  return names.some((own) => {
    const lower = own.toLowerCase();
    return lower === name ? isDefaultPort || named === port : lower === `${name}:${named}`;
  });
}

function isOurs(place: Place, admission: Admission): boolean {
  const { name } = place;
  const { host, port } = admission;
  if (isNamed(place, admission)) return true;
  if (place.port !== port) return false;
  if (LOOPBACK_NAMES.includes(name)) return true;
  if (isLoopbackAddress(host)) return name === host;
  // The parser of addresses writes every form of an IPv4 address as four numbers.
  return /^(?:\d+(?:\.\d+){3}|\[.*\])$/.test(name);
}

function allowed({ host, port, names }: Admission): string {
  const own = [...LOOPBACK_NAMES, ...(isLoopbackAddress(host) ? [] : ["IP addresses"])];
  return [...own.map((name) => `${name}:${port}`), ...names].join(", ");
}

/** Keys that are remembered. The one used longest ago is forgotten first. */
const MAX_KEYS = 10_000;

/** Tokens that a key has left, and when they were counted. */
interface Bucket {
  tokens: number;
  at: number;
}

/** Counts requests by a key, such as an address, and says when one has sent too many. */
export class RateLimiter {
  readonly #buckets = new Map<unknown, Bucket>();
  readonly #now: () => number;

  /** `now`: milliseconds that never go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether the key may send a request now. */
  allows(key: unknown, { perSecond, burst }: Rate): boolean {
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now };
    this.#buckets.delete(key);
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.at) * perSecond / 1000);
    bucket.at = now;
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MAX_KEYS) this.#buckets.delete(this.#buckets.keys().next().value);
    if (bucket.tokens < 1) return false;
    bucket.tokens--;
    return true;
  }
}
