import type { Fetch } from "./guarded_fetch.ts";
import type { Server } from "./server.ts";

/** Names that are shown. */
const SHOWN = 12;

/** Names of the models that a server says it has, those that embed first; empty if it does not tell. */
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
