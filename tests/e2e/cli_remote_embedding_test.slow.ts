import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { muxueRag, type Place, type Run, sandbox, type Setting } from "../program/_muxue_rag.ts";
import { EmbeddingServer, type Fault } from "../models/embedding/_embedding_server.ts";
import { ask } from "./_ask.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { makeSandbox, program } from "./_program.ts";

const windows = Deno.build.os === "windows";
const KEY = "sk-hush-0123456789";

/** A folder with files of one chunk each, and a server that embeds two texts per request, one request at a time. */
interface Work extends AsyncDisposable {
  readonly place: Place;
  readonly server: EmbeddingServer;
  readonly dir: string;
  readonly setting: Setting;
  /** Runs the program to its end. */
  run(args: readonly string[], env?: Record<string, string>): Promise<Run>;
  /** Returns the texts of files that the server has received since the last call, sorted. */
  sent(): string[];
}

async function work(files: number): Promise<Work> {
  const place = await sandbox();
  const server = await EmbeddingServer.start();
  const dir = join(place.path, "notes");
  await Deno.mkdir(dir);
  for (let i = 1; i <= files; i++) await Deno.writeTextFile(join(dir, `${i}.txt`), `text ${i}`);
  const setting = {
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      MUXUE_RAG_LOG_LEVEL: "debug",
      MUXUE_RAG_EMBEDDING_PROVIDER: "openai-compatible",
      MUXUE_RAG_EMBEDDING_BASE_URL: server.url,
      MUXUE_RAG_EMBEDDING_MODEL: "test-embed",
      MUXUE_RAG_EMBEDDING_API_KEY: "env:KEY_OF_THE_SERVER",
      MUXUE_RAG_EMBEDDING_BATCH_SIZE: "2",
      MUXUE_RAG_EMBEDDING_CONCURRENCY: "1",
      KEY_OF_THE_SERVER: KEY,
    },
  };
  let told = 0;
  return {
    place,
    server,
    dir,
    setting,
    run: (args, env = {}) => muxueRag(place, args, { env: { ...setting.env, ...env } }),
    sent() {
      const fresh = server.requests.slice(told);
      told = server.requests.length;
      return fresh.flatMap(({ input }) => input).filter((text) => text.startsWith("text ")).sort();
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** Runs `--dir` and sends it a signal at the server's `count`th request, which gets no answer. */
async function killedAt({ place, server, dir, setting }: Work, count: number, signal: Deno.Signal) {
  const { cmd, args } = program(["--dir", dir]);
  const child = new Deno.Command(cmd, {
    args,
    cwd: place.path,
    env: {
      ...setting.env,
      MUXUE_RAG_STATE_DIR: join(place.path, "state"),
      MUXUE_RAG_CONFIG_DIR: join(place.path, "settings"),
    },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const before = server.requests.length;
  server.rule = () => {
    if (server.requests.length < before + count) return undefined;
    child.kill(signal);
    return "hang";
  };
  const { code, stderr } = await child.output();
  server.rule = () => undefined;
  return { code, stderr: new TextDecoder().decode(stderr) };
}

/** Returns the files below `path` that contain `text`. */
async function filesWith(path: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    const full = join(path, name);
    if (isDirectory) found.push(...await filesWith(full, text));
    else if (new TextDecoder("latin1").decode(await Deno.readFile(full)).includes(text)) found.push(full);
  }
  return found;
}

const namesIn = (dir: string) =>
  [...Deno.readDirSync(join(dir, ".muxue_rag"))].map(({ name }) => name).sort();

/** The warning that ends a run whose server gave only a part of the vectors. */
const missing = ({ dir }: Work, share: string, reason: string) =>
  `Note: ${dir} can be searched, but the embedding server has not given all vectors (${share}): ${reason}. ` +
  "Until then, keywords and built-in word vectors are searched. When the server answers again, serve requests the rest, " +
  `and so does: muxue_rag index ${dir}`;

const lastLine = ({ stderr }: Run) => stderr.trimEnd().split("\n").at(-1);

Deno.test("a killed run keeps the index and the vectors that it has paid for, and the key is in no file", async () => {
  await using job = await work(6);
  // The request for the dimensions, two batches, and a batch that never arrives.
  const { code } = await killedAt(job, 4, "SIGKILL");
  ok(code !== 0);
  equal(job.sent().length - 2, 4);
  match(namesIn(job.dir).join(" "), /index\.bin .*server-\w+\.vec/);
  deepEqual(await filesWith(join(job.dir, ".muxue_rag"), "hush"), []);

  const again = await job.run(["--dir", job.dir, "--json"]);
  equal(again.code, 0, again.stderr);
  deepEqual(JSON.parse(again.stdout).data.vectors, { done: 6, total: 6, embedded: 2, refused: 0 });
  equal(job.sent().length, 2);

  const search = await job.run(["search", "anything else", "--dir", job.dir, "--mode", "semantic", "--json"]);
  const { match_content: hits } = JSON.parse(search.stdout).data;
  ok(hits.length > 0, search.stdout);
  deepEqual(job.sent(), []);
  deepEqual(await filesWith(job.place.path, "hush"), []);
  ok((await filesWith(job.place.path, "ingest.done")).length > 0, "there is a log");
});

Deno.test("Ctrl-C while the server works keeps the index and its vectors, and the next run sends the rest", {
  ignore: windows,
}, async () => {
  await using job = await work(7);
  const { code } = await killedAt(job, 4, "SIGINT");
  equal(code, 130);
  const paid = job.sent().slice(0, 4);
  equal((await job.run(["--dir", job.dir, "--quiet"])).code, 0);
  deepEqual([paid.length, job.sent().length], [4, 3]);
});

Deno.test("without the server, the folder is indexed with a warning, and the vectors follow with the next run", async () => {
  await using job = await work(6);
  const { port, url } = job.server;
  await job.server.stop();
  const refused =
    `Nothing answers at ${url} (connection refused). Start the embedding server (in LM Studio: Local Server), ` +
    "or check embedding.base_url";
  const run = await job.run(["--dir", job.dir]);
  deepEqual([run.code, lastLine(run)], [0, missing(job, "0 of 6", refused)]);
  match(run.stdout, /^Indexed: /);
  const json = await job.run(["--dir", job.dir, "--json"]);
  const { data: { files, vectors, warnings } } = JSON.parse(json.stdout);
  deepEqual([json.code, files, vectors], [0, 6, { done: 0, total: 6 }]);
  deepEqual(warnings, [missing(job, "0 of 6", refused).slice("Note: ".length)]);

  for (const mode of ["hybrid", "semantic"]) {
    const search = await job.run(["search", "text 2", "--dir", job.dir, "--mode", mode]);
    equal(search.code, 0);
    match(search.stdout, /^1\. /);
    match(
      search.stderr,
      /^Note: Vectors of the embedding server: 0 %\. Other chunks are ranked by keywords/m,
    );
  }
  match((await job.run(["status", "--dir", job.dir])).stdout, /Model vectors +test-embed: 0\/6 \(0 %\)/);
  const doctor = await job.run(["doctor", "--dir", job.dir]);
  equal(doctor.code, 1);
  match(doctor.stdout, /Vectors +✗ Nothing answers at/);
  match(doctor.stdout, /: ready, vectors of builtin\/1, and 0 of 6 of test-embed\n/);

  await using back = await EmbeddingServer.start({ port });
  const next = await job.run(["--dir", job.dir, "--json"]);
  deepEqual(JSON.parse(next.stdout).data.vectors, { done: 6, total: 6, embedded: 6, refused: 0 });
  equal(back.texts().filter((text) => text.startsWith("text ")).length, 6);
  match((await job.run(["doctor", "--dir", job.dir])).stdout, /and 6 of 6 of test-embed\n/);
});

Deno.test("what a server gave before it died or refused is kept, and the message names numbers and the setting", async () => {
  const faults: Record<string, readonly [Fault, string]> = {
    "dies": ["cut", "closed the connection"],
    "too many requests": [
      { status: 429, headers: { "retry-after": "600" }, body: { error: "slow down" } },
      "limits the rate of requests: slow down. Finished work is kept. Try again later, or lower embedding.concurrency",
    ],
    "wrong dimensions": [
      "wrong dimension",
      "The vectors of the model test-embed have 3 dimensions instead of 8. Check embedding.dimensions. " +
      "If the model on the server has changed, request all vectors again: muxue_rag reembed",
    ],
  };
  for (const [name, [fault, words]] of Object.entries(faults)) {
    await using job = await work(8);
    // the request for the dimensions and half of the batches
    job.server.rule = () => job.server.requests.length > 3 ? fault : undefined;
    const run = await job.run(["--dir", job.dir], { MUXUE_RAG_EMBEDDING_MAX_RETRIES: "0" });
    equal(run.code, 0, name);
    match(
      lastLine(run)!,
      /can be searched, but the embedding server has not given all vectors \(4 of 8\): /,
      name,
    );
    ok(lastLine(run)!.includes(words), `${name}: ${lastLine(run)}`);
    job.server.rule = () => undefined;
    job.sent();
    equal((await job.run(["--dir", job.dir, "--quiet"])).code, 0);
    equal(job.sent().length, 4, name);
  }
});

Deno.test("a server that always gives wrong dimensions leaves an index that can be searched", async () => {
  await using job = await work(2);
  const run = await job.run(["--dir", job.dir], { MUXUE_RAG_EMBEDDING_DIMENSIONS: "16" });
  equal(run.code, 0);
  job.server.rule = () => "wrong dimension";
  await Deno.writeTextFile(join(job.dir, "new.txt"), "text 9");
  const other = await job.run(["--dir", job.dir], { MUXUE_RAG_EMBEDDING_DIMENSIONS: "16" });
  equal(other.code, 0);
  match(
    lastLine(other)!,
    /\(2 of 3\): The vectors of the model test-embed have 3 dimensions instead of 16\. Check embedding\.dimensions/,
  );
  match((await job.run(["search", "text 9", "--dir", job.dir])).stdout, /^1\. .*new\.txt/);
});

Deno.test("texts that the server refuses are reported, and reembed requests all vectors again", async () => {
  await using job = await work(3);
  job.server.rule = ({ input }) =>
    input.includes("text 2") ? { status: 400, body: { error: "inappropriate" } } : undefined;
  const { code, stdout } = await job.run(["--dir", job.dir]);
  equal(code, 0);
  match(
    stdout,
    /Vectors of the model: 3 of 3 \(1 text was refused by the model and is ranked without it\)\n$/,
  );
  job.server.rule = () => undefined;
  job.sent();
  const anew = await job.run(["reembed", "--dir", job.dir, "--quiet"]);
  deepEqual([anew.code, anew.stderr, job.sent()], [0, "", ["text 1", "text 2", "text 3"]]);
});

Deno.test("while serving, the vectors of a server that was down follow when it answers, without a restart", async () => {
  const dead = await EmbeddingServer.start();
  const { port, url } = dead;
  await dead.stop();
  await using sandbox = await makeSandbox({ "1.txt": "text 1", "2.txt": "text 2" });
  const config = join(sandbox.cwd, "config.json");
  const embedding = { provider: "openai-compatible", "base_url": url, model: "test-embed" };
  await Deno.writeTextFile(config, JSON.stringify({ language: "en", embedding }));
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--config", config]);
  const share = "Vectors of the embedding server: 0 %. Other chunks are ranked by keywords";
  await ask(pipe, "text 2", (text) => text.includes("2.txt") && text.includes(share));
  // At least one attempt has failed by now.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  await using back = await EmbeddingServer.start({ port });
  await ask(
    pipe,
    "text 2",
    (text) => text.includes("2.txt") && !text.includes("Vectors of the embedding server"),
  );
  deepEqual(back.texts().filter((text) => text === "text 1"), ["text 1"]);
  const { stderr } = await pipe.end();
  match(
    stderr,
    /The embedding server gave no vectors for .*: Nothing answers at .* the rest is requested when the server answers/,
  );
});
