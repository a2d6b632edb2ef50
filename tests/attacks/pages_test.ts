import { deepEqual, equal, ok } from "node:assert/strict";
import { makeIndexed, NOTES, writeFiles } from "../e2e/_program.ts";
import { type Answer, type Headers, post, request, send, startUi, type Ui } from "../pages/_socket.ts";

const ROOT = new URL("../../", import.meta.url);

/** The address of every call, as the sources of `lib/pages` declare them. */
function everyCall(): string[] {
  const app = Deno.readTextFileSync(new URL("lib/pages/app.ts", ROOT));
  return [...app.matchAll(/^ {2}"?([\w-]+)"?: (\w+)Routes,$/gm)].flatMap(([, page, name]) => {
    const [, file] = new RegExp(`\\b${name}Routes\\b.* from "\\./(api/\\w+\\.ts)"`).exec(app)!;
    const text = Deno.readTextFileSync(new URL(`lib/pages/${file}`, ROOT));
    return [...text.matchAll(/\.post\(\s*"\/([\w-]+)"/g)].map(([, call]) => `${page}/${call}`);
  });
}

/** Headers that every answer has, also one that refuses. */
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types muxue-worker",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** Checks that an answer refuses with a status, gives nothing away, and lets no other page read it. */
function refused({ status, headers, text }: Answer, expected: number, what: string): void {
  equal(status, expected, `${what}: ${text.slice(0, 200)}`);
  for (const [name, value] of Object.entries(HEADERS)) equal(headers[name], value, `${what}: ${name}`);
  const others = Object.keys(headers).filter((name) => /^access-control-|^set-cookie$/.test(name));
  deepEqual(others, [], what);
  ok(!text.includes("Unpack the archive"), what);
}

/** Requests to a call that a page of another origin, a form, a rebound name or a stranger can send: headers and expected status. */
function attacksOn({ origin, port }: Ui): [name: string, headers: Headers, status: number][] {
  const at = (host: string): Headers => ({ "Host": host, "Origin": `http://${host}` });
  return [
    ["without a token", { "Authorization": undefined }, 401],
    ["with another token", { "Authorization": `Bearer ${"A".repeat(43)}` }, 401],
    ["with the token in another scheme", { "Authorization": "Basic QTpC" }, 401],
    ["by a rebound name", at(`evil.example:${port}`), 403],
    ["by a name that ends like ours", at(`127.0.0.1.evil.example:${port}`), 403],
    ["by another port", at(`127.0.0.1:${port === 1 ? 2 : port - 1}`), 403],
    ["by a name without a port", at("127.0.0.1"), 403],
    ["by another address of this machine", at(`127.0.0.2:${port}`), 403],
    ["without a host", { "Host": undefined }, 403],
    ["from another origin", { "Origin": "https://evil.example" }, 403],
    ["from another port of this machine", { "Origin": "http://127.0.0.1:8080" }, 403],
    ["from the same place by TLS", { "Origin": origin.replace("http:", "https:") }, 403],
    ["from a page without an origin", { "Origin": "null" }, 403],
    ["without an origin", { "Origin": undefined }, 403],
    ["from another site", { "Sec-Fetch-Site": "cross-site" }, 403],
    ["from the same site", { "Sec-Fetch-Site": "same-site" }, 403],
    ["from the address bar", { "Sec-Fetch-Site": "none" }, 403],
    ["without saying from where", { "Sec-Fetch-Site": undefined }, 403],
    ["as a form of plain text", { "Content-Type": "text/plain" }, 415],
    ["as a form", { "Content-Type": "application/x-www-form-urlencoded" }, 415],
    ["as a form with files", { "Content-Type": "multipart/form-data; boundary=x" }, 415],
    ["as JSON among other types", { "Content-Type": "text/plain, application/json" }, 415],
    ["without a type", { "Content-Type": undefined }, 415],
  ];
}

Deno.test("no call answers a stranger, a page of another origin, a rebound name or a form", async () => {
  await using sandbox = await makeIndexed(NOTES);
  await using ui = await startUi(sandbox);
  const calls = everyCall();
  ok(calls.includes("search/query") && calls.includes("session/info"));
  const attacks = attacksOn(ui);
  for (const path of calls) {
    for (const [name, headers, status] of attacks) {
      const answer = await ui.call(path, { query: "archive" }, headers);
      refused(answer, status, `${path} ${name}`);
    }
  }
  equal(attacks.length, 23);
  // The token was right: each attack differs from this by its headers alone.
  const { status, json } = await ui.call("search/query", { query: "archive" });
  deepEqual([status, json.hits[0].shownPath], [200, "guide.md"]);
});

Deno.test("only POST has an effect, and no other method answers", async () => {
  await using sandbox = await makeIndexed(NOTES);
  await using ui = await startUi(sandbox);
  const authorization = `Bearer ${await ui.token()}`;
  const headers = { "Host": new URL(ui.origin).host, "Origin": ui.origin, "Authorization": authorization };
  for (const path of everyCall()) {
    for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const answer = await send(ui.port, request(method, `/api/${path}?query=archive`, headers));
      refused(answer, 405, `${method} ${path}`);
    }
  }
  for (const method of ["POST", "PUT", "OPTIONS"]) {
    refused(await send(ui.port, request(method, "/", headers)), 405, method);
  }
});

