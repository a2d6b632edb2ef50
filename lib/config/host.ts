const IPV6 = /^\[[0-9a-f:]+\]$/;

// DNS allows 63 characters in a label and 253 in all. Some names have underscores.
const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/;

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Whether the host of a URL is this machine. Requests to it use no proxy and do not leave the machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.includes(hostname);
}

/**
 * Whether a permission can name a host as `URL` gives it (lower case, punycode, IPv6 in brackets). URLs allow more: `a!b`,
 * which is not valid in a permission, and `*.example.com`, which would allow every subdomain.
 */
export function isHost(host: string): boolean {
  return IPV6.test(host) || NAME.test(host);
}
