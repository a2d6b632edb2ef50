import { deepEqual, equal } from "node:assert/strict";
import { defaultConfig } from "#foundation/configuration/config.ts";
import { DEFAULTS } from "#foundation/configuration/defaults.ts";
import { ConfigSchema } from "#foundation/configuration/schema.ts";

Deno.test("DEFAULTS equals the schema applied to an empty configuration", () => {
  deepEqual(ConfigSchema.parse({}), DEFAULTS);
});

Deno.test("defaultConfig() applies the command line and sets the log folder", () => {
  const config = defaultConfig(
    { language: "en", search: { "top_k": 3, mode: undefined } },
    { HOME: "/home/me" },
    "linux",
  );
  deepEqual(config, {
    ...DEFAULTS,
    language: "en",
    search: { ...DEFAULTS.search, "top_k": 3 },
    log: { ...DEFAULTS.log, dir: "/home/me/.local/state/muxue_rag/logs" },
  });
  equal(Object.isFrozen(config?.search.legs), true);
});

Deno.test("defaultConfig() has no log folder without a state folder", () => {
  equal(defaultConfig({}, {}, "linux")?.log.dir, null);
});

Deno.test("defaultConfig() is undefined for keys that the command line does not have", () => {
  equal(defaultConfig({ search: { alpha: 2 } }, {}, "linux"), undefined);
  equal(defaultConfig({ embedding: { provider: "none" } }, {}, "linux"), undefined);
  equal(defaultConfig({ embedding: undefined }, {}, "linux")?.embedding.provider, "builtin");
});
