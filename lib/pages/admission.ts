/**
 * Admission to the pages: one function for all requests.
 *
 * A web page can send requests to this machine, make its own name point at it (DNS rebinding), and use what the browser keeps for
 * an address. So the host must be this server's, with its port; the origin must be the same; the browser must say that the request
 * comes from the same origin; a call is a POST with a JSON body, which no form and no link can send; and it needs a token, which is in
 * no cookie (a cookie does not know ports), no address and no log.
 */
import { createHash, randomBytes } from "node:crypto";
import type { HttpRequest } from "#foundation/boundary/http_listener.ts";
import type { MessageKey } from "#foundation/messages/mod.ts";

/** The address that exchanges a code, or a token of the server, for a token of the pages. */
const OPEN_PATH = "/api/session/open";

/** Milliseconds for which a code may be exchanged. */
const CODE_MS = 60_000;
/** Bytes of a code, and of the token. */
const CODE_BYTES = 16;
const TOKEN_BYTES = 32;

/** The sender of a request: the user who opened an address of the program, or a client with a token of the server. */
export type Guest<Token> = "owner" | Token;

/** Where the pages are, and which tokens open them. */
export interface PagesDoor<Token = never> {
  /** The origins that the pages have under a name of the `Host` header; none if it names another server. */
  readonly originsOf: (host: string) => readonly string[];
  readonly entry: Entry<Token>;
  /** The client of a token of the server, beside that of the entry. */
  readonly guestOf?:
    | ((authorization: string | undefined) => Guest<Token> | undefined)
    | undefined;
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: 401 | 403 | 405 | 415;
  readonly key: MessageKey;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that may pass: for a file of the pages, for a token of the pages, or a call with the rights of its client. */
export type Admitted<Token> =
  | { readonly to: "file" }
  | { readonly to: "open"; readonly guest: Guest<Token> | undefined }
  | { readonly to: "call"; readonly guest: Guest<Token> };

type Sent = Pick<HttpRequest, "method" | "url" | "headers">;

/** Returns the rights of a request, or why it is refused. */
export function admit<Token>(
  { method, url, headers }: Sent,
  door: PagesDoor<Token>,
): Admitted<Token> | Refusal {
  const { host, origin, authorization } = headers;
  const own = host === undefined ? [] : door.originsOf(host);
  if (own.length === 0) return { status: 403, key: "pages_other_host" };
  if (origin !== undefined && !own.includes(origin)) return { status: 403, key: "pages_other_origin" };
  const path = pathOf(url);
  const site = headers["sec-fetch-site"];
  if (!path.startsWith("/api/")) {
    // The address was typed in, opened by another program, or loaded by our page. A link on another page is refused.
    if (site !== undefined && site !== "same-origin" && site !== "none") {
      return { status: 403, key: "pages_other_origin" };
    }
    if (method === "GET" || method === "HEAD") return { to: "file" };
    return { status: 405, key: "pages_wrong_method", headers: { "Allow": "GET, HEAD" } };
  }
  if (method !== "POST") {
    return { status: 405, key: "pages_wrong_method", headers: { "Allow": "POST" } };
  }
  // Every browser names the origin of a POST, and to an address that it trusts it says where the request comes from.
  if (origin === undefined || (site ?? (isTrusted(origin) ? "" : "same-origin")) !== "same-origin") {
    return { status: 403, key: "pages_other_origin" };
  }
  if (!/^application\/json *(?:; *charset=utf-8)?$/i.test(headers["content-type"] ?? "")) {
    return { status: 415, key: "pages_no_json" };
  }
  if (path === OPEN_PATH) return { to: "open", guest: door.guestOf?.(authorization) };
  const guest = door.entry.guestOf(authorization) ?? door.guestOf?.(authorization);
  if (guest !== undefined) return { to: "call", guest };
  return { status: 401, key: "pages_no_token", headers: { "WWW-Authenticate": `Bearer realm="muxue_rag"` } };
}

/** Whether browsers trust an origin: it is encrypted, or of this machine. */
function isTrusted(origin: string): boolean {
  return /^(?:https:|http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|$))/.test(origin);
}

/** The path of an address, without its query. */
export function pathOf(url: string): string {
  return url.replace(/\?.*$/s, "");
}

/**
 * The codes of opened addresses, and the tokens of the pages, which live as long as the process. The browser keeps one of these tokens
 * and never a token of the server, because it would send that to another program that listens on the port later.
 */
export class Entry<Token = never> {
  readonly #tokens = new Map<Guest<Token>, string>();
  /** The clients by the hashes of their tokens. */
  readonly #guests = new Map<string, Guest<Token>>();
  /** When each code ends, by its hash. */
  readonly #codes = new Map<string, number>();
  readonly #now: () => number;

  /** `now`: milliseconds that never go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A new code. It may be exchanged once, within a minute. */
  newCode(): string {
    const code = random(CODE_BYTES);
    this.#codes.set(hashOf(code), this.#now() + CODE_MS);
    return code;
  }

  /** The token for a code; `undefined` for one that is unknown, used or too old. */
  exchange(code: string): string | undefined {
    const hash = hashOf(code);
    const end = this.#codes.get(hash);
    this.#codes.delete(hash);
    for (const [other, ends] of this.#codes) {
      if (ends < this.#now()) this.#codes.delete(other);
    }
    return end !== undefined && this.#now() <= end ? this.tokenOf("owner") : undefined;
  }

  /** The token of a client, the same each time. */
  tokenOf(guest: Guest<Token>): string {
    const token = this.#tokens.get(guest) ?? random(TOKEN_BYTES);
    this.#tokens.set(guest, token);
    this.#guests.set(hashOf(token), guest);
    return token;
  }

  /** The clients with a token. */
  get guests(): Iterable<Guest<Token>> {
    return this.#tokens.keys();
  }

  /** Forgets a client. Its token of the pages is then unknown. */
  forget(guest: Guest<Token>): void {
    const token = this.#tokens.get(guest);
    if (token === undefined) return;
    this.#tokens.delete(guest);
    this.#guests.delete(hashOf(token));
  }

  /** Whose token a header has. */
  guestOf(authorization: string | undefined): Guest<Token> | undefined {
    const token = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
    // The time of looking up a hash says nothing about the token.
    return token === undefined ? undefined : this.#guests.get(hashOf(token));
  }
}

function random(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
