/** The secrets in a request, which no text may show. */
import { secretForms, secretValues } from "#foundation/configuration/mod.ts";
import type { Request } from "./request.ts";

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
