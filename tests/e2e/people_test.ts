import { deepEqual, equal, match } from "node:assert/strict";
import { basename } from "node:path";
import { callBody, headersFor, type HttpProgram, startHttpProgram } from "./_http_program.ts";
import { makeSandbox, type Sandbox, writeFiles } from "./_program.ts";

/** Two collections, indexed, and the configuration that names them. */
async function makeTeam(): Promise<Sandbox> {
  const sandbox = await makeSandbox({
    "alpha/tea.md": "# Tea\n\nGreen tea wants water of 80 degrees.\n",
    "alpha/board/plan.md": "# Plan\n\nThe board orders tea.\n",
    "beta/zeppelin.md": "# Zeppelin\n\nThe zeppelin of the board drinks tea.\n",
  });
  const { cwd, folder, run } = sandbox;
  await writeFiles(cwd, {
    "team.yaml": `language: en
mcp: {tools: all}
collections:
  alpha: {path: ${JSON.stringify(`${folder}/alpha`)}}
  beta: {path: ${JSON.stringify(`${folder}/beta`)}}
`,
  });
  for (const name of ["alpha", "beta"]) await run("index", `${folder}/${name}`, "--config", "team.yaml");
  return sandbox;
}

function serveTeam(sandbox: Sandbox): Promise<HttpProgram> {
  const collections = ["--dir", "beta", "--config", `${sandbox.cwd}/team.yaml`];
  return startHttpProgram({ ...sandbox, folder: "alpha" }, ...collections);
}

/** The token that a command printed. */
async function tokenOf(sandbox: Sandbox, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.run("token", "add", ...args, "--config", "team.yaml");
  equal(code, 0, stderr);
  return stdout.trim();
}

async function ask(url: URL, token: string | undefined, name: string, args: Record<string, unknown>) {
  const headers = {
    ...headersFor("tools/call", name),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url, { method: "POST", headers, body: callBody(name, args) });
  const body = await response.json();
  return { status: response.status, answer: body.result?.structuredContent, body };
}

Deno.test("each person of a server sees the collections of the token, and nobody without a token sees anything", async () => {
  await using sandbox = await makeTeam();
  // A collection inside another, which is not served.
  const board = `  board: {path: ${JSON.stringify(`${sandbox.folder}/alpha/board`)}}\n`;
  await Deno.writeTextFile(`${sandbox.cwd}/team.yaml`, board, { append: true });
  const ann = await tokenOf(sandbox, "ann", "--collection", "alpha");
  const ben = await tokenOf(sandbox, "Ben B.", "--collection", "beta:write", "--collection", "alpha");
  const cat = await tokenOf(sandbox, "cat", "--collection", "alpha:write", "--collection", "beta:write");
  match(ann, /^mxr_[\w-]{43}$/);
  await using server = await serveTeam(sandbox);
  const found = async (token: string) => {
    const { answer } = await ask(server.url, token, "search_rag", { keyword: "tea" });
    return answer.data.match_content.map(({ file_path: path }: { file_path: string }) => basename(path))
      .sort();
  };
  deepEqual(await Promise.all([ann, ben, ann].map(found)), [["tea.md"], ["tea.md", "zeppelin.md"], [
    "tea.md",
  ]]);
  const of = async (token: string) =>
    (await ask(server.url, token, "list_collections", {})).answer.data.collections
      .map(({ name }: { name: string }) => name);
  deepEqual([await of(ann), await of(ben)], [["alpha"], ["alpha", "beta"]]);
  for (const token of [undefined, "mxr_guess", `${ann}x`, ann.slice(0, -1)]) {
    equal((await ask(server.url, token, "search_rag", { keyword: "tea" })).status, 401);
  }
  const principals = async (kind: string) => {
    const { stdout } = await sandbox.run("trace", "list", "--kind", kind, "--json");
    const traces: { facts: { principal?: string } }[] = JSON.parse(stdout).data.traces;
    return traces.map(({ facts }) => facts.principal);
  };
  deepEqual(new Set(await principals("query")), new Set(["ann", "Ben B."]));
  const updated = async (token: string, collection: string) =>
    (await ask(server.url, token, "ingest_now", { collection, full: true })).answer;
  equal((await updated(ben, "beta")).code, 200);
  equal((await principals("ingestion")).filter((name) => name === "Ben B.").length, 1);
  // An update would tell of the files of the board.
  match((await updated(cat, "alpha")).message, /^Your token does not allow updates of the index of .*alpha/);
  match((await updated(ben, "alpha")).message, /^Your token does not allow updates of the index of .*alpha/);
  match((await updated(ann, "alpha")).message, /^This server may not write indexes/);
  equal((await updated(ann, "beta")).message, (await updated(ann, "alpha")).message);
});

