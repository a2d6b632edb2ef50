import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { openPipe, ping, search } from "./_mcp_pipe.ts";
import { makeIndexed, makeSandbox, writeFiles } from "./_program.ts";

const FILES = {
  "tea.md": "# Tea\n\nGreen tea wants 80 degrees.\n",
  "茶.md": "# 茶\n\n绿茶宜用八十度的水。\n",
};
const EN = ["--language", "en"];

Deno.test("garbage, invalid UTF-8, partial lines, a huge line and unknown methods do not stop the server", async () => {
  await using sandbox = await makeIndexed(FILES);
  await using pipe = await openPipe(sandbox);
  const random = crypto.getRandomValues(new Uint8Array(60_000)).filter((byte) => byte !== 10);
  const half = new TextEncoder().encode(JSON.stringify(search(2, "绿茶")) + "\n");
  await pipe.send("nonsense\n", "\n\r\n", "[]\n{}\nnull\n", Uint8Array.of(0xff, 0xfe, 0x0a), random, "\n");
  await pipe.send({ jsonrpc: "2.0", id: 1, method: "no/such/method" });
  await pipe.send(half.subarray(0, 95));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await pipe.send(half.subarray(95));
  const early = await pipe.receiveUntil(2);
  deepEqual(
    early.filter(({ error }) => error).map(({ id, error }) => `${id} ${error.code}`).sort(),
    ["1 -32601", ...Array(3).fill("null -32600"), ...Array(3).fill("null -32700")],
  );
  equal(early.at(-1).result.structuredContent.data.file_info[0].file_name, "茶.md");
  for (let i = 0; i < 17; i++) await pipe.send(new Uint8Array(1 << 20).fill(0x61));
  await pipe.send("\n", ping(3));
  deepEqual((await pipe.receiveUntil(3)).map(({ id, error }) => [id, error?.code]), [
    [null, -32700],
    [3, undefined],
  ]);
  const { code, rest, stderr } = await pipe.end();
  deepEqual([code, rest, stderr], [0, [], ""]);
});

Deno.test("each of 10,000 requests at once is answered once, of cancelled searches at most once, and the end of stdin ends the server, also while 10,000 searches wait", async () => {
  await using sandbox = await makeIndexed(FILES);
  const pipe = await openPipe(sandbox);
  const requests = Array.from(
    { length: 10_000 },
    (_, i) => i % 10 === 9 ? search(i + 1, "tea") : ping(i + 1),
  );
  const lines = (requests: object[]) => requests.map((request) => JSON.stringify(request) + "\n").join("");
  const sent = pipe.send(lines(requests));
  const answers = await pipe.receive(10_000);
  await sent;
  deepEqual(answers.map(({ id }) => id).sort((a, b) => a - b), requests.map(({ id }) => id));
  deepEqual(answers.filter(({ error, result }) => error || result.isError), []);

  for (let id = 10_001; id <= 10_050; id++) {
    const params = { requestId: id, reason: "test" };
    await pipe.send(search(id, "tea"), { jsonrpc: "2.0", method: "notifications/cancelled", params });
  }
  await pipe.send(search(10_051, "tea"));
  const ids = (await pipe.receiveUntil(10_051)).map(({ id }) => id);
  equal(new Set(ids).size, ids.length);

  await pipe.send(lines(Array.from({ length: 10_000 }, (_, i) => search(20_000 + i, "tea 茶"))));
  const { code, stderr } = await pipe.end();
  deepEqual([code, stderr], [0, ""]);
});

Deno.test("initialize gets the same answer before the worker starts and from the SDK, and is then followed by all other answers", async () => {
  await using sandbox = await makeIndexed(FILES);
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "a", version: "1" } };
  const line = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "initialize", params }) + "\n";
  for (const limits of ["", ", access: {levels: [public]}"]) {
    const about = `{path: "${sandbox.folder.replaceAll("\\", "/")}", description: About tea}`;
    await writeFiles(sandbox.cwd, {
      "my.yaml": `language: en\nmcp: {tools: all${limits}}\ncollections: {tea: ${about}}\n`,
    });
    const answers = [];
    for (const pieces of [[line], [line.slice(0, 40), line.slice(40)]]) {
      await using pipe = await openPipe(sandbox, ["--config", join(sandbox.cwd, "my.yaml")], null);
      for (const piece of pieces) {
        await pipe.send(piece);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      answers.push(await pipe.receiveUntil(7));
      await pipe.send({ jsonrpc: "2.0", method: "notifications/initialized" }, ping(8));
      deepEqual(await pipe.receiveUntil(8), [{ jsonrpc: "2.0", id: 8, result: {} }]);
    }
    deepEqual(answers[0], answers[1]);
    match(answers[0]![0].result.instructions, /tea.*About tea/);
    equal("logging" in answers[0]![0].result.capabilities, limits === "");
  }
});

