import { deepEqual, equal, match } from "node:assert/strict";
import { databaseOf } from "#library/store/postgres/database.ts";
import { usingPostgres } from "../_postgres.ts";
import { fetchWith, type Message } from "../attacks/_team.ts";
import { makeRoles } from "../library/store/postgres/_roles.ts";
import { startHttpProgram } from "./_http_program.ts";
import { makeSandbox, writeFiles } from "./_program.ts";

Deno.test("tokens in a database let people of every server see their collections in it, by the role of readers", async () => {
  await usingPostgres(async (url, settings) => {
    const { schema } = settings;
    await using _roles = await makeRoles(databaseOf(settings), schema, "current_user");
    await using sandbox = await makeSandbox({
      "alpha/tea.md": "# Tea\n\nGreen tea wants water of 80 degrees.\n",
      "beta/zeppelin.md": "# Zeppelin\n\nThe zeppelin of the board drinks tea.\n",
    }, { env: { MUXUE_RAG_STORE_PASSWORD: settings.password! } });
    const { cwd, folder, run } = sandbox;
    await writeFiles(cwd, {
      "team.yaml": `language: en
mcp: {tools: all}
store: {provider: postgres, url: "${url}", schema: ${schema}}
collections: {alpha: {path: "${folder}/alpha"}, beta: {path: "${folder}/beta"}}
`,
    });
    const config = ["--config", `${cwd}/team.yaml`];
    for (const name of ["alpha", "beta"]) {
      const { code, stderr } = await run("index", `${folder}/${name}`, ...config);
      equal(code, 0, stderr);
    }
    const add = async (name: string, ...collections: string[]) => {
      const grants = collections.flatMap((collection) => ["--collection", collection]);
      const { code, stdout, stderr } = await run("token", "add", name, ...grants, ...config);
      equal(code, 0, stderr);
      return stdout.trim();
    };
    const [ann, ben] = [await add("ann", "alpha"), await add("ben", "beta:write")];
    equal(await Deno.lstat(`${cwd}/state/tokens`).then(() => true, () => false), false);
    const servers = [
      await startHttpProgram({ ...sandbox, folder: "alpha" }, "--dir", "beta", "--no-watch", ...config),
      await startHttpProgram({ ...sandbox, folder: "beta" }, "--dir", "alpha", ...config),
    ];
    await using _servers = {
      [Symbol.asyncDispose]: async () => void await Promise.all(servers.map((server) => server.end())),
    };
    const found = async (at: number, token: string) => {
      const { structuredContent } = await fetchWith(servers[at]!.url, token).call("search_rag", {
        keyword: "tea",
      });
      return structuredContent.data.match_content.map(({ file_path: path }: Message) =>
        path.split("/").at(-1)
      );
    };
    for (const at of [0, 1]) {
      deepEqual([await found(at, ann), await found(at, ben)], [["tea.md"], ["zeppelin.md"]]);
      equal((await fetchWith(servers[at]!.url, "mxr_guess").ask("tools/list", {})).status, 401);
    }
    const asked = await databaseOf(settings).query<{ name: string; used: boolean }>(
      `select name, used is not null as used from ${schema}.token order by name`,
    );
    deepEqual(asked, [{ name: "ann", used: true }, { name: "ben", used: true }]);
    // With the right to write a collection, a person has the server update it.
    await Deno.writeTextFile(`${folder}/beta/new.md`, "Lanterns and tea at dusk.\n");
    const updated = await fetchWith(servers[1]!.url, ben).call("ingest_now", { collection: "beta" });
    equal(updated.structuredContent.code, 200, JSON.stringify(updated));
    // The other server notices within seconds.
    for (let tries = 0; (await found(0, ben)).length < 2 && tries < 100; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    deepEqual((await found(0, ben)).sort(), ["new.md", "zeppelin.md"]);
    match((await run("trace", "list", ...config)).stdout, / query +ben: hits 2/);
    match((await run("trace", "show", ...config)).stdout, /^asked by ben$/m);
    equal((await run("token", "revoke", "ann", ...config)).code, 0);
    match((await run("token", "list", ...config)).stdout, /^ann +revoked/m);
    for (const { url: place } of servers) {
      for (let tries = 0; (await fetchWith(place, ann).ask("tools/list", {})).status !== 401; tries++) {
        equal(tries < 100, true);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  });
});
