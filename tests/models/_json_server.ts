import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { SELF_SIGNED } from "./embedding/_self_signed.ts";

/** Another answer than the correct one; an object is sent as JSON. */
export interface OtherAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** A request with its body. */
export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A server for JSON on 127.0.0.1, over HTTP or with a certificate that nobody knows. */
export abstract class JsonServer implements AsyncDisposable {
  #port = 0;
  readonly #protocol: string;
  readonly #server: ReturnType<typeof createHttpServer>;
  readonly #sockets = new Set<Socket>();

  protected constructor(tls = false) {
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      let text = "";
      for await (const part of request) text += part;
      const { method = "", url: path = "" } = request;
      await this.answer({ method, path, headers: request.headers as Record<string, string>, text }, response);
    };
    this.#protocol = tls ? "https" : "http";
    this.#server = tls ? createHttpsServer(SELF_SIGNED, answer) : createHttpServer(answer);
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
    });
    this.#server.on("tlsClientError", () => {});
  }

  protected abstract answer(request: Asked, response: ServerResponse): void | Promise<void>;

  protected async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  /** The port, also after the server has stopped. */
  get port(): number {
    return this.#port;
  }

  get origin(): string {
    return `${this.#protocol}://127.0.0.1:${this.#port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.stop();
  }
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body ?? {}));
}
