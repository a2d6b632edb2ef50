/**
 * The recorded calls of the MCP server below its protocol: raw lines over stdio, and requests over HTTP.
 * @module
 */
import { SMALL } from "./_fixtures.ts";
import { environment, PLACE, type Recorder, type Setting } from "./_recorder.ts";

const HTTP_PORT = 17312;

/** Lines that no client of the library would send. */
export async function recordRawLines(recorder: Recorder): Promise<void> {
  const hello = (version: unknown) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: version, capabilities: {}, clientInfo: { name: "raw", version: "0" } },
  });
  const ready = { jsonrpc: "2.0", method: "notifications/initialized" };
  const request = (id: unknown, method: string, params?: unknown) => ({ jsonrpc: "2.0", id, method, params });
  const talks: [subject: string, lines: readonly unknown[]][] = [
    ["old revision", [hello("2024-11-05"), ready, request(2, "tools/call", { name: "list_collections" })]],
    ["revision 2025-03-26", [hello("2025-03-26"), ready, request(2, "tools/list")]],
    ["unknown revision", [hello("1999-01-01")]],
    ["revision that is a number", [hello(7)]],
    ["no JSON", ["{nothing", hello("2025-06-18")]],
    ["list", ["[1,2,3]", hello("2025-06-18")]],
    ["no method", ['{"jsonrpc":"2.0","id":3}', hello("2025-06-18")]],
    ["unknown method", [hello("2025-06-18"), ready, request(2, "tools/nothing")]],
    ["before initialize", [request(2, "tools/list")]],
    ["id that is a text", [hello("2025-06-18"), ready, request("seven", "ping")]],
    ["params that are a list", [hello("2025-06-18"), ready, request(2, "tools/call", [1])]],
    ["tool without a name", [hello("2025-06-18"), ready, request(2, "tools/call", {})]],
    ["deep", [hello("2025-06-18"), ready, request(2, "tools/call", nested(80))]],
    ["long name", [hello("2025-06-18"), ready, request(2, "tools/call", { name: "x".repeat(300) })]],
    ["long text", [
      hello("2025-06-18"),
      ready,
      request(2, "tools/call", { name: "search_rag", arguments: { keyword: "x".repeat(140_000) } }),
    ]],
  ];
  for (const [subject, lines] of talks) {
    const texts = lines.map((line) => typeof line === "string" ? line : JSON.stringify(line));
    const answers = await talk(recorder, ["serve", "--no-watch", "--dir", SMALL], texts);
    const asked = texts.map((text) => text.length > 2_000 ? `${text.slice(0, 200)}… (${text.length})` : text);
    recorder.write("mcp raw", subject, [...asked, "--- answers", ...answers]);
  }
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}

