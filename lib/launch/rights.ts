import process from "node:process";

/** A kind of permission. The runtime knows `import`, its types do not. */
export type Right = Deno.PermissionName | "import";

/** All there are. */
export const RIGHTS: readonly Right[] = [
  "read",
  "write",
  "net",
  "env",
  "run",
  "ffi",
  "sys",
  "import",
];

/** Gives up rights of this thread, for good. Threads that were started before keep theirs. */
export function giveUp(rights: readonly Right[]): void {
  // libraries look at it at any time: they find nothing, rather than fail
  if (rights.includes("env")) process.env = {};
  for (const name of rights) Deno.permissions.revokeSync({ name } as Deno.PermissionDescriptor);
}
