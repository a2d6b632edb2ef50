/**
 * The program's HTTP server with the tools, resources and prompts that the official test suite expects of the server that it tests.
 * Prints its address, and ends with Ctrl-C: `deno run -A --config deno.dev.json tests/conformance/server.ts`.
 */
import { InMemoryServerEventBus } from "@modelcontextprotocol/server";
import { NO_LOG } from "#foundation/log.ts";
import { serveHttp } from "#server/mod.ts";
import { CONFIG, fakeLibrary } from "../server/_session.ts";
import { registerFixtureInputs } from "./_fixture_inputs.ts";
import { registerFixtureResources } from "./_fixture_resources.ts";
import { registerFixtureTools } from "./_fixture_tools.ts";

const changes = new InMemoryServerEventBus();
const stop = new AbortController();
Deno.addSignalListener("SIGINT", () => stop.abort());

await serveHttp({
  library: fakeLibrary(),
  language: "en",
  log: NO_LOG,
  version: "0.0.0",
  config: CONFIG,
  address: { host: "127.0.0.1", port: Number(Deno.args[0] ?? 0), names: [], tokenHash: null, tls: null },
  changes,
  extend(server) {
    server.server.registerCapabilities({ tools: { listChanged: true }, prompts: { listChanged: true } });
    registerFixtureResources(server);
    registerFixtureTools(server, changes);
    registerFixtureInputs(server);
  },
  signal: stop.signal,
  onListening: (url) => void Deno.stdout.writeSync(new TextEncoder().encode(`${url}\n`)),
});
