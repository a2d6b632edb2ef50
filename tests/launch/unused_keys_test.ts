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
      flags: { llm: { api_key: `llm-${key}` }, embedding: { api_key: `embedding-${key}` } },
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
  return [configuration, ...Object.values(compared)].flatMap(({ config: { llm, embedding } }) => [
    llm.api_key,
    embedding.api_key,
  ]);
}

Deno.test("a command that may speak to the embedding server gets its keys, and no other", async () => {
  const given = withoutUnusedKeys(await preparation(), { net: ["api.example.org:443"] });
  deepEqual(keys(given), [null, "embedding-own", null, "embedding-compared"]);
});

Deno.test("a command that speaks to nobody gets no key", async () => {
  const before = await preparation();
  deepEqual(keys(withoutUnusedKeys(before, { net: false })), [null, null, null, null]);
  deepEqual(keys(before), ["llm-own", "embedding-own", "llm-compared", "embedding-compared"]);
});
