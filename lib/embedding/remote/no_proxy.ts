/** Names of this machine. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Keeps requests to this machine from a proxy that the environment names: the runtime would send them there too. Works until
 * the first request of the process, when the runtime reads these variables.
 */
export function keepFromProxy(baseUrl: string): void {
  const { hostname } = new URL(baseUrl);
  if (!LOOPBACK.includes(hostname)) return;
  const host = hostname.replace(/^\[|\]$/g, "");
  try {
    for (const name of ["NO_PROXY", "no_proxy"]) {
      const hosts = Deno.env.get(name);
      if (hosts?.split(",").some((entry) => entry.trim() === host)) continue;
      Deno.env.set(name, hosts ? `${hosts},${host}` : host);
    }
  } catch (error) {
    // a program that may not touch the environment has no proxy from it either
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
  }
}
