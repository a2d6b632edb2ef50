import { equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";

const SWAP = fileURLToPath(new URL("_swap.ts", import.meta.url));

/** Exchanges two paths again and again in another process, until disposed. For Linux only. */
export async function swapping(one: string, other: string): Promise<AsyncDisposable> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-ffi", SWAP, one, other],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  equal(new TextDecoder().decode((await reader.read()).value), "begun\n");
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await reader.cancel();
      await child.status;
    },
  };
}
