import { isLoopback } from "../../config/mod.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The schemes of proxies that the runtime speaks to. */
const SCHEMES = /^(?:https?|socks\w*):$/;

/**
 * `host:port` of the proxy by which the runtime reaches a server, whatever the permissions say: it takes proxies from the
 * environment without asking. `undefined` where it goes straight to the server. The rules are those of Deno's `fetch`
 * (`ext/fetch/proxy.rs`), but for ranges of IPv6 in NO_PROXY, which count as not named: rather a proxy too many is told of.
 */
export function proxyFor(baseUrl: string, env: Environment): string | undefined {
  const { protocol, hostname } = new URL(baseUrl);
  if (isLoopback(hostname) || isExcepted(hostname, env["NO_PROXY"] ?? env["no_proxy"] ?? "")) {
    return undefined;
  }
  const own = protocol === "https:"
    ? ["HTTPS_PROXY", "https_proxy"]
    // where requests set variables, HTTP_PROXY may be a header's
    : env["REQUEST_METHOD"] === undefined
    ? ["HTTP_PROXY", "http_proxy"]
    : [];
  for (const name of ["ALL_PROXY", "all_proxy", ...own]) {
    const proxy = placeOf(env[name]?.trim());
    if (proxy !== undefined) return proxy;
  }
  return undefined;
}

/** `host:port` of a proxy, written with or without its scheme, user and password. */
function placeOf(address: string | undefined): string | undefined {
  if (!address) return undefined;
  const url = URL.parse(address.includes("://") ? address : `http://${address}`);
  if (url === null || !SCHEMES.test(url.protocol)) return undefined;
  const { hostname, port, protocol } = url;
  return `${hostname}:${port || (protocol === "http:" ? 80 : protocol === "https:" ? 443 : 1080)}`;
}

/** Whether a list names a host: itself, a domain that it is in, a range of addresses, or `*` for all. */
function isExcepted(hostname: string, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return list.split(",").map((entry) => entry.trim()).some((entry) => {
    if (entry === "") return false;
    if (entry === "*" || entry === host) return true;
    const address = ipv4(host);
    if (address !== undefined) return isInRange(address, entry);
    return host.endsWith(entry.startsWith(".") ? entry : `.${entry}`);
  });
}

/** `range`: `10.0.0.0/8`. */
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
