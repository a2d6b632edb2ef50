import type { ServeHttpOptions } from "./http/mod.ts";

export type { HttpAddress, ServeHttpOptions } from "./http/mod.ts";

/** Serves HTTP clients, see `http/serve_http.ts`, which a server on stdio need not load. */
export async function serveHttp(options: ServeHttpOptions): Promise<void> {
  return await (await import("./http/mod.ts")).serveHttp(options);
}
