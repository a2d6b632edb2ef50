import { equal, match, ok } from "node:assert/strict";
import { PostgresServer, type ServerOptions } from "../../scripts/postgres/server.ts";
import { postgresServer } from "../_postgres.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { makeSandbox, NOTES } from "./_program.ts";

const EXPECTED = "Unpack the archive and run it.";

/** A server of the test's own, and a folder that is kept in it. */
async function kept(options: ServerOptions = {}) {
  const server = await PostgresServer.start(postgresServer().root, options);
  const sandbox = await makeSandbox(NOTES, {
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      MUXUE_RAG_STORE_PROVIDER: "postgres",
      MUXUE_RAG_STORE_COLLECTION: "notes",
      MUXUE_RAG_STORE_URL: server.url,
      MUXUE_RAG_STORE_PASSWORD: server.password,
    },
  });
  const indexed = await sandbox.run`index ${sandbox.folder}`;
  equal(indexed.code, 0, indexed.stderr);
  return {
    ...{ server, sandbox },
    /** A search with other settings. */
    search: (env: Record<string, string>) =>
      sandbox.runIn({ env })`search ${"unpack the archive"} --dir ${sandbox.folder} --no-update`,
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

Deno.test("during 100 searches whose connections end and whose server restarts, each answer is right or says why not", async () => {
  await using place = await kept();
  const { server, sandbox } = place;
  await using pipe = await openPipe(sandbox);
  await pipe.searchUntil("unpack the archive", (text) => text.includes(EXPECTED));
  const disturb = async () => {
    for (let round = 0; round < 5; round++) {
      await new Promise((done) => setTimeout(done, 150));
      await server.psql(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'muxue_rag'",
      );
    }
    await server.stop();
    // A reader asks for the index's state once a second, and answers from its memory in between.
    await new Promise((done) => setTimeout(done, 2000));
    await server.begin();
  };
  let isOver = false;
  const disturbed = disturb().finally(() => isOver = true);
  let right = 0;
  let unavailable = 0;
  for (let n = 0; n < 100 || !isOver; n++) {
    const { result } = await pipe.search("unpack the archive");
    const [{ text }] = result.content;
    if (text.includes(EXPECTED)) right++;
    else {
      match(text, /cannot be reached/);
      unavailable++;
    }
    await new Promise((done) => setTimeout(done, 20));
  }
  await disturbed;
  const { result } = await pipe.search("unpack the archive");
  match(result.content[0].text, /Unpack the archive and run it/);
  ok(right > 0 && unavailable > 0, `${right} right, ${unavailable} unavailable`);
  equal((await pipe.end()).code, 0);
});

Deno.test("a wrong password, a database that is not there and a newer schema are named, and no password is shown", async () => {
  await using place = await kept();
  const { server } = place;
  const wrong = await place.search({ MUXUE_RAG_STORE_PASSWORD: "hunter2-hunter2" });
  match(wrong.stderr, /does not accept the password of the user postgres\. Check store\.password/);
  equal(`${wrong.stdout}${wrong.stderr}`.includes("hunter2"), false);
  const missing = await place.search({ MUXUE_RAG_STORE_URL: server.url.replace("muxue_rag", "nothing") });
  match(missing.stderr, /There is no database 127\.0\.0\.1:\d+\/nothing on the server\. Create it/);
  const away = await place.search({ MUXUE_RAG_STORE_URL: "postgres://postgres@127.0.0.1:1/muxue_rag" });
  match(away.stderr, /The database 127\.0\.0\.1:1\/muxue_rag cannot be reached: .*ECONNREFUSED/);
  await server.psql("update muxue_rag.meta set version = 999");
  match((await place.search({})).stderr, /were made by a newer program \(version 999/);
  for (const { code } of [wrong, missing, away]) equal(code, 1);
});

Deno.test("a schema that was deleted is named, and indexing makes it again", async () => {
  await using place = await kept();
  const { server, sandbox } = place;
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--no-watch"]);
  await pipe.searchUntil("unpack the archive", (text) => text.includes(EXPECTED));
  await server.psql("drop schema muxue_rag cascade");
  await pipe.searchUntil(
    "unpack the archive",
    (text) => /lacks tables of this program|not ready|no index yet/.test(text),
  );
  const before = await place.search({});
  equal(before.code, 1);
  match(before.stderr, /lacks tables of this program|not ready|no index yet/);
  equal((await sandbox.run`index ${sandbox.folder}`).code, 0);
  match((await place.search({})).stdout, /guide\.md/);
  await pipe.searchUntil("unpack the archive", (text) => text.includes(EXPECTED));
  equal((await pipe.end()).code, 0);
});

Deno.test("a database whose disk is full keeps what it had, and says so", async () => {
  await using place = await kept({ disk: "200m", settings: { "max_wal_size": "32MB" } });
  const { server, sandbox } = place;
  await server.psql("create unlogged table filler (n text); alter table filler alter n set storage external");
  const fill = "insert into filler select repeat('x', 100000) from generate_series(1, 5)";
  while (await server.psql(fill).then(() => true, () => false));
  const words = Array.from({ length: 400_000 }, (_, n) => `word${n * 7919 % 999983}`);
  await Deno.writeTextFile(`${sandbox.folder}/large.md`, words.join(" "));
  const indexed = await sandbox.run`index ${sandbox.folder}`;
  equal(indexed.code, 1);
  match(indexed.stderr, /The disk of the database 127\.0\.0\.1:\d+\/muxue_rag is full|cannot be reached/);
  await server.psql("drop table filler");
  match((await place.search({})).stdout, /guide\.md/);
  const again = await sandbox.run`index ${sandbox.folder}`;
  equal(again.code, 0, again.stderr);
});
