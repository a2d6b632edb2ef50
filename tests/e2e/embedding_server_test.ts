import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { posixTest } from "../_posix.ts";
import project from "../../deno.json" with { type: "json" };
import { AUTHORITY } from "../models/embedding/_self_signed.ts";
import { EmbeddingServer } from "../models/embedding/_embedding_server.ts";
import { makeSandbox, output, smokeTest, spawnIn } from "./_program.ts";

/** Returns the environment with which the program uses a server. */
function using(url: string): Record<string, string> {
  return {
    MUXUE_RAG_LANGUAGE: "en",
    MUXUE_RAG_EMBEDDING_PROVIDER: "openai-compatible",
    MUXUE_RAG_EMBEDDING_BASE_URL: url,
    MUXUE_RAG_EMBEDDING_MODEL: "test-embed",
  };
}

smokeTest("a server on this machine is reached without the proxy of the environment", async (start) => {
  await using server = await EmbeddingServer.start();
  await using sandbox = await makeSandbox({}, { start, env: using(server.url) });
  const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
  for (const name of names) sandbox.env[name] = "http://127.0.0.1:59998";
  for (const env of [{}, { NO_PROXY: "example.org", no_proxy: "example.org" }]) {
    const { code, stdout, stderr } = await sandbox.runIn({ env })`doctor`;
    deepEqual([code, stderr], [0, ""], stdout);
    match(stdout, /✓ 8 dimensions/);
  }
});

Deno.test("a certificate of one's own is taken once DENO_CERT names its authority", async () => {
  await using server = await EmbeddingServer.start({ tls: true });
  await using sandbox = await makeSandbox({}, { env: using(server.url) });
  const refused = await sandbox.run`doctor`;
  equal(refused.code, 1);
  match(
    refused.stdout,
    /✗ The certificate of \S+ is not trusted \(invalid peer certificate: UnknownIssuer\)/,
  );
  sandbox.env["DENO_CERT"] = join(sandbox.cwd, "authority.pem");
  await Deno.writeTextFile(sandbox.env["DENO_CERT"], AUTHORITY);
  const { code, stdout } = await sandbox.run`doctor`;
  equal(code, 0, stdout);
});

posixTest("Ctrl-C ends a request to a server that does not answer", async () => {
  await using server = await EmbeddingServer.start();
  await using sandbox = await makeSandbox({}, { env: using(server.url) });
  server.rule = () => "hang";
  const child = spawnIn(sandbox, sandbox.start(["doctor"]), "null");
  while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGINT");
  equal((await child.output()).code, 130);
});

Deno.test("the SDK for embedding servers is not loaded without such a server", async () => {
  await using sandbox = await makeSandbox({});
  const imports = Object.fromEntries(
    Object.entries(project.imports).map(([name, target]) =>
      /^(?:ai$|@ai-sdk)/.test(name)
        ? [name, "data:text/javascript,throw new Error('loaded')"]
        : [name, target.startsWith("./") ? new URL(`../../${target}`, import.meta.url).href : target]
    ),
  );
  // Deno reads the modules of another folder by the configuration there, unless it is told to read none.
  const map = join(sandbox.cwd, "import_map.json");
  await Deno.writeTextFile(map, JSON.stringify({ imports }));
  const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
  const args = [
    ...["run", "--quiet", "--no-prompt", "--no-check", "--no-lock", "--no-config", "--node-modules-dir=none"],
    ...project.unstable.map((feature) => `--unstable-${feature}`),
    ...[`--import-map=${map}`, "--allow-all", main, "doctor"],
  ];
  const doctor = async (env: Record<string, string>) => {
    const { stdout, stderr } = await output(Deno.execPath(), args, {
      cwd: sandbox.cwd,
      env: { ...env, MUXUE_RAG_STATE_DIR: sandbox.cwd, MUXUE_RAG_CONFIG_DIR: sandbox.cwd },
    });
    return stdout + stderr;
  };
  match(await doctor({ MUXUE_RAG_LANGUAGE: "en" }), /✓ \d+ dimensions/);
  match(await doctor(using("http://127.0.0.1:1/v1")), /loaded|SyntaxError|does not provide/);
});
