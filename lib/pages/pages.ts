/** The pages as one handler of requests: who may ask, the files of the bundle, the calls. */
import { type HttpRequest, TOO_LARGE } from "#foundation/boundary/http_listener.ts";
import { message, type MessageKey } from "#foundation/messages/mod.ts";
import type { Hono } from "hono/tiny";
import { admit, type Guest, type PagesDoor, pathOf } from "./admission.ts";
import { languageIn } from "./answers.ts";
import type { PagesParts } from "./parts.ts";
import { Bundle, SECURITY_HEADERS } from "./static.ts";

/** Bytes of the body of a call, unless the route is in {@linkcode LARGE_BODIES}. */
const BODY_BYTES = 1024 * 1024;
/** Calls that bring files, which clients with limits may not do. */
const LARGE_BODIES: Readonly<Record<string, number>> = {
  "/api/ingestion/upload": 64 * 1024 * 1024,
  "/api/evaluation/run": 16 * 1024 * 1024,
};

/** Options of {@linkcode Pages}. */
export interface PagesOptions<Token> {
  readonly door: PagesDoor<Token>;
  /** The parts of a client. They are asked for once per client. */
  readonly partsOf: (guest: Guest<Token>) => PagesParts;
}

/** Answers the requests for the pages. */
export class Pages<Token = never> {
  /** The headers that every answer of a server with pages has. */
  readonly headers: Readonly<Record<string, string>> = SECURITY_HEADERS;
  readonly #options: PagesOptions<Token>;
  readonly #bundle = new Bundle();
  readonly #apps = new Map<Guest<Token>, Promise<Hono>>();

  constructor(options: PagesOptions<Token>) {
    this.#options = options;
  }

  /** Refuses the clients from now on whose tokens have ended. */
  forgetEnded(isAdmitted: (token: Token) => boolean): void {
    const { entry } = this.#options.door;
    for (const guest of new Set([...entry.guests, ...this.#apps.keys()])) {
      if (guest === "owner" || isAdmitted(guest as Token)) continue;
      entry.forget(guest);
      this.#apps.delete(guest);
    }
  }

  /** Whether an address is one of the pages, beside those of the protocol. */
  async has(url: string): Promise<boolean> {
    const path = pathOf(url);
    return path.startsWith("/api/") || await this.#bundle.has(path);
  }

  /** The answer to a request; `undefined` if the client has gone. */
  async answer(request: HttpRequest): Promise<Response | undefined> {
    const answer = await this.#answerTo(request);
    if (answer === undefined) return undefined;
    for (const [name, value] of Object.entries(this.headers)) {
      answer.headers.set(name, value);
    }
    if (request.method !== "HEAD") return answer;
    return new Response(null, { status: answer.status, headers: answer.headers });
  }

  async #answerTo(request: HttpRequest): Promise<Response | undefined> {
    const { url, headers } = request;
    const path = pathOf(url);
    const admitted = admit(request, this.#options.door);
    if ("status" in admitted) {
      return refusal(request, admitted.status, admitted.key, admitted.headers);
    }
    if (admitted.to === "file") {
      request.admit();
      return await this.#bundle.answer(path, headers["accept-encoding"]) ??
        refusal(request, 404, "pages_no_call");
    }
    if (admitted.to === "call") request.admit();
    const mayBring = admitted.to === "call" && admitted.guest === "owner";
    let body;
    try {
      body = await request.body(mayBring ? LARGE_BODIES[path] ?? BODY_BYTES : BODY_BYTES);
    } catch {
      return undefined;
    }
    if (body === TOO_LARGE) return refusal(request, 413, "pages_too_large");
    // The token may have ended, or have got other rights, while the body came.
    const late = admit(request, this.#options.door);
    if ("status" in late) return refusal(request, late.status, late.key, late.headers);
    if (late.to !== "call") return this.#open(request, body, "guest" in late ? late.guest : undefined);
    const app = await this.#appOf(late.guest);
    return await app.fetch(
      new Request(`http://localhost${path}`, {
        method: "POST",
        headers: headers as Record<string, string>,
        body: Uint8Array.from(body),
        signal: request.signal,
      }),
    );
  }

  /** `guest`: the client of a token of the server, which needs no code. */
  #open(request: HttpRequest, body: Uint8Array, guest: Guest<Token> | undefined): Response {
    const { entry } = this.#options.door;
    const code = codeIn(body);
    const token = guest !== undefined
      ? entry.tokenOf(guest)
      : code === undefined
      ? undefined
      : entry.exchange(code);
    if (token === undefined) {
      const isTyped = code === undefined && request.headers.authorization !== undefined;
      return refusal(request, 401, isTyped ? "pages_wrong_token" : "pages_code_used");
    }
    request.admit();
    return Response.json({ token });
  }

  /** The calls of a client, loaded with the first. */
  #appOf(guest: Guest<Token>): Promise<Hono> {
    const app = this.#apps.get(guest) ??
      import("./app.ts").then(({ pagesApp }) => pagesApp(this.#options.partsOf(guest)));
    this.#apps.set(guest, app);
    app.catch(() => this.#apps.delete(guest));
    return app;
  }
}

function codeIn(body: Uint8Array): string | undefined {
  try {
    const { code } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return typeof code === "string" ? code : undefined;
  } catch {
    return undefined;
  }
}

/** The answer that refuses a request, in the language of the browser. */
function refusal(
  { headers, url }: HttpRequest,
  status: number,
  key: MessageKey,
  more: Readonly<Record<string, string>> = {},
): Response {
  const text = message(languageIn(headers["accept-language"]), key);
  if (url.startsWith("/api/")) {
    return Response.json({ error: { key, message: text } }, { status, headers: { ...more } });
  }
  return new Response(`${text}\n`, {
    status,
    headers: { ...more, "Content-Type": "text/plain; charset=utf-8" },
  });
}
