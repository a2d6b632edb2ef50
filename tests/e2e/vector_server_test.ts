import { deepEqual, equal, match } from "node:assert/strict";
import { FakeQdrant } from "../library/store/vectors/_qdrant.ts";
import { makeSandbox, NOTES, smokeTest } from "./_program.ts";

const KEY = "the key of the server";

function settings(url: string): Record<string, string> {
  return {
    MUXUE_RAG_LANGUAGE: "en",
    MUXUE_RAG_VECTORS_PROVIDER: "qdrant",
    MUXUE_RAG_VECTORS_URL: url,
    MUXUE_RAG_VECTORS_API_KEY: KEY,
  };
}

smokeTest("index brings the vectors to Qdrant, and search asks it for the nearest of them", async (start) => {
  await using server = new FakeQdrant(KEY);
  await using sandbox = await makeSandbox(NOTES, { start, env: settings(server.url) });
  const indexed = await sandbox.run`index --dir ${sandbox.folder}`;
  deepEqual([indexed.code, indexed.stderr.includes("vector")], [0, false], indexed.stderr);
  const [name, { points }] = [...server.collections][0]!;
  match(name, /^muxue_rag-docs-\w+-[0-9a-f]{16}$/);
  equal(points.size, 3);
  server.requests.length = 0;
  const search = () =>
    sandbox.run`search ${"boil tomatoes"} --mode semantic --json --explain --dir ${sandbox.folder}`;
  const found = await search();
  equal(server.requests.includes(`POST /collections/${name}/points/query`), true, server.requests.join());
  const { data } = JSON.parse(found.stdout);
  match(JSON.stringify(data.final_results[0]), /recipe\.txt/);

  const doctor = await sandbox.run`doctor --dir ${sandbox.folder}`;
  match(doctor.stdout, /Nearest vectors +http:\/\/127\.0\.0\.1:\d+: works/);

  const plain = await sandbox.runIn({
    env: { MUXUE_RAG_VECTORS_PROVIDER: "store" },
  })`search ${"boil tomatoes"} --mode semantic --json --explain --dir ${sandbox.folder}`;
  deepEqual(
    data.final_results,
    JSON.parse(plain.stdout).data.final_results,
    "the hits and scores of the program's own scan",
  );
});

Deno.test("without the vector server, index and search go on and say so", async () => {
  const server = new FakeQdrant(KEY);
  const { url } = server;
  await server[Symbol.asyncDispose]();
  await using sandbox = await makeSandbox(NOTES, { env: settings(url) });
  const indexed = await sandbox.run`index --dir ${sandbox.folder}`;
  equal(indexed.code, 0);
  match(
    indexed.stderr,
    /The vector server http:\/\/127\.0\.0\.1:\d+ cannot be reached \(.*\)\. The index is complete, but its vectors/,
  );
  const found = await sandbox.run`search ${"boil tomatoes"} --dir ${sandbox.folder}`;
  match(found.stdout, /recipe\.txt/);
  match(
    found.stdout + found.stderr,
    /cannot be reached \(.*\)\. The program compared the vectors itself this time/,
  );
});
