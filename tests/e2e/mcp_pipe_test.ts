import assert from "node:assert/strict";
import { join } from "node:path";
import { openPipe, ping, search } from "./_mcp_pipe.ts";
import { makeSandbox } from "./_program.ts";

const FILES = {
  "tea.md": "# Tea\n\nGreen tea wants 80 degrees.\n",
  "茶.md": "# 茶\n\n绿茶宜用八十度的水。\n",
};

async function indexed() {
  const sandbox = await makeSandbox(FILES);
  const { code, stderr } = await sandbox.run("--dir", sandbox.folder);
  assert.equal(code, 0, stderr);
  return sandbox;
}

Deno.test("garbage, invalid UTF-8, partial lines, a huge line and unknown methods do not stop the server", async () => {
  await using sandbox = await indexed();
  await using pipe = await openPipe(sandbox);
  const random = crypto.getRandomValues(new Uint8Array(60_000)).filter((byte) => byte !== 10);
  const half = new TextEncoder().encode(JSON.stringify(search(2, "绿茶")) + "\n");
  await pipe.send("nonsense\n", "\n\r\n", "[]\n{}\nnull\n", Uint8Array.of(0xff, 0xfe, 0x0a), random, "\n");
  await pipe.send({ jsonrpc: "2.0", id: 1, method: "no/such/method" });
  await pipe.send(half.subarray(0, 95));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await pipe.send(half.subarray(95));
  const early = await pipe.receiveUntil(2);
  assert.deepEqual(
    early.filter(({ error }) => error).map(({ id, error }) => `${id} ${error.code}`).sort(),
    ["1 -32601", ...Array(3).fill("null -32600"), ...Array(3).fill("null -32700")],
  );
  assert.equal(early.at(-1).result.structuredContent.data.file_info[0].file_name, "茶.md");
  for (let i = 0; i < 17; i++) await pipe.send(new Uint8Array(1 << 20).fill(0x61));
  await pipe.send("\n", ping(3));
  assert.deepEqual((await pipe.receiveUntil(3)).map(({ id, error }) => [id, error?.code]), [
    [null, -32700],
    [3, undefined],
  ]);
  const { code, rest, stderr } = await pipe.end();
  assert.deepEqual([code, rest, stderr], [0, [], ""]);
});

Deno.test("each of 10,000 requests at once is answered once", async () => {
  await using sandbox = await indexed();
  await using pipe = await openPipe(sandbox);
  const sent = (async () => {
    for (let id = 1; id <= 10_000; id++) await pipe.send(id % 10 === 0 ? search(id, "tea") : ping(id));
  })();
  const answers = await pipe.receive(10_000);
  await sent;
  assert.deepEqual(
    answers.map(({ id }) => id).sort((a, b) => a - b),
    Array.from({ length: 10_000 }, (_, i) => i + 1),
  );
  assert.deepEqual(answers.filter(({ error, result }) => error || result.isError), []);
});

Deno.test("cancelled searches are answered once at most, and the next one is answered", async () => {
  await using sandbox = await indexed();
  await using pipe = await openPipe(sandbox);
  for (let id = 1; id <= 50; id++) {
    await pipe.send(search(id, "tea"), {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id, reason: "test" },
    });
  }
  await pipe.send(search(51, "tea"));
  const ids = (await pipe.receiveUntil(51)).map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.at(-1), 51);
});

Deno.test("the end of stdin ends the idle server with exit code 0", async () => {
  await using sandbox = await indexed();
  const pipe = await openPipe(sandbox);
  const { code, rest, stderr } = await pipe.end();
  assert.deepEqual([code, rest, stderr], [0, [], ""]);
});

Deno.test("the end of stdin ends the server with exit code 0 even if 10,000 searches wait", async () => {
  await using sandbox = await indexed();
  const pipe = await openPipe(sandbox);
  const flood = Array.from({ length: 10_000 }, (_, i) => JSON.stringify(search(i + 1, "tea 茶")) + "\n").join(
    "",
  );
  const sent = pipe.send(flood);
  const ended = sent.then(() => pipe.end());
  const { code, stderr } = await ended;
  assert.deepEqual([code, stderr], [0, ""]);
});

Deno.test("the death of the client ends the server with exit code 0 and without output", async () => {
  await using sandbox = await indexed();
  const pipe = await openPipe(sandbox);
  await pipe.closeOutput();
  await pipe.send(ping(1)).catch(() => {});
  const { code, stderr } = await pipe.end({ keepStdin: true });
  assert.deepEqual([code, stderr], [0, ""]);
});

Deno.test("a server ignores missing folders as long as one folder exists", async () => {
  await using sandbox = await indexed();
  const gone = join(sandbox.cwd, "gone");
  const pipe = await openPipe(sandbox, ["--dir", gone, "--dir", sandbox.folder, "--language", "en"]);
  const found = await pipe.search("tea");
  assert.equal(found.result.structuredContent.code, 200);
  const { code, stderr } = await pipe.end();
  const hint = "To list the indexed folders, run: muxue_rag status --all";
  assert.deepEqual([code, stderr], [0, `Note: Skipped: The directory does not exist: ${gone}. ${hint}\n`]);
  const { code: refused } = await sandbox.run("serve", "--dir", gone);
  assert.equal(refused, 2);
});

