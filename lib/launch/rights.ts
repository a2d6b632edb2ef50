import process from "node:process";

/** A kind of permission. The runtime has `import`, but its types lack it. */
export type Right = Deno.PermissionName | "import";

/** Every kind of permission. */
export const RIGHTS: readonly Right[] = ["read", "write", "net", "env", "run", "ffi", "sys", "import"];

/**
 * Permanently gives up all permissions of this thread except these kinds. Threads that already run keep their permissions.
 */
export function giveUpAllBut(kept: readonly Right[]): void {
  // Libraries read the environment at any time. An empty one keeps them from failing.
  if (!kept.includes("env")) process.env = {};
  for (const name of RIGHTS) {
    if (!kept.includes(name)) Deno.permissions.revokeSync({ name } as Deno.PermissionDescriptor);
  }
}
