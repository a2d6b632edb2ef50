import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type Admission, RateLimiter, refusalOf } from "#server/http/serve_http.ts";
import { answerOf, get, INITIALIZE, startHttpSession } from "./_http_session.ts";

const LOCAL: Admission = { host: "127.0.0.1", port: 7368, isTls: false, names: [], tokenHash: null };
const TOKEN = "correct horse battery".replaceAll(" ", "-");
const PUBLIC: Admission = {
  host: "0.0.0.0",
  port: 7368,
  isTls: false,
  names: ["Files.example.org", "proxy.example.org:8443", "localhost:8080"],
  tokenHash: createHash("sha256").update(TOKEN).digest(),
};

function statusOf(admission: Admission, headers: Record<string, string>): number | undefined {
  return refusalOf({ headers }, admission)?.status;
}

Deno.test("a server of this machine is called by the names of this machine only", () => {
  for (
    const host of ["127.0.0.1:7368", "localhost:7368", "LOCALHOST:7368", "localhost.:7368", "[::1]:7368"]
  ) {
    assert.equal(statusOf(LOCAL, { host }), undefined, host);
  }
  for (
    const host of [
      ...["evil.example:7368", "127.0.0.1.evil.example", "localhost.evil", "192.168.1.2", "localhost", ""],
      ...["localhost:1", "127.0.0.1:7369", "a@localhost:7368", "x/y"],
    ]
  ) {
    assert.equal(statusOf(LOCAL, { host }), 403, host);
  }
  assert.equal(statusOf(LOCAL, {}), 403);
});

Deno.test("a web page of another site is refused, whatever name it calls the server by", () => {
  const host = "localhost:7368";
  assert.equal(statusOf(LOCAL, { host, origin: "http://localhost:7368" }), undefined);
  for (
    const origin of [
      ...["http://evil.example", "http://localhost:3000", "http://localhost", "null", "file://"],
      "https://127.0.0.1.evil.example",
    ]
  ) {
    assert.equal(statusOf(LOCAL, { host, origin }), 403, origin);
  }
});

Deno.test("a server that others can reach accepts IP addresses and its names, with the token", () => {
  const authorization = `Bearer ${TOKEN}`;
  for (
    const host of [
      ...["192.168.1.2:7368", "files.example.org", "files.example.org:7368", "[2001:db8::1]:7368"],
      ...["localhost:7368", "proxy.example.org:8443", "localhost:8080"],
    ]
  ) {
    assert.equal(statusOf(PUBLIC, { host, authorization }), undefined, host);
  }
  for (
    const host of [
      ...["evil.example", "192.168.1.2", "files.example.org:1", "proxy.example.org", "localhost:8081"],
    ]
  ) {
    assert.equal(statusOf(PUBLIC, { host, authorization }), 403, host);
  }
  const host = "files.example.org";
  for (const wrong of ["", "Bearer", "Bearer x", `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, `Bearer ${TOKEN} x`]) {
    assert.equal(statusOf(PUBLIC, { host, authorization: wrong }), 401, wrong);
  }
  assert.equal(statusOf(PUBLIC, { host }), 401);
});

Deno.test("the refusal of a wrong token differs from that of none", async () => {
  await using session = await startHttpSession({ address: { tokenHash: PUBLIC.tokenHash } });
  const texts = [];
  for (const headers of [{}, { authorization: "Bearer x" }]) {
    texts.push(await (await session.post(INITIALIZE, headers)).text());
  }
  assert.ok(texts[0]!.includes("Unauthorized: send the header Authorization: Bearer TOKEN"), texts[0]);
  assert.ok(
    texts[1]!.includes("Unauthorized: the token that was sent is not the token of this server"),
    texts[1],
  );
});

Deno.test("without the token nothing is told but that the server is there", async () => {
  await using session = await startHttpSession({ address: { tokenHash: PUBLIC.tokenHash } });
  const { origin } = new URL(session.url);
  const refused = await session.post(INITIALIZE);
  const asks = refused.headers.get("www-authenticate");
  assert.deepEqual([refused.status, asks], [401, 'Bearer realm="muxue_rag"']);
  await refused.body?.cancel();
  assert.equal((await get(`${origin}/metrics`))[0], 401);
  assert.deepEqual(await get(`${origin}/healthz`), [200, "ok\n"]);
  const authorization = `Bearer ${TOKEN}`;
  const answer = await answerOf(await session.post(INITIALIZE, { authorization }));
  assert.equal(answer.result.serverInfo.name, "muxue_rag");
  assert.equal((await get(`${origin}/metrics`, { authorization }))[0], 200);
});

Deno.test("a key may send a burst of requests and then so many a second, whatever other keys send", () => {
  let now = 0;
  const limiter = new RateLimiter(() => now);
  const rate = { perSecond: 10, burst: 3 };
  const sent = (key: string, count: number) => Array.from({ length: count }, () => limiter.allows(key, rate));
  assert.deepEqual(sent("a", 4), [true, true, true, false]);
  assert.deepEqual(sent("b", 1), [true]);
  now = 150;
  assert.deepEqual(sent("a", 2), [true, false]);
  now = 10_000;
  assert.deepEqual(sent("a", 4), [true, true, true, false]);
});

Deno.test("too many requests on one connection are answered with 429, and others are served", async () => {
  await using session = await startHttpSession({
    limits: { rate: { local: { perSecond: 0.001, burst: 2 }, remote: { perSecond: 1, burst: 1 } } },
  });
  const { origin } = new URL(session.url);
  // A client of the runtime may open a second connection.
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: session.port });
  const statuses = [];
  for (let i = 0; i < 3; i++) {
    await connection.write(new TextEncoder().encode("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    const buffer = new Uint8Array(4096);
    let answer = "";
    while (!/\r\n\r\n./s.test(answer)) {
      answer += new TextDecoder().decode(buffer.subarray(0, (await connection.read(buffer))!));
    }
    statuses.push(Number(answer.slice("HTTP/1.1 ".length).slice(0, 3)));
  }
  assert.deepEqual(statuses, [200, 200, 429]);
  assert.equal((await get(`${origin}/healthz`))[0], 200);
});
