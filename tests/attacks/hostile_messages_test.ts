import * as fc from "fast-check";
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { assertFuzzed } from "../_fuzz.ts";
import { headersFor, META, startHttpProgram } from "../e2e/_http_program.ts";
import { type Message, openPipe, ping } from "../e2e/_mcp_pipe.ts";
import { makeIndexed } from "../e2e/_program.ts";
import { ON_LINUX } from "./_arena.ts";

const DEEP = 200_000;
const toolCall = (name: string, args: string, meta = "{}") => (id: number) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args},"_meta":${meta}}}`;
const inSearch = (args: string) => toolCall("search_rag", args);
const READ_OUT_OF_RANGE = { "file_path": "tea.md", "start_line": 9e15, "end_line": -1 };

/** Messages of a hostile client, with the code of the answer to each: of a tool, or of an error of the protocol. */
const MESSAGES: Record<string, readonly [message: (id: number) => string, code: number]> = {
  "lists in lists": [inSearch(`{"keyword":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`), -32600],
  "objects in objects": [inSearch(`{"keyword":${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}}`), -32600],
  "an argument that is a prototype": [
    inSearch('{"__proto__":{"keyword":"tea"},"constructor":{"prototype":{}}}'),
    500,
  ],
  "100,000 arguments": [
    inSearch(`{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join()}}`),
    -32600,
  ],
  "a keyword of 10 MB": [inSearch(JSON.stringify({ keyword: "tea ".repeat(2_500_000) })), 500],
  "a path of 10 MB": [
    toolCall("read_raw_file", JSON.stringify({ "file_path": "../".repeat(3_000_000) })),
    500,
  ],
  "a keyword of quotes and signs": [inSearch(JSON.stringify({ keyword: '"-'.repeat(400) })), 200],
  "lines out of all range": [toolCall("read_raw_file", JSON.stringify(READ_OUT_OF_RANGE)), 500],
  "a filter that is meant to hang": [
    inSearch(JSON.stringify({ keyword: "tea", path: "*a".repeat(2_000) + "b", type: ",".repeat(100_000) })),
    200,
  ],
};

const FILES = { "tea.md": "green tea\n" };

Deno.test("the server answers each message of a hostile client and continues", async (context) => {
  await using sandbox = await makeIndexed({ ...FILES, [`${"a".repeat(100)}.md`]: "tea\n" });
  await using pipe = await openPipe(sandbox);
  let id = 0;
  for (const [name, [message, code]] of Object.entries(MESSAGES)) {
    await context.step(name, async () => {
      await pipe.send(message(++id) + "\n");
      const answers = await pipe.receiveUntil(id);
      deepEqual(
        answers.map(({ result, error }) => error?.code ?? result.structuredContent.code),
        [code],
        JSON.stringify(answers).slice(0, 500),
      );
      equal(JSON.stringify(answers).length < 100_000, true);
    });
  }
  await context.step("30,000 requests at once", async () => {
    const first = ++id;
    const lines = Array.from({ length: 30_000 }, () => JSON.stringify(ping(id++)) + "\n");
    const sent = pipe.send(lines.join(""));
    equal((await pipe.receive(lines.length)).at(-1).id, first + lines.length - 1);
    await sent;
  });
  const { result } = await pipe.search("green");
  equal(result.structuredContent.data.file_info[0].file_name, "tea.md");
});

const request = (method: string, params: unknown) => (id: number) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const initialize = (clientInfo: object, protocolVersion = "2025-11-25") =>
  request("initialize", { protocolVersion, capabilities: {}, clientInfo });
const listen = (uris: readonly string[]) =>
  request("subscriptions/listen", { notifications: { resourceSubscriptions: uris }, _meta: META });

const X900 = "x".repeat(900_000);
const FOLDER_URI = "muxue://folder/";
const NEW = JSON.stringify(META);
const CLIENT = { name: "x", version: "0" };

/** A request with this parameter alone. */
const named = (method: string, name: string, value: unknown) => request(method, { [name]: value });
/** A tool call with this argument beside others. */
const given = (tool: string, args: object) => toolCall(tool, JSON.stringify(args));
const over = (what: string, most: number, found: number | string) =>
  new RegExp(`${what}: at most ${most} (?:characters|URIs|levels)?.*found ${found}`);

/** Calls over a limit, which both eras of the protocol refuse alike. */
const CALLS: Readonly<Record<string, readonly [tool: string, args: string, sentence: RegExp]>> = {
  "60,000 keys": [
    "search_rag",
    `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":1`).join()}}`,
    /keys and items: at most 5000, found 60\d{3}/,
  ],
  "depth of 10,000": [
    "search_rag",
    `{"keyword":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
    /at most 64 levels, found 1000\d/,
  ],
  "a path of 800 kB": [
    "read_raw_file",
    JSON.stringify({ "file_path": "/" + "茶/".repeat(133_000) + "x".repeat(400_000) }),
    /file_path .*131072.* 666001/,
  ],
};

/** Messages over a limit, and the answer's sentence. All are shorter than the 1 MB of a body. */
const OVER_A_LIMIT: Readonly<Record<string, readonly [message: (id: number) => string, sentence: RegExp]>> = {
  ...Object.fromEntries(
    Object.entries(CALLS).flatMap(([name, [tool, args, sentence]]) => [
      [name, [toolCall(tool, args), sentence]],
      [`${name} in revision 2026-07-28`, [toolCall(tool, args, NEW), sentence]],
    ]),
  ),
  "100,000 URIs of subscriptions": [listen(Array(100_000).fill("m://a")), /keys and items: at most 5000, /],
  "2,000 URIs of subscriptions": [
    listen(Array.from({ length: 2000 }, (_, at) => `${FOLDER_URI}${at}`)),
    over("resourceSubscriptions", 1000, 2000),
  ],
  "URIs of 900 kB together": [
    listen(Array.from({ length: 900 }, (_, at) => `${FOLDER_URI}${at}`.padEnd(1000, "x"))),
    over("resourceSubscriptions", 524288, 900000),
  ],
  "a URI of 1 MB": [
    named("resources/subscribe", "uri", `${FOLDER_URI}${"x".repeat(1_000_000)}`),
    over("params\\.uri", 16384, 1000015),
  ],
  "a URI of 1 MB to read": [
    request("resources/read", { uri: `${FOLDER_URI}${"x".repeat(1_000_000)}`, _meta: META }),
    over("params\\.uri", 16384, 1000015),
  ],
  "a client's name of 900 kB": [
    initialize({ ...CLIENT, name: X900 }),
    over("params\\.clientInfo\\.name", 1000, 900000),
  ],
  "a client's name of 900 kB in revision 2026-07-28": [
    named("tools/list", "_meta", {
      ...META,
      "io.modelcontextprotocol/clientInfo": { ...CLIENT, name: X900 },
    }),
    over("clientInfo\\.name", 1000, 900000),
  ],
  "a client with a picture of 900 kB": [
    initialize({ ...CLIENT, icons: [{ src: `data:image/png;base64,${X900}` }] }),
    over("params", 65536, "900\\d{3}"),
  ],
  "a revision of 900 kB": [initialize(CLIENT, X900), over("params\\.protocolVersion", 256, 900000)],
  "a folder of 100 kB": [
    given("search_rag", { keyword: "tea", "dir_path": "x/".repeat(50_000) }),
    /x\/… \(100\d{3}\)/,
  ],
  "a document of 100 kB": [
    given("get_document_content", { "file_path": "x/".repeat(50_000) }),
    /muxue_rag_e2e/,
  ],
  "a date of 100 kB": [
    given("search_rag", { keyword: "tea", after: "x".repeat(100_000) }),
    /x… \(100\d{3}\)/,
  ],
  "a cursor of 100 kB": [
    given("search_rag", { keyword: "tea", cursor: "x".repeat(100_000) }),
    /cursor|续页|游标/,
  ],
  "a chunk of 100 kB": [
    given("get_chunk_context", { "chunk_id": "x".repeat(100_000) }),
    /chunk_id|x… \(100\d{3}\)/,
  ],
  "a method of 900 kB": [request(X900, {}), over("method", 256, 900000)],
  "a tool's name of 900 kB": [
    request("tools/call", { name: X900, arguments: {} }),
    over("params\\.name", 256, 900000),
  ],
  "a prompt's name of 900 kB": [named("prompts/get", "name", X900), over("params\\.name", 256, 900000)],
  "a value of 900 kB to complete": [
    request("completion/complete", {
      ref: { type: "ref/prompt", name: "summarise_folder" },
      argument: { name: "folder", value: X900 },
    }),
    over("params\\.argument\\.value", 16384, 900000),
  ],
  "a level of 900 kB": [named("logging/setLevel", "level", X900), over("params\\.level", 256, 900000)],
  "a key of 900 kB": [named("tools/list", X900, 1), over("a key in params", 256, 900000)],
};

async function memory(pid: number): Promise<number> {
  if (!ON_LINUX) return 0;
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(await Deno.readTextFile(`/proc/${pid}/status`))!;
  return Number(kilobytes) / 1024;
}

function isRefused(answer: Message, text: string, sentence: RegExp): void {
  match(text.slice(0, 4000), sentence);
  ok(new TextEncoder().encode(text).length < 4096, `${text.length} characters`);
  ok(answer.error !== undefined || answer.result.isError === true, text);
}

Deno.test("each limit of a message is named in a short answer over a pipe, and the server continues", async (context) => {
  await using sandbox = await makeIndexed(FILES);
  await using pipe = await openPipe(sandbox);
  let id = 0;
  for (const [name, [message, sentence]] of Object.entries(OVER_A_LIMIT)) {
    await context.step(name, async () => {
      await pipe.send(message(++id) + "\n");
      const [answer] = await pipe.receiveUntil(id);
      isRefused(answer, JSON.stringify(answer), sentence);
    });
  }
  await context.step("an id of 900 kB", async () => {
    await pipe.send(JSON.stringify({ ...ping(0), id: "x".repeat(900_000) }) + "\n");
    const [answer] = await pipe.receive(1);
    isRefused(answer, JSON.stringify(answer), /id: at most 256 characters, found 900000/);
  });
  await context.step("10,000 subscriptions, and the memory", async () => {
    const { result } = await pipe.ask("resources/list");
    const root = result.resources[0].uri.replace("tea.md", "");
    const before = await memory(pipe.pid);
    let accepted = 0;
    for (let at = 0; at < 10; at++) {
      const lines = Array.from({ length: 1000 }, () => {
        const uri = `${root}${++id}`.padEnd(8000, "x");
        return request("resources/subscribe", { uri })(id) + "\n";
      });
      const sent = pipe.send(lines.join(""));
      for (const answer of await pipe.receive(lines.length)) {
        if (answer.error === undefined) accepted++;
        else isRefused(answer, JSON.stringify(answer), /524288.* 528000/);
      }
      await sent;
    }
    equal(accepted, 65);
    const after = await memory(pipe.pid);
    ok(after - before < 150, `${before} MB, and ${after} MB after 10,000 subscriptions`);
  });
  deepEqual((await pipe.ask("ping")).result, {});
});

Deno.test("each limit of a message is named in a short answer over HTTP, and the server's memory stays", async (context) => {
  await using sandbox = await makeIndexed(FILES);
  await using server = await startHttpProgram(sandbox);
  const post = (body: string, more: Record<string, string> = {}) => {
    const headers = { "Content-Type": "application/json", "Accept": "application/json, text/event-stream" };
    return fetch(server.url, { method: "POST", headers: { ...headers, ...more }, body });
  };
  const begin = async () => {
    const response = await post(initialize({ name: "test", version: "0" })(1));
    await response.text();
    return { "Mcp-Session-Id": response.headers.get("mcp-session-id")! };
  };
  let id = 1;
  const session = await begin();
  for (const [name, [message, sentence]] of Object.entries(OVER_A_LIMIT)) {
    await context.step(name, async () => {
      const body = message(++id);
      const { method, params } = JSON.parse(body);
      const isNew = params._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
      const named = method === "resources/read" ? "muxue://folder/x" : params.name;
      const headers = isNew ? headersFor(method, named) : method === "initialize" ? {} : session;
      const text = await (await post(body, headers)).text();
      const json = /^data: (\{.*\})$/m.exec(text)?.[1] ?? text;
      isRefused(JSON.parse(json), json, sentence);
      equal(JSON.parse(json).id, id);
    });
  }
  await context.step("300 clients with names of 900 kB", async () => {
    const before = await memory(server.pid);
    const body = initialize({ name: "x".repeat(900_000), version: "0" })(1);
    for (let at = 0; at < 300; at++) await (await post(body)).body?.cancel();
    const after = await memory(server.pid);
    ok(after - before < 150, `${before} MB, and ${after} MB after 300 clients`);
  });
  await (await post(request("ping", {})(++id), await begin())).text();
});

const TOOLS = ["search_rag", "read_raw_file", "read_document", "no_such_tool", "", "__proto__"];
const ARGUMENTS = [
  ...["keyword", "top_k", "mode", "path", "type", "lang", "explain"],
  ...["file_path", "start_line", "end_line", "dir_path"],
];
const METHODS = [
  ...["tools/call", "tools/list", "initialize", "ping", "resources/read", "prompts/get"],
  ...["completion/complete", "notifications/cancelled", "notifications/initialized", "logging/setLevel"],
  ...["no/such", "", "__proto__", "toString"],
];
const VALUES = [
  ...[null, true, -1, 0, 1e308, 9007199254740993, [], {}],
  ...["", "tea", "../../etc/passwd", "\0", "\ud800"],
];

const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...VALUES),
  fc.integer({ min: 1, max: 200_000 }).map((length) => "茶".repeat(length)),
  fc.integer({ min: 1, max: 2000 }).map((length) => Array(length).fill("tea")),
  fc.jsonValue(),
);
const args = fc.dictionary(fc.oneof(fc.constantFrom(...ARGUMENTS), fc.string({ maxLength: 5 })), value, {
  maxKeys: 5,
});
const params = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      name: fc.oneof(fc.constantFrom(...TOOLS), value),
      arguments: fc.oneof(args, value),
    }),
  },
  { weight: 1, arbitrary: value },
);
const message = fc.record({
  jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant("2.0") }, { weight: 1, arbitrary: value }),
  id: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 1000 }) }, { weight: 2, arbitrary: value }),
  method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...METHODS) }, { weight: 1, arbitrary: value }),
  params,
}, { requiredKeys: [] });
const line = fc.oneof(
  { weight: 6, arbitrary: message.map((message) => JSON.stringify(message)) },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((batch) => JSON.stringify(batch)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", " ")) },
  {
    weight: 2,
    arbitrary: fc.tuple(message, fc.double({ min: 0, max: 1, noNaN: true })).map(([message, share]) => {
      const text = JSON.stringify(message);
      return text.slice(0, Math.floor(text.length * share));
    }),
  },
).map((text) => new TextEncoder().encode(`${text}\n`));
const garbage = fc.oneof(
  { weight: 8, arbitrary: line },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.of(...bytes, 0x0a)) },
);

Deno.test("a server answers and continues whatever a client sends", async () => {
  await using sandbox = await makeIndexed(FILES);
  await using pipe = await openPipe(sandbox);
  let id = 1_000_000;
  await assertFuzzed(
    fc.asyncProperty(fc.array(garbage, { minLength: 1, maxLength: 8 }), async (lines) => {
      for (const line of lines) await pipe.send(line);
      await pipe.send(ping(++id));
      const answers = await pipe.receiveUntil(id);
      equal(answers.at(-1).error, undefined);
      ok(JSON.stringify(answers).length < 2_000_000);
    }),
    150,
  );
  const { result } = await pipe.search("green");
  equal(result.structuredContent.data.file_info[0].file_name, "tea.md");
  const { code, stderr } = await pipe.end();
  equal(code, 0);
  equal(stderr.includes("internal"), false, stderr);
});
