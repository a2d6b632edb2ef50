/** The proxy of the environment: whether a server is reached by it, and keeping servers on this machine from it. */
import { isLoopbackHost } from "#foundation/configuration/mod.ts";
import { environment, isNotPermitted } from "#foundation/runtime.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Schemes of the proxies that the runtime supports. */
const SCHEMES = /^(?:https?|socks\w*):$/;

/**
 * Returns `host:port` of the proxy through which the runtime reaches a server, or `undefined` if it connects directly. The
 * runtime reads proxies from the environment whatever the permissions are. The rules are those of Deno's `fetch`
 * (`ext/fetch/proxy.rs`). IPv6 ranges in NO_PROXY are ignored here, so that a proxy may be reported that is not used, but
 * never the other way round.
 */
export function proxyFor(baseUrl: string, env: Environment): string | undefined {
  const { protocol, hostname } = new URL(baseUrl);
  if (isLoopbackHost(hostname) || isExcepted(hostname, env["NO_PROXY"] ?? env["no_proxy"] ?? "")) {
    return undefined;
  }
  const own = protocol === "https:"
    ? ["HTTPS_PROXY", "https_proxy"]
    // In a CGI process, HTTP_PROXY may come from the header `Proxy` of a request.
    : env["REQUEST_METHOD"] === undefined
    ? ["HTTP_PROXY", "http_proxy"]
    : [];
  for (const name of ["ALL_PROXY", "all_proxy", ...own]) {
    const proxy = hostAndPort(env[name]?.trim());
    if (proxy !== undefined) return proxy;
  }
  return undefined;
}

/** Returns `host:port` of a proxy that is written with or without scheme, user and password. */
function hostAndPort(address: string | undefined): string | undefined {
  if (!address) return undefined;
  const url = URL.parse(address.includes("://") ? address : `http://${address}`);
  if (url === null || !SCHEMES.test(url.protocol)) return undefined;
  const { hostname, port, protocol } = url;
  return `${hostname}:${port || (protocol === "http:" ? 80 : protocol === "https:" ? 443 : 1080)}`;
}

/** Whether a list names the host, a domain or an IPv4 range that contains it, or `*` for all hosts. */
function isExcepted(hostname: string, list: string): boolean {
  const host = withoutBrackets(hostname);
  return list.split(",").map((entry) => entry.trim()).some((entry) => {
    if (entry === "") return false;
    if (entry === "*" || entry === host) return true;
    const address = ipv4(host);
    if (address !== undefined) return isInRange(address, entry);
    return host.endsWith(entry.startsWith(".") ? entry : `.${entry}`);
  });
}

/** Whether an IPv4 address is in a range such as `10.0.0.0/8`. */
function isInRange(address: number, range: string): boolean {
  const [start = "", bits] = range.split("/");
  const from = ipv4(start);
  if (from === undefined || bits === undefined || !/^(?:[12]?\d|3[0-2])$/.test(bits)) return false;
  const size = 2 ** (32 - Number(bits));
  return Math.floor(address / size) === Math.floor(from / size);
}

function ipv4(text: string): number | undefined {
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(text)) return undefined;
  return text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

/**
 * Adds the host of a server on this machine to `NO_PROXY`, because the runtime would send requests to it through the proxy
 * of the environment. Works until the first request of the process, when the runtime reads these variables, and in processes
 * started afterwards. Does nothing without the permission to set variables; the process that starts this one must then call
 * it.
 */
export function keepFromProxy(baseUrl: string): void {
  const { hostname } = new URL(baseUrl);
  if (!isLoopbackHost(hostname)) return;
  const host = withoutBrackets(hostname);
  try {
    for (const name of ["NO_PROXY", "no_proxy"]) {
      const hosts = environment.get(name);
      if (hosts?.split(",").some((entry) => entry.trim() === host)) continue;
      environment.set(name, hosts ? `${hosts},${host}` : host);
    }
  } catch (error) {
    if (!isNotPermitted(error)) throw error;
  }
}

/** Returns the host of a URL without the brackets around an IPv6 address. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}