Deno.test("a token is shown once, listed without it, and refused within seconds after it was revoked", async () => {
  await using sandbox = await makeTeam();
  const ann = await tokenOf(
    sandbox,
    "ann",
    "--collection",
    "alpha",
    "--access-level",
    "public",
    "--expires",
    "4w",
  );
  await using server = await serveTeam(sandbox);
  equal((await ask(server.url, ann, "list_collections", {})).status, 200);
  const run = (...args: string[]) => sandbox.run("token", ...args, "--config", "team.yaml");
  const { stdout: json } = await run("list", "--json");
  const [{ expires, made, used, ...ours }] = JSON.parse(json).data.tokens;
  deepEqual(ours, {
    name: "ann",
    grants: [{ collection: "alpha", right: "read" }],
    access_levels: ["public"],
  });
  equal(Date.parse(expires) - Date.parse(made), 28 * 86_400_000);
  equal(Date.parse(used) >= Date.parse(made) - 1000, true);
  match((await run("list")).stdout, /^name +state .*\nann +valid .* alpha \(only public\)\n$/);
  equal((await run("add", "ann", "--collection", "beta")).code, 1);
  const { code, stderr } = await run("revoke", "ann");
  deepEqual([code, stderr], [
    0,
    "The token of ann has ended. A server that runs ends its sessions within 10 seconds\n",
  ]);
  for (let tries = 0; (await ask(server.url, ann, "list_collections", {})).status !== 401; tries++) {
    equal(tries < 100, true);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  match((await run("revoke", "ann")).stderr, /ann has no valid token/);
  // The server still asks for tokens, although none is left.
  equal((await ask(server.url, undefined, "list_collections", {})).status, 401);
});

Deno.test("a token for a collection that the configuration does not have is refused", async () => {
  await using sandbox = await makeTeam();
  const add = (...args: string[]) => sandbox.run("token", "add", "ann", ...args, "--config", "team.yaml");
  const texts = [
    await add(),
    await add("--collection", "gamma"),
    await add("--collection", "alpha:write", "--access-level", "public"),
    await add("--collection", "alpha", "--expires", "yesterday"),
    await sandbox.run("token", "add", "../x", "--collection", "alpha", "--config", "team.yaml"),
  ].map(({ code, stderr }) => `${code} ${stderr}`);
  deepEqual(texts, [
    "2 Error: Name the collections that the token gives access to: --collection NAME\n",
    "2 Error: The configuration has no collection gamma. It has: alpha, beta. A path of a folder can be given instead\n",
    "2 Error: --access-level cannot be used with :write, because the result of an update tells of other documents\n",
    "2 Error: --expires yesterday is not a time in the future: write 90d, 12h, 4w, a day such as 2027-01-31, or never (at most 3660 days)\n",
    "2 Error: The name ../x cannot be used: it begins with a letter or digit and has letters, digits, spaces and . _ @ - only, at most 64 characters\n",
  ]);
  const { stdout } = await sandbox.run("token", "list", "--json");
  deepEqual(JSON.parse(stdout).data, { tokens: [] });
});
