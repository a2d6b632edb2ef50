import { deepEqual } from "node:assert/strict";
import type { Request } from "../../lib/cli/request.ts";
import { withoutUnusedKeys } from "../../lib/cli/secrets.ts";
import { type Config, loadConfig } from "../../lib/config/mod.ts";
import { fakeRequest } from "./_fake_io.ts";

/** A request whose configurations contain different keys. */
async function request(): Promise<Request> {
  const configured = async (key: string) =>
    (await loadConfig({ cwd: "/nowhere", env: {}, flags: { embedding: { api_key: key } } })).config;
  return fakeRequest({
    config: await configured("own"),
    compared: { "a.yaml": await configured("compared") },
  });
}

function keys({ config, compared }: Request): (string | null)[] {
  return [config, ...Object.values<Config>(compared)].map(({ embedding }) => embedding.api_key);
}

Deno.test("a command that may use the network gets the embedding server's keys", async () => {
  const given = withoutUnusedKeys(await request(), { net: ["api.example.org:443"] });
  deepEqual(keys(given), ["own", "compared"]);
});

Deno.test("a command that may not use the network gets no key", async () => {
  const before = await request();
  deepEqual(keys(withoutUnusedKeys(before, { net: false })), [null, null]);
  deepEqual(keys(before), ["own", "compared"]);
});
