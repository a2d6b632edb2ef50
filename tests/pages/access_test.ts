import { deepEqual, ok } from "node:assert/strict";
import { makeIndexed, writeFiles } from "../e2e/_program.ts";
import { startUi } from "./_socket.ts";

const level = (name: string, text: string) => `---\naccess_level: ${name}\n---\n# Tea\n\n${text}\n`;

const FILES = {
  "public.md": level("public", "Green tea for everybody."),
  "secret.md": level("secret", "Tea of the board."),
};

const FULL = "full-0123456789abcdef";
const GUEST = "guest-0123456789abcdef";

Deno.test("the pages beside a server open with its tokens, each with its limits", async () => {
  await using sandbox = await makeIndexed(FILES, { env: { FULL, GUEST } });
  await writeFiles(sandbox.cwd, {
    "my.yaml": "mcp:\n  tokens:\n    - env: GUEST\n      levels: [public]\n",
  });
  const args = ["--port", "0", "--token-env", "FULL", "--config", `${sandbox.cwd}/my.yaml`];
  await using ui = await startUi(sandbox, ["serve", "--http", "--ui", "--dir", sandbox.folder, ...args]);
  const seen = async (token: string) => {
    const headers = { "Authorization": `Bearer ${token}` };
    const found = (await ui.call("search/query", { query: "tea" }, headers)).json;
    const { can } = (await ui.call("session/info", {}, headers)).json;
    // deno-lint-ignore no-explicit-any
    return [found.hits?.map(({ shownPath }: any) => shownPath).toSorted() ?? found.error.key, can?.ingest];
  };
  deepEqual([ui.code, await seen(FULL), await seen(GUEST), await seen("other-0123456789abcdef")], [
    "",
    [["public.md", "secret.md"], true],
    [["public.md"], false],
    ["pages_no_token", undefined],
  ]);
  // The browser exchanges it for one that ends with the program, and has the same limits.
  const exchanged = async (token: string) => {
    const answer = await ui.call("session/open", {}, { "Authorization": `Bearer ${token}` });
    if (answer.status !== 200) return answer.json.error.key;
    ok(![FULL, GUEST].includes(answer.json.token));
    return await seen(answer.json.token);
  };
  deepEqual([await exchanged(FULL), await exchanged(GUEST), await exchanged("other-0123456789abcdef")], [
    [["public.md", "secret.md"], true],
    [["public.md"], false],
    "pages_wrong_token",
  ]);
});

Deno.test("the limits of the whole server hold for the pages", async () => {
  await using sandbox = await makeIndexed(FILES);
  await writeFiles(sandbox.cwd, { "my.yaml": "mcp:\n  access:\n    levels: [public]\n" });
  const args = ["--dir", sandbox.folder, "--no-open", "--config", `${sandbox.cwd}/my.yaml`];
  await using ui = await startUi(sandbox, ["ui", ...args]);
  const { hits } = (await ui.call("search/query", { query: "tea" })).json;
  const { can } = (await ui.call("session/info", {})).json;
  deepEqual([hits.map(({ shownPath }: { shownPath: string }) => shownPath), can], [
    ["public.md"],
    { ask: false, ingest: false, reveal: false },
  ]);
  const read = await ui.call("session/reveal", { path: `${sandbox.folder}/secret.md` });
  deepEqual([read.status, read.json.error.key], [400, "pages_no_file_manager"]);
});

Deno.test("the pages beside a server without a token open by a code", async () => {
  await using sandbox = await makeIndexed(FILES);
  await using ui = await startUi(sandbox, [
    "serve",
    "--http",
    "--ui",
    "--port",
    "0",
    "--dir",
    sandbox.folder,
  ]);
  const { hits } = (await ui.call("search/query", { query: "tea" })).json;
  deepEqual([hits.length, (await ui.call("session/info", {}, { "Authorization": undefined })).status], [
    2,
    401,
  ]);
});
