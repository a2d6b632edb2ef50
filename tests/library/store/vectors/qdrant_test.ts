import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { message } from "#foundation/messages/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { QdrantVectors } from "#library/store/vectors/qdrant.ts";
import { setName } from "#library/store/vectors/vector_server.ts";
import { checkProposer, someRows } from "./_proposer_contract.ts";
import { FakeQdrant } from "./_qdrant.ts";

const MODEL = { id: "test", dimensions: 24 };

Deno.test("Qdrant proposes vectors as every place does", async () => {
  await using server = new FakeQdrant("the key of the server");
  const settings = { url: server.url, apiKey: "the key of the server" };
  await checkProposer(new QdrantVectors(settings, "notes", MODEL));
  deepEqual([...server.collections.keys()], ["notes"]);
});

Deno.test("a set of vectors is named after its collection and its model", () => {
  equal(
    setName("Team notes 笔记", "local/bge-small-zh-v1.5", "0a1b2c3d4e5f"),
    "muxue_rag-Team_notes-local_bge_small_zh_v1_5-0a1b2c3d4e5f",
  );
  equal(setName("笔记", "", "0a1b"), "muxue_rag-0a1b");
});

Deno.test("a server that is down, or refuses, is named in a clear error, without its key", async () => {
  const server = new FakeQdrant("the key of the server");
  const { url } = server;
  const rows = someRows(2, 24);
  const wrong = new QdrantVectors({ url, apiKey: "another key" }, "notes", MODEL);
  const refusal = await wrong.has(rows.hashes).catch((error) => error);
  ok(refusal instanceof UserError);
  equal(
    message("en", refusal.key, refusal.params),
    `The vector server ${url} refused a request (Invalid API key or JWT). ` +
      "Check vectors.url, vectors.provider and vectors.api_key",
  );
  await server[Symbol.asyncDispose]();
  const down = new QdrantVectors({ url, apiKey: "the key of the server" }, "notes", MODEL);
  await rejects(down.nearest(rows.vectors[0]!, { limit: 3 }), { key: "vectors_unavailable" });
});

Deno.test("entries of an answer that are not vectors are left out, and an answer in another form is refused", async () => {
  await using server = new FakeQdrant();
  const vectors = new QdrantVectors({ url: server.url, apiKey: null }, "notes", MODEL);
  const { hashes, vectors: [query] } = someRows(1, 24);
  const good = { numbers: new Uint8Array(24).fill(3).toBase64(), scale: 0.5 };
  const id = "00000000-1d1d-1d1d-1d1d-1d1d1d1d1d1d";
  server.instead = () =>
    Response.json({
      result: {
        points: [
          null,
          { id: 7, payload: good },
          { id, payload: { ...good, scale: "1" } },
          { id, payload: { ...good, numbers: "AAAA" } },
          { id, payload: { ...good, numbers: "?" } },
          { id, payload: good },
        ],
      },
    });
  const found = await vectors.nearest(query!, { limit: 5 });
  deepEqual([found.hashes.map((hash) => hash.toHex()), [...found.numbers], [...found.scales]], [
    [hashes[0]!.toHex()],
    new Array(24).fill(3),
    [0.5],
  ]);
  for (const answer of ["[]", "{}", '{"result": {"points": 3}}', "no JSON", "<html></html>"]) {
    server.instead = () => new Response(answer, { headers: { "content-type": "application/json" } });
    await rejects(vectors.nearest(query!, { limit: 5 }), { key: "vectors_refused" }, answer);
  }
  server.instead = () => new Response(null, { status: 302, headers: { location: "http://127.0.0.2/" } });
  await rejects(vectors.nearest(query!, { limit: 5 }), { key: "vectors_refused" });
});
