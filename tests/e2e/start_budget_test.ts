import { deepEqual, equal, ok } from "node:assert/strict";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { fromSources, makeSandbox, type Sandbox, spawnIn } from "./_program.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Modules and bytes of source that are loaded from the start of `serve` to its answer to `initialize`. A feature that needs
 * more must load it later: see `lib/server/README.md`. Before there were limits they were 558 modules with 1,777,000 bytes, and
 * 178 of packages with 2,518,000. The locked worker starts after the answer, and loads the SDK.
 */
const OWN = { modules: 55, bytes: 396_000 };
const PACKAGES = { modules: 2, bytes: 8_000 };

/** The module that begins the locked worker. */
const WORKER = /\/lib\/program\/worker\.ts$/;

/**
 * The modules by which the work begins that a start leaves for later. On a slow machine it begins before the answer, so they and
 * those after them do not count here; that nothing of a start imports them is a test of its own.
 */
const LATER = /\/lib\/(?:server\/stdio|library\/search\/mod|foundation\/log_lines)\.ts$/;

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

/** Starts a server from source, and ends it when it has answered `initialize`. Returns the modules that it loaded, a module of two threads twice. */
async function loadedModules({ folder, cwd, env }: Sandbox): Promise<URL[]> {
  const logged = { cwd, env: { ...env, DENO_LOG: "deno::module_loader=debug" } };
  const child = spawnIn(logged, fromSources(["serve", "--dir", folder]));
  const stderr = new Response(child.stderr).text();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(`${JSON.stringify(INITIALIZE)}\n`));
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  equal(JSON.parse(new TextDecoder().decode(value)).result.serverInfo.name, "muxue_rag");
  child.kill("SIGKILL");
  await Promise.allSettled([child.status, reader.cancel(), writer.close()]);
  const urls = [...(await stderr).matchAll(/V8 code cache (?:hit )?for ES module: (file:[^\s,]+)/g)];
  const modules = urls.map(([, url]) => new URL(url!));
  const later = modules.findIndex(({ pathname }) => WORKER.test(pathname));
  return later < 0 ? modules : modules.slice(0, later);
}

Deno.test("a server has loaded only what it needs when it answers initialize", async () => {
  await using sandbox = await makeSandbox({ "tea.md": "# Tea\n\nGreen tea.\n" });
  // The runtime names the modules that are in its cache, which the first start fills.
  await spawnIn(sandbox, fromSources(["serve", "--dir", sandbox.folder]), "null").output();
  const modules = await loadedModules(sandbox);

  const sizes = modules.map((url) => {
    const path = relative(ROOT, fileURLToPath(url));
    return { path, isOwn: !path.startsWith(".."), bytes: Deno.statSync(url).size };
  });
  for (const [isOwn, most] of [[true, OWN], [false, PACKAGES]] as const) {
    const loaded = sizes.filter((module) => module.isOwn === isOwn).sort((a, b) => b.bytes - a.bytes);
    const bytes = loaded.reduce((sum, module) => sum + module.bytes, 0);
    const list = loaded.map((module) => `${module.bytes} ${module.path}`).join("\n");
    ok(!isOwn || loaded.length > 20, `The runtime's log names no modules: ${loaded.length}`);
    ok(
      loaded.length <= most.modules && bytes <= most.bytes,
      `${loaded.length} modules with ${bytes} bytes, allowed are ${most.modules} with ${most.bytes}:\n${list}`,
    );
  }
});

/** The modules that a server imports one after the other from its start to its answer to `initialize`. */
const OF_A_START = [
  "main.ts",
  "run",
  "launch",
  "client_input",
  "worker",
  "run_request",
  "commands/serve/serve",
]
  .map((name) => name.endsWith(".ts") ? name : `lib/program/${name}.ts`);

Deno.test("no module of a start imports those that are loaded later", async () => {
  const early = new Set((await Promise.all(OF_A_START.map(importedBy))).flat());
  ok(early.has("lib/server/first_answer.ts"), "the imports of a start are followed");
  deepEqual([...early].filter((path) => LATER.test(`/${path}`)), []);
});

Deno.test("without a model, a server, its updates and its searches import nothing that language models need", async () => {
  const entries = [
    ...OF_A_START,
    "lib/program/commands/serve/background_updates.ts",
    "lib/library/search/mod.ts",
  ];
  const imported = new Set((await Promise.all(entries.map(importedBy))).flat());
  ok(imported.has("lib/library/ingest/ingest.ts"), "the imports of an update are followed");
  const ofModels =
    /^lib\/(?:models\/language|library\/(?:generate|ask|ingest\/generation\/make_)|engine\/support)\//;
  deepEqual([...imported].filter((path) => ofModels.test(path)), []);
});

Deno.test("the command status imports the answers of the tools only to count documents", async () => {
  const imported = await importedBy("lib/program/commands/status.ts");
  deepEqual(imported.filter((path) => path.startsWith("lib/library/answer/")), []);
});

/** Returns the project's modules that a module imports, itself and through others, without those of an `import()`. */
async function importedBy(entry: string): Promise<string[]> {
  const args = ["info", "--json", join(ROOT, entry)];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).output();
  const { modules }: { modules: InfoModule[] } = JSON.parse(new TextDecoder().decode(stdout));
  const found = new Map(modules.map((module) => [module.specifier, module.dependencies ?? []]));
  const reached = new Set([pathToFileURL(join(ROOT, entry)).href]);
  for (const url of reached) {
    for (const { code, isDynamic } of found.get(url) ?? []) {
      if (code?.specifier !== undefined && !isDynamic) reached.add(code.specifier);
    }
  }
  return [...reached].filter((url) => url.startsWith("file:")).map((url) =>
    relative(ROOT, fileURLToPath(url))
  );
}

/** The part of `deno info --json` that is read here. */
interface InfoModule {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly code?: { readonly specifier?: string };
    readonly isDynamic?: boolean;
  }[];
}
