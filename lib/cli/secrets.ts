import { type Config, secretForms, secretValues } from "../config/mod.ts";
import { hostOf } from "./places.ts";
import type { Request } from "./request.ts";

/** The parts of a request that hold secrets. */
type WithSecrets = Pick<Request, "config" | "compared" | "indexKey" | "http">;

/** The secrets of all configurations in effect and the key of the indexes, in every form in which texts may hold them. */
export function secretsOf({ config, compared, indexKey, http }: WithSecrets): string[] {
  const configured = [config, ...Object.values(compared)].flatMap(secretValues);
  const token = http?.newToken === undefined ? [] : [http.newToken];
  return [...configured.flatMap(secretForms), ...keyForms(indexKey), ...token];
}

/** Bytes as programs write them: in hexadecimal, in base64, and as numbers. */
function keyForms(key: Uint8Array): string[] {
  const hex = key.toHex();
  return [hex, hex.replace(/..(?!$)/g, "$& "), key.toBase64(), key.join(","), key.join(", ")];
}

/** The text with `****` for each secret of at least 4 characters. Shorter secrets would hit too many other words. */
export function withoutSecrets(text: string, request: WithSecrets): string {
  const secrets = secretsOf(request).filter(({ length }) => length >= 4);
  // One secret may contain another.
  secrets.sort((a, b) => b.length - a.length);
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, "****"), text);
}

/** The request without the keys of servers that a worker with these permissions may not connect to. */
export function withoutUnusedKeys(request: Request, { net }: Deno.PermissionOptionsObject): Request {
  const keyOf = (section: Config["embedding"] | Config["rerank"]) => {
    const host = hostOf(section);
    return host !== undefined && Array.isArray(net) && net.includes(host) ? section.api_key : null;
  };
  const strip = (config: Config): Config => ({
    ...config,
    embedding: { ...config.embedding, api_key: keyOf(config.embedding) },
    rerank: { ...config.rerank, api_key: keyOf(config.rerank) },
  });
  const compared = Object.entries(request.compared).map(([name, config]) => [name, strip(config)]);
  return { ...request, config: strip(request.config), compared: Object.fromEntries(compared) };
}
