import { deepEqual } from "node:assert/strict";
import type { Preparation } from "../../lib/cli/mod.ts";
import { loadConfig } from "../../lib/config/mod.ts";
import { withoutUnusedKeys } from "../../lib/launch/unused_keys.ts";
import { KEY } from "../index/_blob_forge.ts";

/** A preparation whose configurations hold keys of their own. */
async function preparation(): Promise<Preparation> {
  const configured = (key: string) =>
    loadConfig({
      cwd: "/nowhere",
      env: {},
      flags: { embedding: { api_key: key } },
    });
  return {
    task: { command: "eval", operands: [], flags: { dir: [] } },
    configuration: await configured("own"),
    compared: { "a.yaml": await configured("compared") },
    language: "en",
    version: "1.2.3",
    stateDir: "/state",
    roots: [],
    ownPlaces: [],
    indexKey: KEY,
    backup: undefined,
  };
}

function keys({ configuration, compared }: Preparation): (string | null)[] {
  return [configuration, ...Object.values(compared)].map(({ config }) => config.embedding.api_key);
}

Deno.test("a command that may use the network gets the embedding server's keys", async () => {
  const given = withoutUnusedKeys(await preparation(), { net: ["api.example.org:443"] });
  deepEqual(keys(given), ["own", "compared"]);
});

Deno.test("a command that may not use the network gets no key", async () => {
  const before = await preparation();
  deepEqual(keys(withoutUnusedKeys(before, { net: false })), [null, null]);
  deepEqual(keys(before), ["own", "compared"]);
});
