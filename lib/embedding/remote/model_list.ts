import type { Fetch } from "./guarded_fetch.ts";
import type { Server } from "./server.ts";

/** Most names in a message. */
const SHOWN = 12;

/** Returns the names of a server's models, likely embedding models first. Empty if the server does not list its models. */
export async function listModels(server: Server, send: Fetch, signal?: AbortSignal): Promise<string[]> {
  const url = new URL(server.baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/models`;
  const headers: HeadersInit = server.apiKey === undefined
    ? {}
    : { Authorization: `Bearer ${server.apiKey}` };
  try {
    const { data } = await (await send(url, { headers, ...(signal === undefined ? {} : { signal }) }))
      .json();
    const names: string[] = data.map(({ id }: { id: unknown }) => id).filter((id: unknown) =>
      typeof id === "string"
    );
    const embeds = names.filter((name) => /embed|bge|e5|gte|minilm/i.test(name));
    return [...embeds, ...names.filter((name) => !embeds.includes(name))].slice(0, SHOWN);
  } catch {
    signal?.throwIfAborted();
    return [];
  }
}