Deno.test("the code of an address is exchanged once, and no other code is", async () => {
  await using sandbox = await makeIndexed(NOTES);
  await using ui = await startUi(sandbox);
  const exchange = (body: unknown) => ui.call("session/open", body, { "Authorization": undefined });
  for (const body of [{ code: "A".repeat(22) }, { code: "" }, { code: [ui.code] }, {}, [], null, "{", '""']) {
    refused(await exchange(body), 401, JSON.stringify(body));
  }
  const { token } = (await exchange({ code: ui.code })).json;
  equal(token.length, 43);
  refused(await exchange({ code: ui.code }), 401, "again");
  const answer = await ui.call("session/info", {}, { "Authorization": `Bearer ${token}` });
  equal(answer.status, 200);
});

Deno.test("no path leads out of the bundle, and the pages are given under their own name only", async () => {
  await using sandbox = await makeIndexed(NOTES);
  await using ui = await startUi(sandbox);
  const host = new URL(ui.origin).host;
  const get = (path: string, headers: Headers = {}) =>
    send(ui.port, request("GET", path, { "Host": host, ...headers }));
  const paths = [
    ...["/../../deno.json", "/..%2f..%2fdeno.json", "/%2e%2e/%2e%2e/deno.json", "/..\\..\\deno.json"],
    ...["//etc/passwd", "/etc/passwd", "/./main.js", "/search/../main.js", "/main.js/", "/main.js%00"],
    ...["/files.json", "/main.js.gz", "/index.html/../../deno.json", "/dist/pages/main.js", "/.git/config"],
    ...["/file:///etc/passwd", "/api", "/__proto__", "/constructor", "/%", `/${"a/".repeat(2000)}`],
  ];
  for (const path of paths) refused(await get(path), 404, path);
  for (const path of ["/", "/search?q=archive", "/main.js", "/style.css"]) {
    equal((await get(path)).status, 200, path);
    refused(await get(path, { "Host": `evil.example:${ui.port}` }), 403, path);
    refused(await get(path, { "Host": "127.0.0.1" }), 403, path);
    refused(await get(path, { "Sec-Fetch-Site": "cross-site" }), 403, path);
    refused(await get(path, { "Sec-Fetch-Site": "same-site" }), 403, path);
    refused(await get(path, { "Origin": "http://127.0.0.1:1" }), 403, path);
  }
});

Deno.test("large, broken and deeply nested bodies are refused, and the server goes on", async () => {
  await using sandbox = await makeIndexed(NOTES);
  await using ui = await startUi(sandbox);
  refused(await ui.call("search/query", JSON.stringify({ query: "a".repeat(2_000_000) })), 413, "2 MB");
  const broken = [
    "",
    "{",
    "[".repeat(200_000),
    '{"query": {"query": "a"}}',
    '{"query": 1}',
    "null",
    "\u0000",
  ];
  for (const body of broken) refused(await ui.call("search/query", body), 400, body.slice(0, 20));
  const length = { "Content-Length": "99999999999999999999" };
  refused(await send(ui.port, post(ui.origin, "search/query", "{}", length)), 400, "no length");
  refused(await send(ui.port, "GET / HTTP/1.1\nHost: x\n\n"), 400, "no line ends");
  refused(await send(ui.port, `GET /${"a".repeat(20_000)} HTTP/1.1\r\n\r\n`), 431, "a long line");
  equal((await ui.call("search/query", { query: "archive" })).status, 200);
});

