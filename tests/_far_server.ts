/** A server that is far away: its connections, through a proxy that lets every byte wait. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy in front of a server. */
export interface FarServer extends AsyncDisposable {
  /** The address of the server through the proxy. */
  readonly url: string;
  /** Milliseconds by which a round trip takes longer. It may be changed while nothing is under way. */
  ms: number;
  /** How often a client has sent something after an answer: the round trips of all connections. */
  trips: number;
}

/** Begins to listen in front of the server of an address such as `postgres://127.0.0.1:5432/db`. */
export async function farServer(address: string): Promise<FarServer> {
  const { hostname, port } = new URL(address);
  const sockets = new Set<Socket>(), timers = new Set<ReturnType<typeof setTimeout>>();
  const pass = (from: Socket, to: Socket, seen: () => void) => {
    sockets.add(from.setNoDelay());
    const later = (work: () => void) => {
      if (far.ms === 0) return work();
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, far.ms / 2);
      timers.add(timer);
    };
    from.on("data", (bytes) => {
      seen();
      later(() => to.write(bytes));
    });
    from.on("error", () => {});
    from.on("close", () => {
      sockets.delete(from);
      later(() => to.destroy());
    });
  };
  const listener = createServer((client) => {
    const server = connect(Number(port), hostname);
    let isAsking = false;
    pass(client, server, () => {
      if (!isAsking) far.trips++;
      isAsking = true;
    });
    pass(server, client, () => isAsking = false);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const url = new URL(address);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const far: FarServer = {
    url: url.href,
    ms: 0,
    trips: 0,
    async [Symbol.asyncDispose]() {
      listener.close();
      far.ms = 0;
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      await once(listener, "close");
    },
  };
  return far;
}
