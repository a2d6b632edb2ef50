import { deepEqual, equal, match, notEqual, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { formerClient, OFFICIAL_CLIENTS } from "./_official_clients.ts";
import { startHttpProgram } from "./_http_program.ts";
import { fromSources, makeIndexed, makeSandbox, type Sandbox, smokeTest, writeFiles } from "./_program.ts";
import { TOOLS } from "./_tools.ts";

const WORDS = "aardvark baobab cuttlefish dragonfly eucalyptus 熊猫 石榴 蒲公英 萤火虫 琵琶".split(" ");

const FILES = Object.fromEntries(
  WORDS.map((word, i) => [`note ${i}.md`, `# Chapter ${i}\n\nThis page is about ${word}.\n`]),
);

smokeTest(
  "the official clients list tools, search, read, receive errors, and reconnect",
  async (start, t) => {
    await using sandbox = await makeIndexed(FILES, { start });
    for (const [name, revision, connect] of OFFICIAL_CLIENTS) {
      // From source, the newest SDK is enough, over each transport.
      if (start === fromSources && !name.includes("discovery")) continue;
      await t.step(name, () => tryClient(sandbox, revision, connect));
    }
  },
);

async function tryClient(
  sandbox: Sandbox,
  revision: string,
  connect: typeof OFFICIAL_CLIENTS[number][2],
): Promise<void> {
  const path = (i: number) => join(sandbox.folder, `note ${i}.md`);
  {
    await using client = await connect(sandbox);
    deepEqual([client.revision, client.serverName], [revision, "muxue_rag"]);
    deepEqual(await client.listTools(), TOOLS);

    const found = await client.call("search_rag", { keyword: "熊猫" });
    deepEqual([found.code, found.message, found.isError], [200, "检索成功", false]);
    deepEqual(found.data.file_info, [{ file_path: path(5), file_name: "note 5.md" }]);
    match(found.data.match_content[0].content, /This page is about 熊猫/);
    ok(found.text.includes(`[1] <quoted-1>${path(5)}:`));

    const explained = await client.call("explain_search", { keyword: "熊猫", type: "md" });
    deepEqual([explained.code, explained.message, explained.isError], [200, "检索成功", false]);
    const [first] = explained.data.final_results;
    deepEqual([first.file_path, first.rank, first.outcome], [path(5), 1, "shown"]);
    deepEqual(first.word_pairs, [{ query: "熊猫", chunk: "熊猫", cosine: 1 }]);
    ok(explained.data.weights.maxsim > 0 && first.legs.keyword.rank === 1);
    ok(explained.text.includes(`${path(5)}:`));

    const read = await client.call("read_raw_file", { file_path: path(5) });
    const size = new TextEncoder().encode(FILES["note 5.md"]).length;
    deepEqual(
      [read.message, read.data.raw_content, read.data.file_info.file_size],
      ["读取成功", FILES["note 5.md"], size],
    );
    const lines = await client.call("read_raw_file", { file_path: path(0), start_line: 3, end_line: 3 });
    equal(lines.data.raw_content.trimEnd(), "This page is about aardvark.");

    const nothing = await client.call("search_rag", { keyword: "zzyzx" });
    deepEqual(
      [nothing.code, nothing.message, nothing.data.match_content],
      [200, "未检索到与关键词相关的内容", []],
    );

    const failures: [string, Record<string, unknown>, RegExp][] = [
      ["read_raw_file", { file_path: join(sandbox.folder, "no.md") }, /^文件不存在，请检查路径是否正确$/],
      [
        "read_raw_file",
        { file_path: Deno.execPath() },
        /^此路径不在提供的目录中，或位于隐藏目录中。可读取的目录：/,
      ],
      ["search_rag", { keyword: "a", dir_path: join(sandbox.folder, "no") }, /^目录不存在$/],
      ["search_rag", { keyword: "a", dir_path: path(0) }, /^路径不是有效目录$/],
      ["search_rag", { keyword: " " }, /^检索关键词为空。请输入要查找的内容$/],
      ["search_rag", {}, /^参数错误：keyword/],
      ["search_rag", { keyword: "a", top_k: 0 }, /^参数错误：top_k/],
    ];
    for (const [tool, args, expected] of failures) {
      const failure = await client.call(tool, args);
      deepEqual([failure.code, failure.data, failure.isError], [500, null, true]);
      match(failure.message, expected);
      equal(failure.text, [failure.message, ...failure.hints].join("\n"));
    }
    await rejects(client.call("no_such_tool", {}));

    const answers = await Promise.all(
      WORDS.map((keyword) => client.call("search_rag", { keyword, top_k: 1 })),
    );
    deepEqual(answers.map(({ data }) => data.file_info[0].file_path), WORDS.map((_, i) => path(i)));
  }
  await using again = await connect(sandbox);
  equal((await again.call("search_rag", { keyword: "琵琶" })).data.file_info[0].file_path, path(9));
}

Deno.test("a server that started before indexing reports the missing index, and later finds it without a restart", async () => {
  await using sandbox = await makeSandbox({ "tea.md": "# Tea\n\nGreen tea wants 80 degrees.\n" });
  const { folder, run } = sandbox;
  sandbox.env["MUXUE_RAG_INDEX_WATCH"] = "false";
  await using client = await formerClient(sandbox);
  // It may not write.
  deepEqual(await client.listTools(), TOOLS.filter((name) => name !== "ingest_now"));
  const before = await client.call("search_rag", { keyword: "green tea" });
  deepEqual([before.code, before.message, before.isError], [
    500,
    "RAG数据库未就绪，请先处理目标目录构建数据库",
    true,
  ]);
  const found = async (keyword: string) => {
    equal((await run`--dir ${folder}`).code, 0);
    return (await client.call("search_rag", { keyword })).data.file_info[0].file_name;
  };
  equal(await found("green tea"), "tea.md");
  await writeFiles(folder, { "coffee.md": "Coffee wants 93 degrees.\n" });
  equal(await found("coffee"), "coffee.md");
});

Deno.test("ingest_now and reembed_document say what to do where the server may not write", async () => {
  await using sandbox = await makeIndexed({ "tea.md": "Green tea." }, {
    env: { MUXUE_RAG_MCP_TOOLS: "all", MUXUE_RAG_INDEX_WATCH: "false", MUXUE_RAG_LANGUAGE: "en" },
  });
  await using client = await formerClient(sandbox);
  for (const [tool, args] of [["ingest_now", {}], ["reembed_document", { doc_id: "tea.md" }]] as const) {
    const { code, message } = await client.call(tool, args);
    equal(code, 500);
    match(
      message,
      /^This server may not write indexes \(--no-watch, index\.watch: false or limited access\)\. Run/,
    );
  }
});

Deno.test("every address that a server on all addresses prints can be opened, and none is a wildcard", async () => {
  const token = "0123456789abcdef";
  await using sandbox = await makeSandbox({ "tea.md": "Green tea.\n" }, { env: { MUXUE_TEST_TOKEN: token } });
  for (const host of ["0.0.0.0", "::"]) {
    await using server = await startHttpProgram(
      sandbox,
      ...["--host", host, "--token-env", "MUXUE_TEST_TOKEN"],
    );
    const urls = [...new Set(server.stderr().match(/https?:\/\/[^\s/]+\/mcp/g))];
    ok(urls.length > 0);
    for (const url of urls) {
      notEqual(new URL(url).hostname, host === "::" ? "[::]" : host);
      const headers = { Authorization: `Bearer ${token}` };
      const response = await fetch(new URL("/metrics", url), { headers });
      match(await response.text(), /^muxue_rag_connections /m, url);
    }
  }
});
