/** A way to a server that tests can cut. */

/** A port that leads to a server as long as it is open. */
export class Way implements AsyncDisposable {
  #listener: Deno.TcpListener | undefined;
  readonly #open = new Set<Deno.TcpConn>();
  readonly port: number;
  /** Connections since the start. */
  connections = 0;

  constructor(readonly target: number) {
    this.#listen(0);
    this.port = this.#listener!.addr.port;
  }

  /** Ends all connections, and refuses others until it is opened. */
  cut(): void {
    this.#listener?.close();
    this.#listener = undefined;
    for (const connection of this.#open) {
      try {
        connection.close();
      } catch {
        // it has ended
      }
    }
    this.#open.clear();
  }

  open(): void {
    this.#listen(this.port);
  }

  #listen(port: number): void {
    const listener = this.#listener = Deno.listen({ hostname: "127.0.0.1", port });
    void (async () => {
      for await (const one of listener) {
        this.connections++;
        const other = await Deno.connect({ hostname: "127.0.0.1", port: this.target });
        for (const connection of [one, other]) this.#open.add(connection);
        one.readable.pipeTo(other.writable).catch(() => {});
        other.readable.pipeTo(one.writable).catch(() => {});
      }
    })().catch(() => {});
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    return Promise.resolve();
  }
}
