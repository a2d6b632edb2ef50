const IPV6 = /^\[[0-9a-f:]+\]$/;

// DNS: labels of up to 63, 253 in all. Underscores are in use.
const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/;

/** Names of this machine. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Whether a host, as URLs write it, is this machine: no proxy is between, and nothing leaves it. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.includes(hostname);
}

/**
 * Whether a URL's host, as `URL` gives it (lower case, punycode, IPv6 in brackets), is one that a permission can name. URLs
 * allow more: `a!b`, which no permission takes, and `*.example.com`, which would permit every host below.
 */
export function isHost(host: string): boolean {
  return IPV6.test(host) || NAME.test(host);
}
