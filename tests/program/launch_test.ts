import { deepEqual } from "node:assert/strict";
import { join, resolve } from "node:path";
import { backupFileOf, backupPaths } from "#program/commands/backup_file.ts";
import { commandNamed } from "#program/commands/declarations.ts";
import { placesOf, withoutUnusedKeys } from "#program/launch.ts";
import { type Config, type ConfigOverrides, loadConfig } from "#foundation/configuration/mod.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { fakeRequest } from "./_fake_io.ts";
import type { Request } from "#program/request.ts";

async function configured(embedding: Record<string, unknown> = {}): Promise<Config> {
  const { config } = await loadConfig({
    cwd: "/nowhere",
    env: { HOME: "/home/me" },
    os: "linux",
    flags: { embedding },
  });
  return config;
}

Deno.test("placesOf() names the folders, the list of folders and the logs; with the built-in table no server", async () => {
  const state = "/home/me/.local/state/muxue_rag";
  const request = fakeRequest({
    config: await configured(),
    roots: ["/docs"],
    stateDir: state,
  });
  const { program: _, ...places } = placesOf(request, { tempDir: "/tmp" });
  deepEqual(places, {
    indexDirs: {},
    roots: ["/docs"],
    registry: join(state, "folders"),
    logDir: resolve(state, "logs"),
    servers: [],
    rerankers: [],
    models: null,
    downloads: [],
    named: [],
    tokens: {
      list: join(state, "tokens"),
      used: join(state, "tokens_used"),
    },
    tempDir: "/tmp",
  });
});

Deno.test("placesOf() names the data for text recognition where the configuration asks for it", async () => {
  const { files, ...rest } = await configured();
  const config = { ...rest, files: { ...files, ocr: "tesseract" as const } };
  const folderWith = (request: Parameters<typeof fakeRequest>[0]) =>
    placesOf(fakeRequest(request), { tempDir: "/tmp" }).recognition;
  deepEqual(folderWith({ config, modelsDir: "/models" }), join("/models", "ocr"));
  deepEqual(folderWith({ config, modelsDir: null }), undefined);
  deepEqual(folderWith({ config: { ...rest, files }, modelsDir: "/models" }), undefined);
});

Deno.test("placesOf() names host and port of every server, that of each configuration compared included", async () => {
  const server = (base_url: string) => configured({ provider: "openai-compatible", base_url, model: "m" });
  const request = fakeRequest({
    config: await server("https://api.example.org/v1"),
    compared: {
      "a.yaml": await server("http://127.0.0.1:1234/v1"),
      "b.yaml": await server("http://[::1]/v1"),
      "c.yaml": await server("https://api.example.org/v2"),
    },
  });
  const { servers } = placesOf(request, { tempDir: "/tmp" });
  deepEqual(servers, ["api.example.org:443", "127.0.0.1:1234", "[::1]:80"]);
});

Deno.test("placesOf() names the server of each reranker that is in use, apart from those of embeddings", async () => {
  const reranked = async (flags: ConfigOverrides) =>
    (await loadConfig({ cwd: "/nowhere", env: {}, flags })).config;
  const at = { rerank: { provider: "remote", base_url: "https://order.example.org/v1" } } as const;
  const { servers, rerankers } = placesOf(
    fakeRequest({
      config: await reranked(at),
      compared: {
        "off.yaml": await reranked({
          rerank: { ...at.rerank, base_url: "http://127.0.0.1:1" },
          search: { rerank: false },
        }),
        "maxsim.yaml": await reranked({
          rerank: { ...at.rerank, provider: "maxsim", base_url: "http://127.0.0.1:2" },
        }),
      },
    }),
    { tempDir: "/tmp" },
  );
  deepEqual([servers, rerankers], [[], ["order.example.org:443"]]);
});

Deno.test("a backup names its file, its temporary file and a folder to be made, and nothing around them", async () => {
  using dir = new TempDir();
  const input = { operands: [], roots: [dir.at("docs")], cwd: dir.path };
  const there = await backupPaths({ ...input, flags: { dir: [], backupPath: "a" } });
  deepEqual(there, [dir.at("a"), there[1]]);
  deepEqual(backupFileOf(there), { path: there[0], temporary: there[1] });
  const toBeMade = await backupPaths({ ...input, flags: { dir: [], backupPath: "copies/a" } });
  deepEqual(toBeMade, [dir.at("copies/a"), toBeMade[1], dir.at("copies")]);
  deepEqual(backupFileOf(toBeMade).folder, dir.at("copies"));
});

Deno.test("eval, extract and restore name their operands by full paths", async () => {
  for (const name of ["eval", "extract", "restore"]) {
    const command = commandNamed(name);
    if (command.folders === undefined) throw new Error(name);
    const input = { operands: ["sets/a", "/b.jsonl"], flags: { dir: [] }, roots: [], cwd: "/nowhere" };
    deepEqual(
      await command.namedPaths?.(input),
      ["/nowhere/sets/a", "/b.jsonl"].map((path) => resolve(path)),
      name,
    );
  }
});

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

Deno.test("a command that may reach the collector gets its headers, and nothing is reached while nothing is traced", async () => {
  const traced = async (traces: "ids" | "off") => {
    const otlp = { url: "https://collect.example.org", headers: "x-key=secret" };
    const flags = { observability: { traces, otlp } };
    return fakeRequest({ config: (await loadConfig({ cwd: "/nowhere", env: {}, flags })).config });
  };
  const given = await traced("ids");
  const headers = (net: false | string[]) =>
    withoutUnusedKeys(given, { net }).config.observability.otlp.headers;
  deepEqual(placesOf(given, { tempDir: "/tmp" }).collector, "collect.example.org:443");
  deepEqual(headers(["collect.example.org:443"]), "x-key=secret");
  deepEqual(headers(["127.0.0.1:1"]), null);
  deepEqual(placesOf(await traced("off"), { tempDir: "/tmp" }).collector, undefined);
});
