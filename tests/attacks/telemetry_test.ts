import { deepEqual, match } from "node:assert/strict";
import { makeSandbox } from "../e2e/_program.ts";
import { spawnIn } from "../e2e/_spawn.ts";
import { attack } from "./_attack.ts";

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

attack("the runtime's telemetry gets nothing, because the program refuses to start", async (start) => {
  using collector = startCollector();
  await using sandbox = await makeSandbox({ "tea.md": "# Tea\n\nGreen tea.\n" }, start);
  const env = { ...sandbox.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.address };
  const refusal = /^Error: The environment variable OTEL_DENO is set, so the program did not start: /m;
  const commands = [
    ["--version"],
    ["help"],
    ["index", "--dir", sandbox.folder],
    ["search", "tea", "--dir", sandbox.folder],
    ["serve", "--dir", sandbox.folder],
    ["serve", "--http", "--port", "0", "--dir", sandbox.folder],
  ];
  for (const value of ["true", "1"]) {
    for (const command of commands) {
      const child = spawnIn(
        { ...sandbox, env: { ...env, OTEL_DENO: value, LANG: "en_GB.UTF-8" } },
        start(command),
      );
      // A client keeps stdin open while it waits for an answer.
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
      match(stderr, refusal);
    }
  }
  deepEqual(collector.connections, 0);
});

attack("telemetry that is switched off keeps no command from running", async (start) => {
  await using sandbox = await makeSandbox({}, start);
  for (const value of ["false", "0", ""]) {
    const { cmd, args } = start(["--version"]);
    const { code } = await new Deno.Command(cmd, { args, env: { ...sandbox.env, OTEL_DENO: value } })
      .output();
    deepEqual(code, 0, value);
  }
});
