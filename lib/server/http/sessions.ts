import {
  isInitializeRequest,
  type McpServer,
  type ServerEventBus,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { type Notes, relayChanges, relayNotes } from "../connected_client.ts";
import { errorResponse, type HttpLimits, requestIdOf } from "./exchange.ts";

type SessionLimits = Pick<HttpLimits, "sessions" | "sessionMs" | "keepAliveMs">;

/** A client that has initialized. */
interface Session {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests and streams under way. */
  busy: number;
  /** Ids of the requests that are not answered yet. */
  readonly openIds: Set<string | number>;
  /** Whether the client has sent more than `initialize`. */
  isUsed: boolean;
  /** When the last request ended, in milliseconds of the monotonic clock. */
  usedAt: number;
}

/** The clients of the protocol revisions with sessions, up to 2025-11-25. */
export class Sessions {
  readonly #create: () => McpServer;
  readonly #changes: ServerEventBus;
  readonly #notes: Notes | undefined;
  readonly #limits: SessionLimits;
  readonly #onError: (error: Error) => void;
  readonly #sessions = new Map<string, Session>();

  /** `create` makes the server of a session, which tells its client about `changes` and sends it `notes`. */
  constructor(
    create: () => McpServer,
    { changes, notes }: { readonly changes: ServerEventBus; readonly notes?: Notes | undefined },
    limits: SessionLimits,
    onError: (error: Error) => void,
  ) {
    this.#create = create;
    this.#changes = changes;
    this.#notes = notes;
    this.#limits = limits;
    this.#onError = onError;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Answers an HTTP request. `body`: the parsed body of a POST. `id`: that of its request, for errors. */
  async handle(request: Request, body: unknown, id: string | number | null): Promise<Response> {
    const sessionId = request.headers.get("mcp-session-id");
    if (sessionId === null) {
      if (isInitializeRequest(body)) return await this.#begin(request, body);
      const text = "Bad Request: send initialize first, then the header Mcp-Session-Id of its answer";
      return errorResponse(400, -32000, text, id);
    }
    const session = this.#sessions.get(sessionId);
    if (session === undefined) {
      return errorResponse(404, -32001, "Session not found: send initialize to begin a new one", id);
    }
    session.isUsed = true;
    return await this.#serve(session, request, body);
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  async #begin(request: Request, body: unknown): Promise<Response> {
    const server = this.#create();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, session);
        this.#endIdle();
      },
      onsessionclosed: (id) => void this.#sessions.delete(id),
      keepAliveMs: this.#limits.keepAliveMs,
    });
    const session: Session = {
      ...{ server, transport, busy: 0, openIds: new Set<string | number>() },
      ...{ isUsed: false, usedAt: performance.now() },
    };
    server.server.onerror = this.#onError;
    await server.connect(transport);
    relayChanges(server, this.#changes, "legacy");
    if (this.#notes !== undefined) relayNotes(server, this.#notes);
    const response = await this.#serve(session, request, body);
    // A refused initialize begins no session.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  async #serve(session: Session, request: Request, parsedBody: unknown): Promise<Response> {
    const ids = requestIdsIn(parsedBody);
    // The SDK would send the answers to both requests on the stream of the later one.
    if (new Set(ids).size < ids.length || ids.some((id) => session.openIds.has(id))) {
      return errorResponse(
        400,
        -32600,
        "Invalid request: another request with the same id has no answer yet",
      );
    }
    for (const id of ids) session.openIds.add(id);
    session.busy++;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      session.busy--;
      for (const id of ids) session.openIds.delete(id);
      session.usedAt = performance.now();
      if (this.size > this.#limits.sessions) this.#endIdle();
    };
    try {
      const response = await session.transport.handleRequest(
        request,
        parsedBody === undefined ? {} : { parsedBody },
      );
      if (response.body === null) {
        end();
        return response;
      }
      const giveUp = () => {
        for (const requestId of ids) cancel(session.transport, requestId);
        end();
      };
      return new Response(whenOver(response.body, end, giveUp), response);
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Ends sessions that were not used for long, and further ones while there are too many. */
  #endIdle(): void {
    const idle = [...this.#sessions].filter(([, { busy }]) => busy === 0)
      .sort(([, a], [, b]) => Number(a.isUsed) - Number(b.isUsed) || a.usedAt - b.usedAt);
    const old = performance.now() - this.#limits.sessionMs;
    for (const [id, { usedAt }] of idle) {
      if (usedAt > old && this.size <= this.#limits.sessions) continue;
      void this.#end(id);
    }
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.server.close().catch(this.#onError);
  }
}

/** Stops a request whose client has gone. Its answer could not be fetched later: the server keeps none. */
function cancel(transport: WebStandardStreamableHTTPServerTransport, requestId: string | number): void {
  transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
}

function requestIdsIn(body: unknown): (string | number)[] {
  return (Array.isArray(body) ? body : [body]).map(requestIdOf).filter((id) => id !== null);
}

/** The stream, with a call when it ends or fails, and another when it is cancelled. */
function whenOver(
  stream: ReadableStream<Uint8Array>,
  end: () => void,
  giveUp: () => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    cancel(reason) {
      giveUp();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
