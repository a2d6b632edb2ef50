import { deepEqual, equal, match } from "node:assert/strict";
import { callBody, headersFor, startHttpProgram } from "./_http_program.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { makeIndexed, writeFiles } from "./_program.ts";

const level = (name: string, text: string) => `---\naccess_level: ${name}\n---\n# Tea\n\n${text}\n`;

const FILES = {
  "public.md": level("public", "Green tea for everybody."),
  "internal.md": level("internal", "Tea for the team only."),
  "secret.md": level("secret", "Tea of the board."),
  "none.md": "# Tea\n\nNobody said who may read this tea.\n",
};

const TOKENS = {
  FULL: "full-0123456789abcdef",
  TEAM: "team-0123456789abcdef",
  GUEST: "guest-0123456789abcdef",
};

Deno.test("each token over HTTP sees the documents of its levels, within those of the server", async () => {
  await using sandbox = await makeIndexed(FILES);
  Object.assign(sandbox.env, TOKENS);
  await writeFiles(sandbox.cwd, {
    "my.yaml": `mcp:
  access: {levels: [public, internal, secret]}
  tokens:
    - {env: TEAM, levels: [public, internal]}
    - {env: GUEST, levels: [public, nothing]}
`,
  });
  await using server = await startHttpProgram(
    sandbox,
    "--token-env",
    "FULL",
    "--config",
    `${sandbox.cwd}/my.yaml`,
  );
  const ask = async (token: string | undefined, name: string, args: Record<string, unknown>) => {
    const headers = {
      ...headersFor("tools/call", name),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    };
    return await fetch(server.url, { method: "POST", headers, body: callBody(name, args) });
  };
  const names = async (token: string) => {
    const { result } = await (await ask(token, "search_rag", { keyword: "tea" })).json();
    const found: { file_path: string }[] = result.structuredContent.data.match_content;
    return found.map(({ file_path: path }) => path.split(/[\\/]/).at(-1)).sort();
  };
  deepEqual(await names(TOKENS.FULL), ["internal.md", "public.md", "secret.md"]);
  deepEqual(await names(TOKENS.TEAM), ["internal.md", "public.md"]);
  deepEqual(await names(TOKENS.GUEST), ["public.md"]);
  for (const token of [undefined, "other-0123456789abcdef"]) {
    const refused = await ask(token, "search_rag", { keyword: "tea" });
    equal(refused.status, 401);
    await refused.body?.cancel();
  }
  const read = async (token: string) => {
    const { result } = await (await ask(token, "read_raw_file", { file_path: "internal.md" })).json();
    return result.structuredContent.message;
  };
  match(await read(TOKENS.TEAM), /Read|读取/);
  equal(
    await read(TOKENS.GUEST),
    (await (await ask(TOKENS.GUEST, "read_raw_file", { file_path: "gone.md" })).json()).result
      .structuredContent.message,
  );
});

Deno.test("a session that one token began is unknown to another", async () => {
  await using sandbox = await makeIndexed(FILES);
  Object.assign(sandbox.env, TOKENS);
  await writeFiles(sandbox.cwd, {
    "my.yaml": "mcp: {tokens: [{env: TEAM, levels: [internal]}, {env: GUEST, levels: [public]}]}\n",
  });
  await using server = await startHttpProgram(sandbox, "--no-watch", "--config", `${sandbox.cwd}/my.yaml`);
  const send = (token: string, body: object, session?: string) =>
    fetch(server.url, {
      method: "POST",
      headers: {
        ...{
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          Authorization: `Bearer ${token}`,
        },
        ...(session !== undefined && { "Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25" }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
    });
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "0" },
  };
  const begun = await send(TOKENS.TEAM, { method: "initialize", params });
  await begun.body?.cancel();
  const session = begun.headers.get("Mcp-Session-Id")!;
  const list = { method: "resources/list", params: {} };
  const [own, other] = [await send(TOKENS.TEAM, list, session), await send(TOKENS.GUEST, list, session)];
  equal((await own.text()).includes("internal.md"), true);
  equal(other.status, 404);
  await other.body?.cancel();
});

Deno.test("a server on stdin and stdout is limited by mcp.access, offers no updates, and a wrong setting stops it", async () => {
  await using sandbox = await makeIndexed(FILES);
  await writeFiles(sandbox.cwd, {
    "my.yaml": "language: en\nmcp: {tools: all, access: {levels: [public]}}\n",
  });
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--config", `${sandbox.cwd}/my.yaml`]);
  const { result } = await pipe.call("list_documents", {});
  deepEqual(
    result.structuredContent.data.documents.map(({ path }: { path: string }) => path.split(/[\\/]/).at(-1)),
    ["public.md"],
  );
  equal((await pipe.call("ingest_now", {})).result.structuredContent.code, 500);
  await writeFiles(sandbox.cwd, { "my.yaml": "language: en\nmcp: {access: {level: [public]}}\n" });
  const { code, stderr } = await sandbox.run(
    "search",
    "tea",
    "--dir",
    sandbox.folder,
    "--config",
    `${sandbox.cwd}/my.yaml`,
  );
  equal(code === 0, false);
  match(stderr, /mcp\.access: expected some of \{levels/);
});
