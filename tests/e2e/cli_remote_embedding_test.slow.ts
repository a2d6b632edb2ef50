import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { posixTest } from "../_posix.ts";
import { EmbeddingServer, type Fault } from "../models/embedding/_embedding_server.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { type Ended, makeSandbox, type Run, type Sandbox, spawnIn } from "./_program.ts";

const KEY = "sk-hush-0123456789";

/** A folder with files of one chunk each, and a server that embeds two texts per request, one request at a time. */
interface Work extends AsyncDisposable {
  readonly place: Sandbox;
  readonly server: EmbeddingServer;
  readonly dir: string;
  readonly run: Run;
  /** Returns the texts of files that the server has received since the last call, sorted. */
  sent(): string[];
}

async function work(files: number): Promise<Work> {
  const server = await EmbeddingServer.start();
  const place = await makeSandbox(
    Object.fromEntries(Array.from({ length: files }, (_, i) => [`${i + 1}.txt`, `text ${i + 1}`])),
    {
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
    },
  );
  let told = 0;
  return {
    ...{ place, server, dir: place.folder, run: place.run },
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
async function killedAt({ place, server, dir }: Work, count: number, signal: Deno.Signal): Promise<number> {
  const child = spawnIn(place, place.start(["--dir", dir]), "null");
  const before = server.requests.length;
  server.rule = () => {
    if (server.requests.length < before + count) return undefined;
    child.kill(signal);
    return "hang";
  };
  const { code } = await child.output();
  server.rule = () => undefined;
  return code;
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
  `and so does: muxue_rag index '${dir}'`;

const lastLine = ({ stderr }: Ended) => stderr.trimEnd().split("\n").at(-1);

Deno.test("a killed run keeps the index and the vectors that it has paid for, and the key is in no file", async () => {
  await using job = await work(6);
  const { dir, run, sent } = job;
  // The request for the dimensions, two batches, and a batch that never arrives.
  ok(await killedAt(job, 4, "SIGKILL") !== 0);
  equal(sent().length - 2, 4);
  match(namesIn(dir).join(" "), /index\.bin .*server-\w+\.vec/);
  deepEqual(await filesWith(join(dir, ".muxue_rag"), "hush"), []);

  const again = await run`--dir ${dir} --json`;
  equal(again.code, 0, again.stderr);
  deepEqual(JSON.parse(again.stdout).data.vectors, { done: 6, total: 6, embedded: 2, refused: 0 });
  equal(sent().length, 2);

  const search = await run`search ${"anything else"} --dir ${dir} --mode semantic --json`;
  ok(JSON.parse(search.stdout).data.match_content.length > 0, search.stdout);
  deepEqual(sent(), []);
  deepEqual(await filesWith(job.place.cwd, "hush"), []);
  ok((await filesWith(job.place.cwd, "ingest.done")).length > 0, "there is a log");
});

posixTest(
  "Ctrl-C while the server works keeps the index and its vectors, and the next run sends the rest",
  async () => {
    await using job = await work(7);
    equal(await killedAt(job, 4, "SIGINT"), 130);
    const paid = job.sent().slice(0, 4);
    equal((await job.run`--dir ${job.dir} --quiet`).code, 0);
    deepEqual([paid.length, job.sent().length], [4, 3]);
  },
);

Deno.test("without the server, the folder is indexed with a warning, and the vectors follow with the next run", async () => {
  await using job = await work(6);
  const { dir, run } = job;
  const { port, url } = job.server;
  await job.server.stop();
  const refused =
    `Nothing answers at ${url} (connection refused). Start the embedding server (in LM Studio: Local Server), ` +
    "or check embedding.base_url";
  const first = await run`--dir ${dir}`;
  deepEqual([first.code, lastLine(first)], [0, missing(job, "0 of 6", refused)]);
  match(first.stdout, /^Indexed: /);
  const json = await run`--dir ${dir} --json`;
  const { data: { files, vectors, warnings } } = JSON.parse(json.stdout);
  deepEqual([json.code, files, vectors], [0, 6, { done: 0, total: 6 }]);
  deepEqual(warnings, [missing(job, "0 of 6", refused).slice("Note: ".length)]);

  for (const mode of ["hybrid", "semantic"]) {
    const { code, stdout, stderr } = await run`search ${"text 2"} --dir ${dir} --mode ${mode}`;
    equal(code, 0);
    match(stdout, /^1\. /);
    match(stderr, /^Note: Vectors of the embedding server: 0 %\. Other chunks are ranked by keywords/m);
  }
  match((await run`status --dir ${dir}`).stdout, /Model vectors +test-embed: 0\/6 \(0 %\)/);
  const doctor = await run`doctor --dir ${dir}`;
  equal(doctor.code, 1);
  match(doctor.stdout, /Vectors +✗ Nothing answers at/);
  match(doctor.stdout, /: ready, vectors of builtin\/1, and 0 of 6 of test-embed\n/);

  await using back = await EmbeddingServer.start({ port });
  const next = await run`--dir ${dir} --json`;
  deepEqual(JSON.parse(next.stdout).data.vectors, { done: 6, total: 6, embedded: 6, refused: 0 });
  equal(back.texts().filter((text) => text.startsWith("text ")).length, 6);
  match((await run`doctor --dir ${dir}`).stdout, /and 6 of 6 of test-embed\n/);
});

Deno.test("the vectors of a server are kept when it dies or refuses, and the message names their number and the setting", async () => {
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
    const run = await job.place.runIn({ env: { MUXUE_RAG_EMBEDDING_MAX_RETRIES: "0" } })`--dir ${job.dir}`;
    equal(run.code, 0, name);
    const share = "can be searched, but the embedding server has not given all vectors (4 of 8): ";
    ok(lastLine(run)!.includes(share) && lastLine(run)!.includes(words), `${name}: ${lastLine(run)}`);
    job.server.rule = () => undefined;
    job.sent();
    equal((await job.run`--dir ${job.dir} --quiet`).code, 0);
    equal(job.sent().length, 4, name);
  }
});

Deno.test("a server that always gives wrong dimensions leaves an index that can be searched", async () => {
  await using job = await work(2);
  const run = job.place.runIn({ env: { MUXUE_RAG_EMBEDDING_DIMENSIONS: "16" } });
  equal((await run`--dir ${job.dir}`).code, 0);
  job.server.rule = () => "wrong dimension";
  await Deno.writeTextFile(join(job.dir, "new.txt"), "text 9");
  const other = await run`--dir ${job.dir}`;
  equal(other.code, 0);
  match(
    lastLine(other)!,
    /\(2 of 3\): The vectors of the model test-embed have 3 dimensions instead of 16\. Check embedding\.dimensions/,
  );
  match((await job.run`search ${"text 9"} --dir ${job.dir}`).stdout, /^1\. .*new\.txt/);
});

Deno.test("texts that the server refuses are reported, and reembed requests all vectors again", async () => {
  await using job = await work(3);
  job.server.rule = ({ input }) =>
    input.includes("text 2") ? { status: 400, body: { error: "inappropriate" } } : undefined;
  const { code, stdout } = await job.run`--dir ${job.dir}`;
  equal(code, 0);
  match(
    stdout,
    /Vectors of the model: 3 of 3 \(1 text was refused by the model and is ranked without it\)\n$/,
  );
  job.server.rule = () => undefined;
  job.sent();
  const anew = await job.run`reembed --dir ${job.dir} --quiet`;
  deepEqual([anew.code, anew.stderr, job.sent()], [0, "", ["text 1", "text 2", "text 3"]]);
});

Deno.test("while serving, the vectors of a server that was down follow when it answers, without a restart", async () => {
  await using job = await work(2);
  const { port } = job.server;
  await job.server.stop();
  await using pipe = await openPipe(job.place);
  const share = "Vectors of the embedding server: 0 %. Other chunks are ranked by keywords";
  await pipe.searchUntil("text 2", (text) => text.includes("2.txt") && text.includes(share));
  // At least one attempt has failed by now.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  await using back = await EmbeddingServer.start({ port });
  const isWhole = (text: string) =>
    text.includes("2.txt") && !text.includes("Vectors of the embedding server");
  await pipe.searchUntil("text 2", isWhole);
  deepEqual(back.texts().filter((text) => text === "text 1"), ["text 1"]);
  const { stderr } = await pipe.end();
  match(
    stderr,
    /The embedding server gave no vectors for .*: Nothing answers at .* the rest is requested when the server answers/,
  );
});
