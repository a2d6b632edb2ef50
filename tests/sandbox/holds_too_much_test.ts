import { deepEqual } from "node:assert/strict";
import { holdsTooMuch } from "../../lib/sandbox/mod.ts";
import { ON_WINDOWS } from "./helpers.ts";

Deno.test(
  "a folder holds too much that is a system's or a user's as a whole, or has a folder of others in it",
  {
    ignore: ON_WINDOWS,
  },
  () => {
    const holds = (folder: string) => holdsTooMuch(folder, ["/srv/docs", "/team/conf"], "/homes/me");
    const much = [
      "/",
      "/etc",
      "/var/log",
      "/home",
      "/homes",
      "/homes/me",
      "/homes/me/.ssh",
      "/srv",
      "/srv/docs",
      "/team",
    ];
    const little = [
      "/homes/me/.local/state/muxue_rag/logs",
      "/homes/me/logs",
      "/var/log/muxue_rag",
      "/srv/logs",
      "/srv/docs/logs",
      "/srv/doc",
    ];
    deepEqual(much.filter((folder) => !holds(folder)), []);
    deepEqual(little.filter(holds), []);
  },
);