/** Sends lines to the server, and returns what it has answered when its input ends. */
async function talk(
  recorder: Recorder,
  args: readonly string[],
  lines: readonly string[],
): Promise<string[]> {
  const { cmd, args: first } = recorder.program;
  await using child = new Deno.Command(cmd, {
    args: [...first, ...args],
    cwd: PLACE,
    env: environment(),
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const writer = child.stdin.getWriter();
  let received = "";
  const ended = (async () => {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) received += piece.value;
  })();
  for (const line of lines) {
    await writer.write(new TextEncoder().encode(line + "\n")).catch(() => {});
    if (line.includes("notifications/")) continue;
    await answered(() => received, received.length);
  }
  await writer.close().catch(() => {});
  await ended;
  const { code } = await child.status;
  return [...received.split("\n").filter((line) => line !== ""), `exit code: ${code}`];
}

/** Waits for a whole line after the first `length` characters, 20 seconds at most. */
async function answered(received: () => string, length: number): Promise<void> {
  for (let i = 0; i < 800; i++) {
    const text = received();
    if (text.length > length && text.endsWith("\n")) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Requests over HTTP, most of which are refused. */
export async function recordHttp(recorder: Recorder): Promise<void> {
  const { cmd, args: first } = recorder.program;
  const token = "a-token-of-the-recorder";
  const serve = async (more: readonly string[], setting: Setting, act: () => Promise<void>) => {
    const all = ["serve", "--http", "--port", String(HTTP_PORT), "--dir", SMALL, "--no-watch", ...more];
    const child = new Deno.Command(cmd, {
      args: [...first, ...all],
      cwd: PLACE,
      env: environment(setting),
      clearEnv: true,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    await listening();
    await act();
    child.kill("SIGTERM");
    const { code, stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    recorder.write("mcp http", "server", [
      `$ muxue_rag ${all.join(" ")}`,
      `exit code: ${code}`,
      "--- stdout",
      decoder.decode(stdout),
      "--- stderr",
      decoder.decode(stderr),
    ]);
  };
  const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const hello = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "0" } },
  });
  const ask = async (subject: string, path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${HTTP_PORT}${path}`, init);
    const text = await response.text();
    // The numbers of times and of the process are not those of another run.
    const isMetrics = path === "/metrics" && response.ok;
    const body = isMetrics ? text.replaceAll(/ [\d.e+-]+$/gm, " <number>") : text;
    const varying = ["date", "mcp-session-id", ...(isMetrics ? ["content-length"] : [])];
    const headers = [...response.headers].filter(([name]) => !varying.includes(name));
    recorder.write("mcp http", subject, [
      `${init.method ?? "GET"} ${path}`,
      JSON.stringify(init.headers ?? {}),
      String(init.body ?? "").slice(0, 1_000),
      `--- ${response.status}`,
      ...headers.map(([name, value]) => `${name}: ${value}`).sort(),
      body,
    ]);
    return response.headers.get("mcp-session-id");
  };
  await serve([], {}, async () => {
    await ask("health", "/healthz");
    await ask("metrics", "/metrics");
    await ask("other path", "/nothing");
    const session = await ask("initialize", "/mcp", { method: "POST", headers: json, body: hello });
    const call = (id: number, method: string, params?: unknown, more: Record<string, string> = {}) => ({
      method: "POST",
      headers: { ...json, "mcp-protocol-version": "2025-06-18", ...more },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    });
    const known = { "mcp-session-id": session ?? "" };
    const search = { name: "search_rag", arguments: { keyword: "green tea" } };
    // The id of the session is random, so the records of these two requests leave it out.
    for (
      const [subject, init] of [["tools", call(2, "tools/list", undefined, known)], [
        "search",
        call(3, "tools/call", search, known),
      ]] as const
    ) {
      const response = await fetch(`http://127.0.0.1:${HTTP_PORT}/mcp`, init);
      recorder.write("mcp http", `${subject} in a session`, [
        `--- ${response.status}`,
        await response.text(),
      ]);
    }
    await ask("unknown session", "/mcp", call(4, "tools/list", undefined, { "mcp-session-id": "nothing" }));
    await ask("without a session", "/mcp", call(5, "tools/list"));
    const raw = await rawRequest([
      "POST /mcp HTTP/1.1",
      "Host: example.org",
      "Content-Type: application/json",
      "Connection: close",
      `Content-Length: ${hello.length}`,
      "",
      hello,
    ]);
    recorder.write("mcp http", "other host", raw);
    await ask("other origin", "/mcp", {
      method: "POST",
      headers: { ...json, origin: "https://example.org" },
      body: hello,
    });
    await ask("no JSON", "/mcp", { method: "POST", headers: json, body: "{nothing" });
    await ask("other type", "/mcp", {
      method: "POST",
      headers: { ...json, "content-type": "text/plain" },
      body: hello,
    });
    await ask("too large", "/mcp", { method: "POST", headers: json, body: `"${"x".repeat(1_100_000)}"` });
    await ask("other method", "/mcp", { method: "PUT", headers: json, body: hello });
    await ask("get without a session", "/mcp", { headers: { accept: "text/event-stream" } });
  });
  await serve(
    ["--token-env", "MUXUE_TOKEN", "--language", "zh"],
    { env: { MUXUE_TOKEN: token } },
    async () => {
      await ask("health with a token", "/healthz");
      await ask("metrics without the token", "/metrics");
      await ask("without the token", "/mcp", { method: "POST", headers: json, body: hello });
      const headers = { ...json, authorization: "Bearer wrong" };
      await ask("wrong token", "/mcp", { method: "POST", headers, body: hello });
      await ask("right token", "/mcp", {
        method: "POST",
        headers: { ...json, authorization: `Bearer ${token}` },
        body: hello,
      });
    },
  );
}

/** Sends a request with a header that `fetch` does not send. Returns it with the answer, without its date. */
async function rawRequest(lines: readonly string[]): Promise<string[]> {
  using connection = await Deno.connect({ port: HTTP_PORT, hostname: "127.0.0.1" });
  await connection.write(new TextEncoder().encode(lines.join("\r\n")));
  const answer = await new Response(connection.readable).text();
  return [...lines, "--- answer", ...answer.split("\r\n").filter((line) => !/^date:/i.test(line))];
}

async function listening(): Promise<void> {
  for (let i = 0; i < 200; i++) {
    try {
      const connection = await Deno.connect({ port: HTTP_PORT, hostname: "127.0.0.1" });
      connection.close();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error("the server over HTTP does not listen");
}
