/** The program as web pages for people: to search, browse, ingest, trace and evaluate. */
import { reasonOf, traceOf, UserError } from "#foundation/errors.ts";
import { type HttpListener, listenHttp } from "#foundation/boundary/http_listener.ts";
import { AnswerWriter, HTTP_LIMITS } from "#server/http/exchange.ts";
import { Entry } from "./admission.ts";
import { Pages } from "./pages.ts";
import type { PagesParts } from "./parts.ts";
import { checkPages } from "./static.ts";
import type { PageName } from "./wire/common.ts";

export { Entry, type Guest, type PagesDoor } from "./admission.ts";
export { Pages, type PagesOptions } from "./pages.ts";
export { checkPages } from "./static.ts";
export type { PagesParts, PagesWork } from "./parts.ts";

/** Options of {@linkcode servePages}. */
export interface ServePagesOptions {
  readonly parts: PagesParts;
  /** The IP address of this machine to listen on, and the port, 0 for any free one. */
  readonly host: string;
  readonly port: number;
  /** The page that the address opens. Default: Search. */
  readonly page?: PageName;
  /** Called when the server listens, with a function that makes an address with a new code. */
  readonly onListening: (newAddress: () => string) => void;
}

/**
 * Serves the pages alone, for the user of this machine, until the signal of the parts aborts. Throws `UserError` where the port
 * cannot be used, and `pages_not_built`.
 */
export async function servePages({ parts, host, port, page, onListening }: ServePagesOptions): Promise<void> {
  const { log, signal } = parts;
  const entry = new Entry();
  const shown = host.includes(":") ? `[${host}]` : host;
  const writer = new AnswerWriter(HTTP_LIMITS, () => log.debug("pages.unread"));
  let places: readonly string[] = [];
  const pages = new Pages({
    door: { originsOf: (name) => places.includes(name) ? [`http://${name}`] : [], entry },
    partsOf: () => parts,
  });
  await checkPages();
  let listener: HttpListener;
  try {
    const { headers } = pages;
    listener = await listenHttp({ host, port, tls: null, isGuarded: true, headers, ...HTTP_LIMITS }, {
      onClosed: () => {},
      onRequest: async (request, reply) => {
        try {
          const answer = await pages.answer(request);
          if (answer !== undefined) {
            await writer.write(reply, request.signal, answer);
          }
        } catch (error) {
          log.error("pages_failed", { error: traceOf(error) });
          reply.close();
        }
      },
    });
  } catch (error) {
    const address = `${shown}:${port}`;
    const isTaken = error instanceof Error && "code" in error &&
      error.code === "EADDRINUSE";
    throw isTaken
      ? new UserError("http_port_taken", { address }, { cause: error })
      : new UserError("http_cannot_listen", { address, reason: reasonOf(error) }, { cause: error });
  }
  // Browsers leave out the port of the protocol.
  const end = listener.port === 80 ? "" : `:${listener.port}`;
  places = [`${shown}${end}`, `localhost${end}`];
  onListening(() => `http://${shown}${end}/${page ?? ""}#code=${entry.newCode()}`);
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve());
    if (signal.aborted) resolve();
  });
  listener.close();
}