Deno.test("the end of stdin ends the idle server, and the death of the client, with exit code 0 and without output", async () => {
  await using sandbox = await makeIndexed(FILES);
  deepEqual(await (await openPipe(sandbox)).end(), { code: 0, stderr: "", rest: [] });
  const pipe = await openPipe(sandbox);
  await pipe.closeOutput();
  await pipe.send(ping(1)).catch(() => {});
  deepEqual(await pipe.end({ keepStdin: true }), { code: 0, stderr: "", rest: [] });
});

Deno.test("a server ignores missing folders as long as one folder exists", async () => {
  await using sandbox = await makeIndexed(FILES);
  const gone = join(sandbox.cwd, "gone");
  const pipe = await openPipe(sandbox, ["--dir", gone, "--dir", sandbox.folder, ...EN]);
  equal((await pipe.search("tea")).result.structuredContent.code, 200);
  const { code, stderr } = await pipe.end();
  const hint = "To list the indexed folders, run: muxue_rag status --all";
  deepEqual([code, stderr], [0, `Note: Skipped: The directory does not exist: ${gone}. ${hint}\n`]);
  equal((await sandbox.run`serve --dir ${gone}`).code, 2);
});

Deno.test("an unusable folder is reported on stderr, and the others are searched", async () => {
  await using sandbox = await makeIndexed(FILES);
  const other = join(sandbox.cwd, "other");
  await writeFiles(other, { ".muxue_rag": "in the way" });
  const pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--dir", other, "--no-watch", ...EN]);
  await pipe.send(search(1, "tea"));
  const [{ method, params }, ...messages] = await pipe.receiveUntil(1);
  equal(messages.at(-1).result.structuredContent.code, 200);
  const { code, stderr } = await pipe.end();
  deepEqual([code, method, params.level], [0, "notifications/message", "warning"]);
  equal(stderr, `Note: ${params.data}\n`);
  match(
    stderr,
    /^Note: The index of .*other cannot be used: .*\.muxue_rag is not a regular folder.*\n$/,
  );
});

Deno.test("a server without --dir says that a folder indexed since its start is served after a restart", async () => {
  await using sandbox = await makeSandbox(FILES);
  const { cwd, folder, run } = sandbox;
  const later = join(cwd, "later");
  await writeFiles(later, { "note.md": "tea, later" });
  const restart =
    `These folders were indexed after this server started and can be searched and read only after a restart ` +
    `(reconnect it in the client): `;

  await using empty = await openPipe(sandbox, EN);
  const { result: before } = await empty.search("tea");
  equal(before.structuredContent.code, 500);
  equal((await run`--dir ${folder} --quiet`).code, 0);
  const { result: after } = await empty.search("tea");
  equal(after.structuredContent.message, before.structuredContent.message);
  match(after.content[0].text, new RegExp(`\n${RegExp.escape(restart + folder)}$`));

  // without updates of its own, whose notices would come between
  await using one = await openPipe(sandbox, ["--no-watch", ...EN]);
  const { result: first } = await one.search("tea");
  equal(first.structuredContent.data.notices, undefined);
  equal((await run`--dir ${later} --quiet`).code, 0);
  const { file_info: found, notices } = (await one.search("tea")).result.structuredContent.data;
  deepEqual(found.map(({ file_name }: { file_name: string }) => file_name), ["tea.md", "茶.md"]);
  deepEqual(notices, [restart + later]);
  const { result: third } = await one.call("read_raw_file", { file_path: join(later, "note.md") });
  equal(third.structuredContent.code, 500);
  match(third.content[0].text, new RegExp(`\n${RegExp.escape(restart + later)}$`));
});

Deno.test("files outside of a folder, secrets and ignored files are neither listed nor read nor completed", async () => {
  await using sandbox = await makeIndexed({
    "tea.md": "Green tea.\n",
    ".env": "TOKEN=secret-in-env\n",
    "hidden/notes.md": "secret-in-ignored\n",
    ".gitignore": "hidden/\n",
  });
  const { cwd, folder } = sandbox;
  await writeFiles(cwd, { "outside.md": "secret-outside\n" });
  await using pipe = await openPipe(sandbox);
  const collection = encodeURIComponent(folder.replace(/.*[/\\]/, ""));
  const { resources } = (await pipe.ask("resources/list")).result;
  deepEqual(resources.map(({ name }: { name: string }) => name), ["tea.md"]);
  const outside = encodeURIComponent(join(cwd, "outside.md"));
  const paths = [
    ...[".env", "hidden/notes.md", "..%2Foutside.md", "%2e%2e/outside.md", "hidden/..%2F..%2Foutside.md"],
    ...[outside, `%2F${outside}`, "tea.md%00", ".muxue_rag/index.bin"],
  ];
  for (const path of paths) {
    const answer = await pipe.ask("resources/read", { uri: `muxue://${collection}/${path}` });
    deepEqual([answer.result, JSON.stringify(answer).includes("secret-")], [undefined, false], path);
  }
  const completed = await pipe.ask("completion/complete", {
    ref: { type: "ref/prompt", name: "compare_documents" },
    argument: { name: "first", value: "" },
  });
  deepEqual(completed.result.completion.values, ["tea.md"]);
});
