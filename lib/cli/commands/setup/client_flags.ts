import type { FlagName } from "../../options.ts";

/** The flags that only mean something with a client. */
export const CLIENT_FLAGS = [
  "dir",
  "update",
  "noWatch",
  "url",
  "tokenEnv",
  "write",
  "project",
  "name",
  "force",
  "yes",
] as const satisfies readonly FlagName[];
