import { registeredPaths } from "../../../registry/mod.ts";
import type { Session } from "../../session.ts";

/**
 * Tells which folders have been processed on this machine since now, for those who are to be told that they are not served.
 * Searches need no list of folders: where it cannot be read that is written to the log, and none are told.
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
