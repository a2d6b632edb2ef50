import { deepEqual } from "node:assert/strict";
import type { Request } from "#program/request.ts";
import { withoutUnusedKeys } from "#program/launch.ts";
import { type Config, loadConfig } from "#foundation/configuration/mod.ts";
import { fakeRequest } from "./_fake_io.ts";

/** A request whose configurations name an embedding server and a reranker, each with a key. */
async function request(): Promise<Request> {
  const configured = async (key: string) => {
    const at = (host: string) => ({
      base_url: `https://${host}.example.org/v1`,
      model: "m",
      api_key: `${key} ${host}`,
    });
    const flags = {
      embedding: { provider: "openai-compatible", ...at("vectors") },
      rerank: { provider: "remote", ...at("order") },
    } as const;
    return (await loadConfig({ cwd: "/nowhere", env: {}, flags })).config;
  };
  return fakeRequest({
    config: await configured("own"),
    compared: { "a.yaml": await configured("compared") },
  });
}

function keys({ config, compared }: Request): (string | null)[] {
  return [config, ...Object.values<Config>(compared)].flatMap(({ embedding, rerank }) => [
    embedding.api_key,
    rerank.api_key,
  ]);
}

Deno.test("a command gets the keys of the servers that it may connect to, and no others", async () => {
  const given = await request();
  const vectors = "vectors.example.org:443", order = "order.example.org:443";
  const kept = (net: false | string[]) => keys(withoutUnusedKeys(given, { net }));
  const all = ["own vectors", "own order", "compared vectors", "compared order"];
  deepEqual(kept([vectors, order]), all);
  deepEqual(kept([vectors]), ["own vectors", null, "compared vectors", null]);
  deepEqual(kept([order]), [null, "own order", null, "compared order"]);
  deepEqual(kept(false), [null, null, null, null]);
  deepEqual(keys(given), all);
});

Deno.test("a key without a server in use is given to no command", async () => {
  const flags = { embedding: { api_key: "one" }, rerank: { api_key: "two" } };
  const { config } = await loadConfig({ cwd: "/nowhere", env: {}, flags });
  deepEqual(keys(withoutUnusedKeys(fakeRequest({ config }), { net: ["127.0.0.1:80"] })), [null, null]);
});
