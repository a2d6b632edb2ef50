import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { muxueRag, type Place, type Run, sandbox, type Setting } from "../cli/_muxue_rag.ts";
import { EmbeddingServer } from "../embedding/_embedding_server.ts";
import { program } from "./_program.ts";

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

Deno.test("a killed run keeps the vectors that it has paid for, and the key is in no file", async () => {
  await using job = await work(6);
  // The request for the dimensions, two batches, and a batch that never arrives.
  const { code } = await killedAt(job, 4, "SIGKILL");
  ok(code !== 0);
  const paid = job.sent().length - 2;
  equal(paid, 4);
  match(namesIn(job.dir).join(" "), /index\.bin\.\w+\.tmp.* vectors-\w+\.cache/);
  const cached = namesIn(job.dir).filter((name) => name.startsWith("vectors-"));
  deepEqual(await filesWith(join(job.dir, ".muxue_rag"), "hush"), []);

  const again = await job.run(["--dir", job.dir, "--json"]);
  equal(again.code, 0, again.stderr);
  equal(JSON.parse(again.stdout).data.files, 6);
  equal(job.sent().length, 2);
  deepEqual(namesIn(job.dir), [".gitignore", "index.bin", "lock"], `without ${cached}`);

  const search = await job.run(["search", "anything else", "--dir", job.dir, "--mode", "semantic", "--json"]);
  const { match_content: hits } = JSON.parse(search.stdout).data;
  ok(hits.length > 0, search.stdout);
  deepEqual(job.sent(), []);
  deepEqual(await filesWith(job.place.path, "hush"), []);
  ok((await filesWith(job.place.path, "ingest.done")).length > 0, "there is a log");
});

Deno.test("Ctrl-C while the server works leaves the old index, and the next run sends the rest", {
  ignore: windows,
}, async () => {
  await using job = await work(1);
  equal((await job.run(["--dir", job.dir, "--quiet"])).code, 0);
  job.sent();
  const index = join(job.dir, ".muxue_rag", "index.bin");
  const before = await Deno.readFile(index);
  for (let i = 2; i <= 7; i++) await Deno.writeTextFile(join(job.dir, `${i}.txt`), `text ${i}`);
  const { code, stderr } = await killedAt(job, 3, "SIGINT");
  equal(code, 130);
  match(stderr, /Stopped. The existing index is unchanged/);
  deepEqual(await Deno.readFile(index), before);
  const paid = job.sent().slice(0, 4);
  equal((await job.run(["--dir", job.dir, "--quiet"])).code, 0);
  deepEqual(job.sent(), ["text 6", "text 7"]);
  equal(paid.length, 4);
});

Deno.test("without the server, indexing explains what to do, and a search uses keywords with a notice in both languages", async () => {
  await using job = await work(2);
  equal((await job.run(["--dir", job.dir, "--quiet"])).code, 0);
  await job.server.stop();
  await Deno.writeTextFile(join(job.dir, "3.txt"), "text 3");
  const { url } = job.server;
  const indexing = await job.run(["--dir", job.dir]);
  deepEqual([indexing.code, indexing.stdout, indexing.stderr.trimEnd().split("\n").at(-1)], [
    1,
    "",
    `Error: Nothing answers at ${url} (connection refused). Start the embedding server (in LM Studio: Local Server), ` +
    "or check embedding.base_url",
  ]);
  const search = async (language: string) => {
    const { code, stdout, stderr } = await job.run(["search", "2", "--dir", job.dir], {
      MUXUE_RAG_LANGUAGE: language,
    });
    equal(code, 0);
    match(stdout, /^1\. .*2\.txt:1 /);
    return stderr.trimEnd().split("\n");
  };
  const [stale, words, ...rest] = await search("en");
  match(
    stale!,
    /^Note: The index of .* could not be updated, so the existing index was searched: Nothing answers at /,
  );
  match(
    words!,
    /^Note: The embedding server did not answer, so only keywords were searched: Nothing answers at /,
  );
  deepEqual(rest.map((line) => /^Note: (1 file is newer than the index)/.exec(line)?.[1]), [
    "1 file is newer than the index",
  ]);
  match((await search("zh")).join("\n"), /^注意：语义向量服务未能回答，仅按关键词检索：\S+ 没有服务在运行/m);
});

Deno.test("texts that the server refuses are reported, and reembed requests all vectors again", async () => {
  await using job = await work(3);
  job.server.rule = ({ input }) =>
    input.includes("text 2") ? { status: 400, body: { error: "inappropriate" } } : undefined;
  const { code, stderr } = await job.run(["--dir", job.dir]);
  deepEqual([code, stderr.trimEnd().split("\n").at(-1)], [
    0,
    "Note: The embedding server rejected 1 text. They can be found by keywords only; --full tries them again",
  ]);
  job.server.rule = () => undefined;
  job.sent();
  const full = await job.run(["--dir", job.dir, "--full"]);
  ok(!full.stderr.includes("Note: "), full.stderr);
  deepEqual([full.code, job.sent()], [0, ["text 2"]]);
  const anew = await job.run(["reembed", "--dir", job.dir, "--quiet"]);
  deepEqual([anew.code, anew.stderr, job.sent()], [0, "", ["text 1", "text 2", "text 3"]]);
});
