import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import project from "../../deno.json" with { type: "json" };
import { AUTHORITY } from "../models/embedding/_self_signed.ts";
import { EmbeddingServer } from "../models/embedding/_embedding_server.ts";
import { muxueRag, sandbox } from "../program/_muxue_rag.ts";
import { program, smokeTest } from "./_program.ts";

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
  await using place = await sandbox(start);
  await using server = await EmbeddingServer.start();
  const proxy = "http://127.0.0.1:59998";
  const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
  const env = { ...using(server.url), ...Object.fromEntries(names.map((name) => [name, proxy])) };
  for (const noProxy of [{}, { NO_PROXY: "example.org", no_proxy: "example.org" }]) {
    const { code, stdout, stderr } = await muxueRag(place, ["doctor"], { env: { ...env, ...noProxy } });
    deepEqual([code, stderr], [0, ""], stdout);
    match(stdout, /✓ 8 dimensions/);
  }
});

Deno.test("a certificate of one's own is taken once DENO_CERT names its authority", async () => {
  await using place = await sandbox();
  await using server = await EmbeddingServer.start({ tls: true });
  const refused = await muxueRag(place, ["doctor"], { env: using(server.url) });
  equal(refused.code, 1);
  match(
    refused.stdout,
    /✗ The certificate of \S+ is not trusted \(invalid peer certificate: UnknownIssuer\)/,
  );
  const authority = join(place.path, "authority.pem");
  await Deno.writeTextFile(authority, AUTHORITY);
  const { code, stdout } = await muxueRag(place, ["doctor"], {
    env: { ...using(server.url), DENO_CERT: authority },
  });
  equal(code, 0, stdout);
});

Deno.test("Ctrl-C ends a request to a server that does not answer", async () => {
  if (Deno.build.os === "windows") return;
  await using place = await sandbox();
  await using server = await EmbeddingServer.start();
  server.rule = () => "hang";
  const { cmd, args } = program(["doctor"]);
  const child = new Deno.Command(cmd, {
    args,
    cwd: place.path,
    env: { ...using(server.url), MUXUE_RAG_STATE_DIR: place.path, MUXUE_RAG_CONFIG_DIR: place.path },
    stdout: "null",
    stderr: "null",
  }).spawn();
  while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGINT");
  equal((await child.status).code, 130);
});

Deno.test("the SDK for embedding servers is not loaded without such a server", async () => {
  await using place = await sandbox();
  const imports = Object.fromEntries(
    Object.entries(project.imports).map(([name, target]) =>
      /^(?:ai$|@ai-sdk)/.test(name)
        ? [name, "data:text/javascript,throw new Error('loaded')"]
        : [name, target.startsWith("./") ? new URL(`../../${target}`, import.meta.url).href : target]
    ),
  );
  // Deno reads the modules of another folder by the configuration there, unless it is told to read none.
  const map = join(place.path, "import_map.json");
  await Deno.writeTextFile(map, JSON.stringify({ imports }));
  const doctor = async (env: Record<string, string>) => {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-prompt",
        "--no-check",
        "--no-lock",
        "--no-config",
        "--node-modules-dir=none",
        ...project.unstable.map((feature) => `--unstable-${feature}`),
        `--import-map=${map}`,
        "--allow-all",
        join(fileURLToPath(new URL("../../", import.meta.url)), "main.ts"),
        "doctor",
      ],
      cwd: place.path,
      env: { ...env, MUXUE_RAG_STATE_DIR: place.path, MUXUE_RAG_CONFIG_DIR: place.path },
    }).output();
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  };
  match(await doctor({ MUXUE_RAG_LANGUAGE: "en" }), /✓ \d+ dimensions/);
  match(await doctor(using("http://127.0.0.1:1/v1")), /loaded|SyntaxError|does not provide/);
});
