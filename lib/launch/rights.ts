import process from "node:process";

/** A kind of permission. The runtime knows `import`, its types do not. */
export type Right = Deno.PermissionName | "import";

/** Every kind of permission. */
export const RIGHTS: readonly Right[] = ["read", "write", "net", "env", "run", "ffi", "sys", "import"];

/** Gives up the permissions of this thread for good, but for these kinds. Threads that already run keep theirs. */
export function giveUpAllBut(kept: readonly Right[]): void {
  // Libraries read the environment at any time. An empty one keeps them from failing.
  if (!kept.includes("env")) process.env = {};
  for (const name of RIGHTS) {
    if (!kept.includes(name)) Deno.permissions.revokeSync({ name } as Deno.PermissionDescriptor);
  }
}
