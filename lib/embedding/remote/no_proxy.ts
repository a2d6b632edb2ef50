import { isLoopback } from "../../config/mod.ts";

/**
 * Keeps requests to this machine from a proxy that the environment names: the runtime would send them there too. Works until
 * the first request of the process, when the runtime reads these variables, and in the processes that it starts. Does nothing
 * without the permission to change them, although the runtime reads them all the same: then whatever starts the program has
 * to call this.
 */
export function keepFromProxy(baseUrl: string): void {
  const { hostname } = new URL(baseUrl);
  if (!isLoopback(hostname)) return;
  const host = hostname.replace(/^\[|\]$/g, "");
  try {
    for (const name of ["NO_PROXY", "no_proxy"]) {
      const hosts = Deno.env.get(name);
      if (hosts?.split(",").some((entry) => entry.trim() === host)) continue;
      Deno.env.set(name, hosts ? `${hosts},${host}` : host);
    }
  } catch (error) {
    // the runtime reads its proxies without asking, so this must have been done where the process was started
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
  }
}
