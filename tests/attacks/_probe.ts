import type { Attempts, Places } from "./_probe_worker.ts";

/** The permissions of a probe worker, and the paths on which it tries forbidden operations. */
export interface Probe {
  readonly permissions: Deno.PermissionOptionsObject;
  readonly places: Places;
}

/** Runs a worker with these permissions that tries everything. */
export async function attemptsWith(
  permissions: Deno.PermissionOptionsObject,
  places: Places,
): Promise<Attempts> {
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
