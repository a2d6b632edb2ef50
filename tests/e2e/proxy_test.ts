import { deepEqual, equal } from "node:assert/strict";
import { createServer } from "node:http";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startHttpProgram } from "./_http_program.ts";
import { makeSandbox, output } from "./_program.ts";

const TEA = { "tea.md": "Green tea wants 80 degrees.\n" };
const TOKEN = { MUXUE_TOKEN: "0123456789abcdef0123456789abcdef" };

/** Whether Caddy is installed; `.ci/run` installs it where it can. */
const hasCaddy = await output("caddy", ["version"]).then(({ code }) => code === 0, () => false);

/** The proxy's configuration in a language of the guide. */
async function proxyInGuide(language: string): Promise<string> {
  const page = new URL(`../../examples/docs/${language}/mcp-clients.md`, import.meta.url);
  return /^```text\n(files\.example\.org \{\n[\s\S]*?)^```$/m.exec(await Deno.readTextFile(page))![1]!;
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

Deno.test({
  name:
    "official clients reach the server through the guide's proxy after sign-in, and nobody else does (needs Caddy)",
  ignore: !hasCaddy,
  fn: async () => {
    equal(await proxyInGuide("zh"), await proxyInGuide("en"));
    await using sandbox = await makeSandbox(TEA, { env: TOKEN });
    const port = freePort();
    const names = ["--allow-host", `127.0.0.1:${port}`];
    await using server = await startHttpProgram(sandbox, "--token-env", "MUXUE_TOKEN", ...names);

    const signIn = createServer((request, reply) => {
      const isUser = request.url === "/oauth2/auth" && request.headers.authorization === "Bearer of a user";
      reply.writeHead(isUser ? 202 : 401).end();
    });
    await new Promise<void>((resolve) => signIn.listen(0, "127.0.0.1", resolve));
    const configuration = (await proxyInGuide("en"))
      .replace("files.example.org {", `http://127.0.0.1:${port} {`)
      .replace("127.0.0.1:4180", `127.0.0.1:${(signIn.address() as { port: number }).port}`)
      .replace("127.0.0.1:7368", server.url.host);
    const file = join(sandbox.cwd, "Caddyfile");
    await Deno.writeTextFile(
      file,
      `{\n  admin off\n  auto_https off\n  grace_period 100ms\n}\n${configuration}`,
    );
    const proxy = new Deno.Command("caddy", {
      args: ["run", "--adapter", "caddyfile", "--config", file],
      env: { ...sandbox.env, HOME: sandbox.cwd, XDG_DATA_HOME: sandbox.cwd, XDG_CONFIG_HOME: sandbox.cwd },
      clearEnv: true,
      stdout: "null",
      stderr: "null",
    }).spawn();
    try {
      const url = new URL(`http://127.0.0.1:${port}/mcp`);
      const get = async (path: string) => {
        for (;;) {
          try {
            const response = await fetch(new URL(path, url));
            return { status: response.status, headers: response.headers, text: await response.text() };
          } catch {
            // The proxy does not listen yet.
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        }
      };
      const refused = await get("/mcp");
      const metadata = "/.well-known/oauth-protected-resource";
      deepEqual([refused.status, refused.headers.get("www-authenticate")], [
        401,
        `Bearer resource_metadata="https://files.example.org${metadata}"`,
      ]);
      deepEqual(JSON.parse((await get(metadata)).text), {
        resource: "https://files.example.org/mcp",
        "authorization_servers": ["https://login.example.org"],
      });
      deepEqual([(await get("/metrics")).status, (await get("/healthz")).status], [404, 404]);
      for (const [mode, revision] of [["legacy", "2025-11-25"], ["auto", "2026-07-28"]] as const) {
        const client = new Client({ name: "proxy", version: "0" }, { versionNegotiation: { mode } });
        await client.connect(
          new StreamableHTTPClientTransport(url, {
            requestInit: { headers: { Authorization: "Bearer of a user" } },
          }),
        );
        const { structuredContent } = await client.callTool({ name: "list_collections", arguments: {} });
        equal((structuredContent as { code: number }).code, 200);
        equal(client.getNegotiatedProtocolVersion(), revision);
        await client.close();
      }
    } finally {
      proxy.kill("SIGTERM");
      await proxy.status;
      await new Promise((resolve) => signIn.close(resolve));
    }
  },
});

Deno.test("a server with a token in a variable names a command that does not write the token", async () => {
  await using sandbox = await makeSandbox(TEA, { env: TOKEN });
  await using server = await startHttpProgram(sandbox, "--token-env", "MUXUE_TOKEN");
  const command = `muxue_rag setup claude-code --url ${server.url} --token-env MUXUE_TOKEN --write`;
  equal(/muxue_rag setup .*/.exec(server.stderr())?.[0], command);
});
