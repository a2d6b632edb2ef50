import { deepEqual } from "node:assert/strict";
import { CASES, DESCRIBED } from "./_filters.ts";
import { callBody, headersFor, startHttpProgram } from "./_http_program.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { makeIndexed } from "./_program.ts";

/** The names of the files that an answer shows, without extension, in order. */
function names(data: { match_content: { file_path: string }[] }): string {
  return data.match_content.map(({ file_path: path }) => path.replace(/^.*[\\/]/, "").replace(".md", ""))
    .sort().join("");
}

Deno.test(`${CASES.length} filters pass the same files on the command line, over stdio and over HTTP, as JSON and as typed`, async () => {
  await using sandbox = await makeIndexed(DESCRIBED);
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--no-watch"]);
  await using server = await startHttpProgram(sandbox, "--no-watch");
  const overHttp = async (args: Record<string, unknown>) => {
    const answer = await fetch(server.url, {
      ...{ method: "POST", headers: headersFor("tools/call", "search_rag") },
      body: callBody("search_rag", args),
    });
    return names((await answer.json()).result.structuredContent.data);
  };
  const overStdio = async (args: Record<string, unknown>) =>
    names((await pipe.call("search_rag", args)).result.structuredContent.data);
  const wanted: unknown[] = [], found: unknown[] = [];
  for (const [json, typed, files] of CASES) {
    const all = { keyword: "tea", "top_k": 20, filters: json };
    const query = typed === undefined ? undefined : { keyword: `tea ${typed}`, "top_k": 20 };
    const command = async (query: string, ...more: string[]) => {
      const { stdout } = await sandbox.run(
        "search",
        query,
        "--dir",
        sandbox.folder,
        "--no-update",
        "--json",
        "--top-k",
        "20",
        ...more,
      );
      return names(JSON.parse(stdout).data);
    };
    wanted.push([json, files, files, files, ...typed === undefined ? [] : [files, files, files]]);
    found.push([
      json,
      await command("tea", "--filter", JSON.stringify(json)),
      await overStdio(all),
      await overHttp({ ...all, filters: JSON.stringify(json) }),
      ...query === undefined
        ? []
        : [await command(query.keyword), await overStdio(query), await overHttp(query)],
    ]);
  }
  deepEqual(found, wanted);
});
