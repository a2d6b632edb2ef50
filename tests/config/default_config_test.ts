import { deepEqual, equal } from "node:assert/strict";
import { defaultConfig } from "../../lib/config/_default_config.ts";
import { DEFAULTS } from "../../lib/config/_defaults.ts";
import { ConfigSchema } from "../../lib/config/schema.ts";

Deno.test("the defaults are what the schema makes of nothing", () => {
  deepEqual(ConfigSchema.parse({}), DEFAULTS);
});

Deno.test("defaultConfig() takes what the command line asks for, and knows where logs go", () => {
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

Deno.test("defaultConfig() writes no log where there is no place for it", () => {
  equal(defaultConfig({}, {}, "linux")?.log.dir, null);
});

Deno.test("defaultConfig() leaves to the schema what a command line cannot ask for", () => {
  equal(defaultConfig({ search: { alpha: 2 } }, {}, "linux"), undefined);
  equal(defaultConfig({ embedding: { provider: "none" } }, {}, "linux"), undefined);
  equal(defaultConfig({ embedding: undefined }, {}, "linux")?.embedding.provider, "builtin");
});
