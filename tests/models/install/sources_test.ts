import { deepEqual } from "node:assert/strict";
import { ConfigSchema } from "#foundation/configuration/schema.ts";
import { downloadHosts, mayRedirectTo, modelSources } from "#models/install/install.ts";

function configured(models: Record<string, unknown> = {}) {
  return ConfigSchema.parse({ models }).models;
}

Deno.test("modelSources() gives the sources in the configured order, npm only with a registry", () => {
  deepEqual(modelSources(configured(), undefined), [
    { kind: "hub", url: "https://huggingface.co" },
    { kind: "mirror", url: "https://hf-mirror.com" },
  ]);
  const models = configured({ sources: ["npm", "mirror"], "mirror_url": "http://127.0.0.1:8080/hub/" });
  deepEqual(modelSources(models, "https://npm.example/x"), [
    { kind: "npm", url: "https://npm.example/x" },
    { kind: "mirror", url: "http://127.0.0.1:8080/hub" },
  ]);
});

Deno.test("downloadHosts() names the hosts of the sources and those of redirects, and none without a source", () => {
  const models = configured({ "redirect_hosts": ["cdn.example"], "hub_url": "http://127.0.0.1:8080" });
  deepEqual(downloadHosts(models, modelSources(models, "http://npm.example")), [
    "127.0.0.1:8080",
    "hf-mirror.com:443",
    "npm.example:80",
    "cdn.example:443",
    "*.cdn.example:443",
  ]);
  deepEqual(downloadHosts(models, []), []);
});

Deno.test("mayRedirectTo() allows the configured hosts and their subdomains", () => {
  const models = configured();
  const hosts = [
    ...["huggingface.co", "cas-bridge.xethub.hf.co", "cdn.hf-mirror.com", "nothf.co", "hf.co.example"],
    ...["co"],
  ];
  deepEqual(hosts.map((host) => mayRedirectTo(models, host)), [true, true, true, false, false, false]);
});
