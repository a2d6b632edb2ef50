import { deepEqual, match } from "node:assert/strict";
import { makeSandbox, smokeTest, spawnIn } from "../e2e/_program.ts";

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
  const switches = [
    ["OTEL_DENO", "true"],
    ["OTEL_DENO", "1"],
    // Each of them is enough, whatever OTEL_DENO says.
    ["OTEL_DENO_TRACING", "true"],
    ["OTEL_DENO_METRICS", "true"],
    ["OTEL_DENO_CONSOLE", "capture"],
  ] as const;
  for (const [name, value] of switches) {
    for (const command of name === "OTEL_DENO" ? commands : commands.slice(0, 1)) {
      // A client keeps stdin open while it waits for an answer.
      const child = spawnIn(
        { ...sandbox, env: { ...sandbox.env, OTEL_DENO: "false", [name]: value } },
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
      deepEqual([code, stdout], [2, ""], `${name} ${value} ${command}`);
      match(
        stderr,
        new RegExp(`^Error: The environment variable ${name} is set, so the program did not start: `, "m"),
      );
    }
  }
  deepEqual(collector.connections, 0);
  // Telemetry that is switched off keeps no command from running.
  for (const value of ["false", "0", ""]) {
    deepEqual((await sandbox.runIn({ env: { OTEL_DENO: value } })`--version`).code, 0, value);
  }
});

smokeTest(
  "OpenTelemetry's other variables send nothing, neither from the program nor from the processes that read documents",
  async (start) => {
    using collector = startCollector();
    const { address } = collector;
    await using sandbox = await makeSandbox(
      { "tea.md": "# Tea\n\nGreen tea.\n", "tea.html": "<h1>Tea</h1>" },
      {
        start,
        env: {
          OTEL_EXPORTER_OTLP_ENDPOINT: address,
          OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${address}/v1/traces`,
          OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${address}/v1/metrics`,
          OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${address}/v1/logs`,
          OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
          OTEL_EXPORTER_OTLP_HEADERS: "x-key=1",
          OTEL_TRACES_EXPORTER: "otlp",
          OTEL_METRICS_EXPORTER: "otlp",
          OTEL_LOGS_EXPORTER: "otlp",
          OTEL_METRIC_EXPORT_INTERVAL: "10",
          OTEL_BSP_SCHEDULE_DELAY: "10",
          OTEL_PROPAGATORS: "tracecontext,baggage",
          OTEL_TRACES_SAMPLER: "always_on",
          OTEL_SERVICE_NAME: "tea",
          OTEL_SDK_DISABLED: "false",
          OTEL_DENO: "false",
          OTEL_DENO_CONSOLE: "ignore",
        },
      },
    );
    for (const command of ["index", "search tea", "doctor"]) {
      const { code, stderr } = await sandbox.run(...command.split(" "), "--dir", sandbox.folder, "--quiet");
      deepEqual([code, stderr], [0, ""], command);
    }
    deepEqual(collector.connections, 0);
  },
);
