import { sep } from "node:path";
import type { ResourceLink } from "@modelcontextprotocol/server";
import { estimatedTokens } from "../../answer/mod.ts";
import type { Hit, ServedCollection } from "../../search/mod.ts";
import { resourceUri } from "./uri.ts";

/** Share of an answer's limit that the links may take, where they count. */
const SHARE = 0.1;

/** A link to the resource of each file of the hits, the best first. */
export function resourceLinks(
  hits: readonly Hit[],
  collections: readonly ServedCollection[],
): ResourceLink[] {
  const innerFirst = collections.toSorted((a, b) => b.root.length - a.root.length);
  return [...new Set(hits.map(({ filePath }) => filePath))].flatMap((path) => {
    const folder = innerFirst.find(({ root }) => path.startsWith(root.endsWith(sep) ? root : root + sep));
    if (folder === undefined) return [];
    const name = path.slice(folder.root.length).replaceAll(sep, "/").replace(/^\//, "");
    return [{ type: "resource_link" as const, uri: resourceUri(folder.name, name), name }];
  });
}

/** The first of the links that take at most a tenth of `maxTokens`, and their estimated tokens. */
export function linksWithin(
  links: readonly ResourceLink[],
  maxTokens: number,
): { readonly links: readonly ResourceLink[]; readonly tokens: number } {
  let tokens = 0;
  for (const [i, link] of links.entries()) {
    const cost = estimatedTokens(JSON.stringify(link));
    if (tokens + cost > SHARE * maxTokens) return { links: links.slice(0, i), tokens };
    tokens += cost;
  }
  return { links, tokens };
}
