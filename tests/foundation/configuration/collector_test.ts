import { deepEqual, equal } from "node:assert/strict";
import { loadConfig, maskSecrets, secretValues } from "#foundation/configuration/mod.ts";
import { complaint, folder, load, onlyFound } from "./_load.ts";

const FILE = `language: en
observability:
  otlp: {url: "https://me:hush-hush@a.example.org/v1/traces", headers: env:KEY}
`;

Deno.test("the headers of a collector are secrets, and so is a password in its address", async () => {
  const { config } = await load(FILE, { env: { KEY: "x-key=0123456789" }, file: "config.yaml" });
  deepEqual(secretValues(config).sort(), ["hush-hush", "x-key=0123456789"]);
  const { url, headers } = maskSecrets(config).observability.otlp;
  deepEqual([url, headers], ["https://****@a.example.org/v1/traces", "****"]);
});

Deno.test("a file found in the working folder may not send traces elsewhere, nor a variable of the environment", async () => {
  await using remote = await folder({ "config.yaml": FILE });
  equal(
    await complaint(loadConfig({ cwd: remote.dir, env: { KEY: "x" } })),
    `The configuration has 2 problems:
config.yaml:3:15 observability.otlp.url: would send traces to https://a.example.org, which a file that was only found in the working folder must not do. If you want this, name it with --config config.yaml
config.yaml:3:72 observability.otlp.headers: would send the value of the environment variable KEY to https://a.example.org, an address from the same file, which a file that was only found in the working folder must not do. If you want this, name it with --config config.yaml`,
  );
  await using local = await folder({
    "config.yaml": "language: en\nobservability: {otlp: {url: 'http://localhost:4318'}}\n",
  });
  deepEqual((await loadConfig({ cwd: local.dir, env: {} })).warnings, [
    onlyFound("the server http://localhost:4318 (observability.otlp.url)"),
  ]);
});
