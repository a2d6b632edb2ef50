import { deepEqual, equal, match } from "node:assert/strict";
import { loadConfig, printConfig, secretValues } from "#foundation/configuration/mod.ts";
import { complaint, folder } from "./_load.ts";

/** Loads a configuration file that the user names. */
async function named(text: string, env: Record<string, string> = {}) {
  await using place = await folder({ "mine.yaml": `language: en\n${text}` });
  return await loadConfig({ cwd: place.dir, file: "mine.yaml", env });
}

/** The problem of a file that the user names. */
async function problem(text: string): Promise<string | undefined> {
  return (await complaint(named(text))).split("\n")[1]?.replace(/^.*?mine\.yaml/, "");
}

Deno.test("a vector server has an address and a key, which is not printed", async () => {
  const { config, warnings } = await named(
    "vectors: {provider: qdrant, url: 'http://127.0.0.1:6333', api_key: env:QDRANT_KEY}",
    { QDRANT_KEY: "s3cret" },
  );
  deepEqual(config.vectors, { provider: "qdrant", url: "http://127.0.0.1:6333", api_key: "s3cret" });
  deepEqual([warnings, secretValues(config)], [[], ["s3cret"]]);
  match(printConfig(config), /^ {2}api_key: "\*\*\*\*"$/m);
});

Deno.test("a vector server needs an address, and https on another machine", async () => {
  equal(
    await problem("vectors: {provider: chroma}"),
    ":2:21 vectors.url: expected an address that begins with http:// or https:// and names a valid host (required for provider chroma), found nothing",
  );
  equal(
    await problem("vectors: {provider: chroma, url: 'http://vectors.example.com'}"),
    ':2:34 vectors.url: expected an address that begins with https://, because the server is on another machine, found "http://vectors.example.com"',
  );
  equal((await named("vectors: {provider: chroma, url: 'https://vectors.example.com'}")).warnings.length, 0);
});

Deno.test("a file found in the working folder may not choose a vector server on another machine", async () => {
  await using place = await folder({
    "config.yaml": "language: en\nvectors: {provider: qdrant, url: 'https://vectors.example.com'}",
  });
  match(
    await complaint(loadConfig({ cwd: place.dir, env: {} })),
    / vectors\.url: would send texts to https:\/\/vectors\.example\.com, which a file/,
  );
});
