import type { Io } from "./io.ts";
import { perform } from "./perform.ts";
import type { Preparation } from "./prepare.ts";
import { untilUncaught } from "./uncaught.ts";

/** {@linkcode perform} in a thread of its own, where an error that nobody catches is reported as well, and ends it. */
export async function performGuarded(
  preparation: Preparation,
  io: Io,
  permissions: Deno.PermissionOptionsObject,
): Promise<number> {
  // it brings the log along, which the launcher has no use for
  const { reportUncaught } = await import("./crash.ts");
  return await untilUncaught(
    () => perform(preparation, io, permissions),
    (error) => reportUncaught(error, preparation, io),
  );
}
