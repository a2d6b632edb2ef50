/**
 * Starts the probe worker, which tries everything that an attacker would. As a program, it can be compiled, because the runtime
 * of executables differs: it takes a probe as JSON and prints the result of each attempt.
 */
import type { Attempts, Places } from "./_probe_worker.ts";

/** The permissions of a probe worker, and the paths on which it tries forbidden operations. */
export interface Probe {
  readonly permissions: Deno.PermissionOptionsObject;
  readonly places: Places;
}

/** Runs a worker with these permissions that tries everything. */
export async function attemptsWith({ permissions, places }: Probe): Promise<Attempts> {
  const worker = new Worker(new URL("_probe_worker.ts", import.meta.url), {
    type: "module",
    deno: { permissions },
  });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => data === "ready" ? worker.postMessage(places) : resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
    });
  } finally {
    worker.terminate();
  }
}

if (import.meta.main) {
  const attempts = await attemptsWith(JSON.parse(Deno.args[0]!));
  await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(attempts)));
  Deno.exit(0);
}
