import { registeredPaths } from "../../../registry/mod.ts";
import type { Session } from "../../session.ts";

/**
 * Returns a function that returns the folders indexed on this machine since this call. The server does not serve them. If
 * the list of folders cannot be read, the function returns an empty array and writes to the log.
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
