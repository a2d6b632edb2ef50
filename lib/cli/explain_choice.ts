import { join } from "node:path";
import { UsageError } from "../errors.ts";
import { note } from "./context.ts";
import type { Session } from "./session.ts";

/**
 * Says why a command works on other folders than those that were typed: none was and the working folder is not indexed, or
 * one lies in an indexed folder. Throws `UsageError` `cli_no_registered_dir` where there is no folder at all.
 */
export function explainChoice(session: Session): void {
  const { io: { cwd }, roots, choice: { by, below } } = session;
  if (roots.length === 0) throw new UsageError("cli_no_registered_dir");
  if (by === "outside") note(session, "cli_outside", { dir: cwd, count: roots.length });
  for (const [root, paths] of Object.entries(below)) {
    for (const path of paths) note(session, "cli_inside_indexed", { dir: join(root, path), root });
  }
}