Deno.test("an unusable folder is reported on stderr, and the others are searched", async () => {
  await using sandbox = await indexed();
  const other = join(sandbox.cwd, "other");
  await Deno.mkdir(other);
  await Deno.writeTextFile(join(other, ".muxue_rag"), "in the way");
  const dirs = ["--dir", sandbox.folder, "--dir", other];
  const pipe = await openPipe(sandbox, [...dirs, "--no-watch", "--language", "en"]);
  await pipe.send(search(1, "tea"));
  const messages = await pipe.receiveUntil(1);
  assert.equal(messages.at(-1).result.structuredContent.code, 200);
  const { code, stderr } = await pipe.end();
  assert.equal(code, 0);
  const [{ method, params }] = messages;
  assert.deepEqual([method, params.level], ["notifications/message", "warning"]);
  assert.equal(stderr, `Note: ${params.data}\n`);
  assert.match(
    stderr,
    /^Note: The index of .*other cannot be used: .*\.muxue_rag is not a regular folder.*\n$/,
  );
});

Deno.test("a server without --dir says that a folder indexed since its start is served after a restart", async () => {
  await using sandbox = await makeSandbox(FILES);
  const later = join(sandbox.cwd, "later");
  await Deno.mkdir(later);
  await Deno.writeTextFile(join(later, "note.md"), "tea, later");
  const restart =
    `These folders were indexed after this server started and can be searched and read only after a restart ` +
    `(reconnect it in the client): `;

  await using empty = await openPipe(sandbox, ["--language", "en"]);
  const before = await empty.search("tea");
  assert.equal(before.result.structuredContent.code, 500);
  assert.equal((await sandbox.run("--dir", sandbox.folder, "--quiet")).code, 0);
  const after = await empty.search("tea");
  assert.equal(after.result.structuredContent.message, before.result.structuredContent.message);
  assert.match(after.result.content[0].text, new RegExp(`\n${escaped(restart + sandbox.folder)}$`));

  // without updates of its own, whose notices would come between
  await using one = await openPipe(sandbox, ["--no-watch", "--language", "en"]);
  const first = await one.search("tea");
  assert.equal(first.result.structuredContent.data.notices, undefined);
  assert.equal((await sandbox.run("--dir", later, "--quiet")).code, 0);
  const second = await one.search("tea");
  const { file_info, notices } = second.result.structuredContent.data;
  assert.deepEqual(file_info.map(({ file_name }: { file_name: string }) => file_name), ["tea.md", "茶.md"]);
  assert.deepEqual(notices, [restart + later]);
  await one.send(readFile(3, join(later, "note.md")));
  const [third] = await one.receiveUntil(3);
  assert.equal(third.result.structuredContent.code, 500);
  assert.match(third.result.content[0].text, new RegExp(`\n${escaped(restart + later)}$`));
});

Deno.test("files outside of a folder, secrets and ignored files are neither listed nor read nor completed", async () => {
  await using sandbox = await makeSandbox({
    "tea.md": "Green tea.\n",
    ".env": "TOKEN=secret-in-env\n",
    "hidden/notes.md": "secret-in-ignored\n",
    ".gitignore": "hidden/\n",
  });
  await Deno.writeTextFile(join(sandbox.cwd, "outside.md"), "secret-outside\n");
  assert.equal((await sandbox.run("--dir", sandbox.folder)).code, 0);
  await using pipe = await openPipe(sandbox);
  const collection = encodeURIComponent(sandbox.folder.replace(/.*[/\\]/, ""));
  let id = 0;
  const ask = async (method: string, params = {}) => {
    await pipe.send({ jsonrpc: "2.0", id: ++id, method, params });
    return (await pipe.receiveUntil(id)).at(-1);
  };
  const { resources } = (await ask("resources/list")).result;
  assert.deepEqual(resources.map(({ name }: { name: string }) => name), ["tea.md"]);
  const outside = encodeURIComponent(join(sandbox.cwd, "outside.md"));
  for (
    const path of [
      ".env",
      "hidden/notes.md",
      "..%2Foutside.md",
      "%2e%2e/outside.md",
      "hidden/..%2F..%2Foutside.md",
      outside,
      `%2F${outside}`,
      "tea.md%00",
      ".muxue_rag/index.bin",
    ]
  ) {
    const answer = await ask("resources/read", { uri: `muxue://${collection}/${path}` });
    assert.equal(answer.result, undefined, path);
    assert.equal(JSON.stringify(answer).includes("secret-"), false, path);
  }
  const completed = await ask("completion/complete", {
    ref: { type: "ref/prompt", name: "compare_documents" },
    argument: { name: "first", value: "" },
  });
  assert.deepEqual(completed.result.completion.values, ["tea.md"]);
});

function readFile(id: number, path: string): Record<string, unknown> {
  const call = { name: "read_raw_file", arguments: { file_path: path } };
  return { jsonrpc: "2.0", id, method: "tools/call", params: call };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
