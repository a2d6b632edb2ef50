import { deepEqual } from "node:assert/strict";
import type { Preparation } from "../../lib/cli/prepare.ts";
import type { LoadedConfig } from "../../lib/config/mod.ts";
import { loadConfig } from "../../lib/config/mod.ts";
import type { BackupFile } from "../../lib/ingest/mod.ts";
import { placesOf } from "../../lib/launch/places.ts";
import { KEY } from "../index/_blob_forge.ts";

const AROUND = { cwd: "/home/me", tempDir: "/tmp" };

function configured(embedding: Record<string, unknown> = {}): Promise<LoadedConfig> {
  return loadConfig({ cwd: "/nowhere", env: { HOME: "/home/me" }, os: "linux", flags: { embedding } });
}

async function preparation(more: Partial<Preparation> & Pick<Preparation, "task">): Promise<Preparation> {
  return {
    configuration: await configured(),
    compared: {},
    language: "en",
    version: "1.2.3",
    stateDir: "/home/me/.local/state/muxue_rag",
    roots: ["/docs"],
    backup: undefined,
    ownPlaces: [],
    indexKey: KEY,
    ...more,
  };
}

Deno.test("placesOf() names the folders, the registry and the logs; with the built-in table no server", async () => {
  const prepared = await preparation({ task: { command: "index", operands: [], flags: { dir: ["docs"] } } });
  const { program: _, ...places } = placesOf(prepared, AROUND);
  deepEqual(places, {
    roots: ["/docs"],
    registry: "/home/me/.local/state/muxue_rag/folders",
    logDir: "/home/me/.local/state/muxue_rag/logs",
    servers: [],
    named: [],
    tempDir: "/tmp",
  });
});

Deno.test("placesOf() names host and port of every server, that of each configuration compared included", async () => {
  const server = (base_url: string) => configured({ provider: "openai-compatible", base_url, model: "m" });
  const { servers } = placesOf(
    await preparation({
      task: { command: "eval", operands: [], flags: { dir: [] } },
      configuration: await server("https://api.example.org/v1"),
      compared: {
        "a.yaml": await server("http://127.0.0.1:1234/v1"),
        "b.yaml": await server("http://[::1]/v1"),
        "c.yaml": await server("https://api.example.org/v2"),
      },
    }),
    AROUND,
  );
  deepEqual(servers, ["api.example.org:443", "127.0.0.1:1234", "[::1]:80"]);
});

Deno.test("placesOf() names of a backup its file, that in the making and the folder to be made, and nothing around them", async () => {
  const task: Preparation["task"] = { command: "backup", operands: [], flags: { dir: [] } };
  const file = { path: "/copies/a", temporary: "/copies/a.1.tmp" };
  const named = async (backup: BackupFile) => placesOf(await preparation({ task, backup }), AROUND).named;
  deepEqual(await named(file), ["/copies/a", "/copies/a.1.tmp"]);
  deepEqual(await named({ ...file, folder: "/copies" }), ["/copies/a", "/copies/a.1.tmp", "/copies"]);
});

Deno.test("placesOf() names what the command line names beside folders", async () => {
  const { named } = placesOf(
    await preparation({ task: { command: "eval", operands: ["sets/a", "/b.jsonl"], flags: { dir: [] } } }),
    AROUND,
  );
  deepEqual(named, ["/home/me/sets/a", "/b.jsonl"]);
});