Deno.test("neither the code nor the token is in the log, an address of the pages or an answer", async () => {
  await using sandbox = await makeIndexed(NOTES, { env: { MUXUE_RAG_LOG_LEVEL: "debug" } });
  await using ui = await startUi(sandbox);
  const answers = [
    await ui.call("session/info", {}),
    await ui.call("search/query", { query: "archive" }),
    await ui.call("search/query", {}),
    await send(ui.port, request("GET", "/", { "Host": new URL(ui.origin).host })),
  ];
  const secrets = [ui.code, await ui.token()];
  const log = await Array.fromAsync(
    Deno.readDir(`${sandbox.env["MUXUE_RAG_STATE_DIR"]}/logs`),
    ({ name }) => Deno.readTextFile(`${sandbox.env["MUXUE_RAG_STATE_DIR"]}/logs/${name}`),
  );
  ok(log.join("").includes('"command":"ui"'));
  for (const text of [...log, ...answers.map((answer) => JSON.stringify([answer.headers, answer.text]))]) {
    for (const secret of secrets) ok(!text.includes(secret));
  }
});

const level = (name: string, text: string) => `---\naccess_level: ${name}\n---\n# Tea\n\n${text}\n`;

Deno.test("a client with limits cannot tell a document outside of them from a missing one by any call", async () => {
  const [FULL, GUEST] = ["full-0123456789abcdef", "guest-0123456789abcdef"];
  const files = {
    "public.md": level("public", "Green tea for everybody."),
    "secret.md": level("secret", "Tea of the board."),
  };
  await using sandbox = await makeIndexed(files, { env: { FULL, GUEST } });
  await writeFiles(sandbox.cwd, {
    "my.yaml": "mcp:\n  tokens:\n    - env: GUEST\n      levels: [public]\n",
  });
  const serve = ["serve", "--http", "--ui", "--port", "0", "--dir", sandbox.folder, "--token-env", "FULL"];
  await using ui = await startUi(sandbox, [...serve, "--config", `${sandbox.cwd}/my.yaml`]);
  const asked = async (call: string, token: string, name: string, word: string) => {
    const path = `${sandbox.folder}/${name}.md`;
    const sentence = `Tea of the ${word}.`;
    const ids = { id: "0".repeat(32), run: "1", folder: "notes", number: 1, numbers: [1], name: "n.jsonl" };
    const texts = { kind: "query", before: "2020-01-01T00:00:00Z", now: "2", data: "", settings: {} };
    const all = { ...ids, ...texts, query: sentence, search: { query: "tea" }, paths: [path] };
    const bodies = [
      { ...all, path, file: path, questions: JSON.stringify({ query: "tea", files: [`${name}.md`] }) },
      { ...all, text: sentence, path: `${name}.md`, questions: "" },
    ];
    const headers = { "Authorization": `Bearer ${token}` };
    const answers = await Promise.all(bodies.map((body) => ui.call(call, body, headers)));
    for (const answer of answers) {
      ok(answer.status === 200 || answer.status === 400, `${call} ${answer.status}`);
    }
    const text = answers.map(({ text }) => text.replace(/"seconds":(?:\{[^}]*\}|[\d.]+)/g, "")).join("\n");
    return text.replaceAll(name, "NAME").replaceAll(word, "WORD");
  };
  for (const call of everyCall()) {
    const [hidden, missing] = [
      await asked(call, GUEST, "secret", "board"),
      await asked(call, GUEST, "absent", "ghost"),
    ];
    equal(hidden, missing, call);
    ok(!hidden.includes("secret"), call);
  }
  const open = (token: string) => asked("originals/open", token, "secret", "board");
  deepEqual([(await open(FULL)).includes("Tea of the WORD"), (await open(GUEST)).includes("Tea of")], [
    true,
    false,
  ]);
  // Only clients that may add files send large bodies.
  const large = { folder: "notes", name: "b.md", data: "A".repeat(2_000_000) };
  const statusOf = async (token: string) =>
    (await ui.call("ingestion/upload", large, { "Authorization": `Bearer ${token}` })).status;
  deepEqual([await statusOf(FULL), await statusOf(GUEST)], [400, 413]);
  // The answers of the protocol are of the same origin.
  const host = new URL(ui.origin).host;
  const paths: [path: string, status: number][] = [["/nothing", 401], ["/mcp", 401], ["/healthz", 200]];
  for (const [path, status] of paths) {
    refused(await send(ui.port, request("GET", path, { "Host": host })), status, path);
  }
  refused(await send(ui.port, "GET / HTTP/1.1\n\n"), 400, "no line ends");
});
