/** Standard input and output, the console, signals, servers and the environment on Windows. */
import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { makeSandbox, spawnIn } from "../e2e/_program.ts";
import { openPipe } from "../e2e/_mcp_pipe.ts";
import { startHttpProgram } from "../e2e/_http_program.ts";
import { foundIn, indexedWith, testOfWindows, textOf, WORD } from "./_windows.ts";

const TEA = `# 茶\n\n山坡上种着 ${WORD}。\n`;

Deno.test("messages on stdout end with a line feed alone, and contain Chinese as UTF-8", async () => {
  await using sandbox = await indexedWith({ "茶.md": TEA }, "");
  const child = spawnIn(sandbox, sandbox.start(["serve", "--dir", sandbox.folder, "--no-watch"]));
  const output = new Response(child.stdout).bytes();
  void child.stderr.cancel();
  const writer = child.stdin.getWriter();
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const lines = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: hello },
    {
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "search_rag", arguments: { keyword: "茶" } },
    },
  ];
  // A client on Windows may end its lines with CRLF.
  await writer.write(new TextEncoder().encode(lines.map((line) => JSON.stringify(line) + "\r\n").join("")));
  await new Promise((done) => setTimeout(done, 5000));
  await writer.close();
  const bytes = await output;
  const { code } = await child.status;
  equal(bytes.includes(13), false);
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  match(text, /山坡上种着/);
  for (const line of text.trimEnd().split("\n")) JSON.parse(line);
  equal(code, 0);
});

Deno.test("a server ends by itself when its input ends, also while it watches", async () => {
  await using sandbox = await indexedWith({ "a.md": TEA }, "");
  await using pipe = await openPipe(sandbox);
  match(textOf(await pipe.search(WORD)), /a\.md/);
  const { code } = await pipe.end();
  equal(code, 0);
});

Deno.test("hits are printed as UTF-8, whatever the code page of the console is", async () => {
  await using sandbox = await indexedWith({ "茶.md": TEA }, "");
  const { cmd, args } = sandbox.start(["search", WORD, "--dir", sandbox.folder, "--language", "zh"]);
  const line = [cmd, ...args].map((word) => `"${word}"`).join(" ");
  for (const page of ["936", "65001"]) {
    const { stdout } = await new Deno.Command("cmd", {
      args: ["/d", "/s", "/c", `"chcp ${page} >NUL & ${line}"`],
      windowsRawArguments: true,
      cwd: sandbox.cwd,
      env: sandbox.env,
      clearEnv: true,
    }).output();
    match(new TextDecoder("utf-8", { fatal: true }).decode(stdout), /茶\.md[^]*山坡上种着/, page);
  }
});

Deno.test("a server over HTTP answers, and another one at its port says that it is taken", async () => {
  await using sandbox = await indexedWith({ "a.md": TEA }, "");
  await using server = await startHttpProgram(sandbox, "--no-watch");
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const response = await fetch(server.url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello }),
  });
  match(await response.text(), /"serverInfo"/);
  const second = await sandbox
    .run`serve --http --port ${`${server.port}`} --dir ${sandbox.folder} --no-watch`;
  equal(second.code === 0, false, second.stderr);
  match(second.stderr, new RegExp(`${server.port}`));
});

testOfWindows(
  "a server finds a file that is written while it watches",
  "a watch reports the first change alone",
  async () => {
    await using sandbox = await indexedWith({ "a.md": TEA }, "");
    await using pipe = await openPipe(sandbox);
    await Deno.writeTextFile(join(sandbox.folder, "new.md"), "# New\n\nspearmint\n");
    match(await pipe.searchUntil("spearmint", (text) => text.includes("new.md")), /new\.md/);
    Deno.renameSync(join(sandbox.folder, "new.md"), join(sandbox.folder, "renamed.md"));
    await pipe.searchUntil("spearmint", (text) => text.includes("renamed.md"));
  },
);

Deno.test("names of variables of the environment count in any case", async () => {
  await using sandbox = await makeSandbox({ "a.md": TEA });
  const { stderr, stdout } = await sandbox.runIn({
    env: { "Muxue_Rag_Language": "en" },
  })`--dir ${sandbox.folder}`;
  match(stdout + stderr, /Indexed: /);
});

Deno.test("names of files that only differ by case are not doubled when a file is renamed to another case", async () => {
  await using sandbox = await indexedWith({ "tea.md": TEA }, "");
  // Wine does nothing for a new name that differs by case.
  Deno.renameSync(join(sandbox.folder, "tea.md"), join(sandbox.folder, "other.md"));
  Deno.renameSync(join(sandbox.folder, "other.md"), join(sandbox.folder, "Tea.md"));
  deepEqual(await foundIn(sandbox), ["Tea.md"]);
});

Deno.test("setup writes the full path of the folder, with backslashes that JSON escapes", async () => {
  await using sandbox = await makeSandbox({ "a.md": TEA });
  const { stdout, code, stderr } = await sandbox
    .run`setup claude-desktop --dir ${sandbox.folder} --language en`;
  equal(code, 0, stderr);
  const json = /\{[^]*\}/.exec(stdout)![0];
  const text = JSON.stringify(JSON.parse(json));
  equal(text.includes(JSON.stringify(sandbox.folder).slice(1, -1)), true, stdout);
});
