import { deepEqual, match } from "node:assert/strict";
import { makeSandbox, spawnIn } from "../e2e/_program.ts";

/** A server for telemetry, and how many connections it got. */
function startCollector(): Disposable & { readonly address: string; readonly connections: number } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let connections = 0;
  void (async () => {
    for await (const connection of listener) {
      connections++;
      connection.close();
    }
  })();
  return {
    address: `http://127.0.0.1:${listener.addr.port}`,
    get connections() {
      return connections;
    },
    [Symbol.dispose]: () => listener.close(),
  };
}

Deno.test("the runtime's telemetry gets nothing, because the program refuses to start", async () => {
  using collector = startCollector();
  await using sandbox = await makeSandbox({ "tea.md": "# Tea\n\nGreen tea.\n" }, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.address, LANG: "en_GB.UTF-8" },
  });
  const dir = ["--dir", sandbox.folder];
  const server = ["serve", "--http", "--port", "0", ...dir];
  const commands = [
    "--version",
    "help",
    ["index", ...dir],
    ["search", "tea", ...dir],
    ["serve", ...dir],
    server,
  ];
  for (const value of ["true", "1"]) {
    for (const command of commands) {
      // A client keeps stdin open while it waits for an answer.
      const child = spawnIn(
        { ...sandbox, env: { ...sandbox.env, OTEL_DENO: value } },
        sandbox.start([command].flat()),
      );
      const writer = child.stdin.getWriter();
      const initialize = '{"jsonrpc":"2.0","id":1,"method":"initialize"}\n';
      await writer.write(new TextEncoder().encode(initialize)).catch(() => {});
      const [{ code }, stdout, stderr] = await Promise.all([
        child.status,
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      await writer.close().catch(() => {});
      deepEqual([code, stdout], [2, ""], `${value} ${command}`);
      match(
        stderr,
        /^Error: The environment variable OTEL_DENO is set, so the program did not start: /m,
      );
    }
  }
  deepEqual(collector.connections, 0);
  // Telemetry that is switched off keeps no command from running.
  for (const value of ["false", "0", ""]) {
    deepEqual((await sandbox.runIn({ env: { OTEL_DENO: value } })`--version`).code, 0, value);
  }
});
