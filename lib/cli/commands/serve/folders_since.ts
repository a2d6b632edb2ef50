import { registeredPaths } from "../../../registry/mod.ts";
import type { Session } from "../../session.ts";

/**
 * A function that gives the folders that were indexed on this machine since this call, which the server does not serve. Where
 * the list of folders cannot be read, it gives none and writes to the log.
 */
export function foldersSince({ stateDir, log }: Pick<Session, "stateDir" | "log">): () => Promise<string[]> {
  const listed = async (): Promise<string[] | undefined> => {
    try {
      return await registeredPaths(stateDir);
    } catch (error) {
      log.warning("serve.registry_unreadable", { error: String(error) });
      return undefined;
    }
  };
  const before = listed();
  return async () => {
    const [then, now = []] = await Promise.all([before, listed()]);
    return then === undefined ? [] : now.filter((path) => !then.includes(path));
  };
}
