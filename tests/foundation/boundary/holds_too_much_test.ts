import { deepEqual } from "node:assert/strict";
import { holdsTooMuch } from "#foundation/boundary/mod.ts";
import { ON_WINDOWS } from "./helpers.ts";

Deno.test(
  "holdsTooMuch() is true for system folders, homes, and folders that contain one of the others",
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
