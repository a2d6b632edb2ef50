/**
 * People with tokens: nothing that a server says to one of them differs from what a server of that person's collections alone would say,
 * and nobody gets in with a token that is not theirs.
 */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { completion, completionsOf, DOCUMENTS } from "./_completions.ts";
import { fetchWith, type Message, session, startTeam, subscribe, type Team } from "./_team.ts";
import { startUi } from "../pages/_socket.ts";
import { Place, setTime } from "../library/ingest/_place.ts";
import { startSession } from "../server/_session.ts";
import { slashed } from "../_posix.ts";

const ALPHA = {
  "alpha/tea.md": "# Tea\n\nGreen tea wants water of 80 degrees. See [the plan](../beta/plan.md).\n",
  "alpha/coffee.md": "# Coffee\n\nDescale the coffee machine of the board every month.\n",
};
/** They have rare words, the words of alpha, and a text that alpha has as well. */
const BETA = {
  "beta/plan.md": "# Plan\n\nThe zeppelin of the board drinks quincunx tea, budget 4711.\n",
  "beta/tea.md": ALPHA["alpha/tea.md"],
  "beta/more.md": "# Tea\n\nTea, tea and tea again, water, degrees, coffee, coffee, machine.\n",
  "beta/list.csv": "name,price\nzeppelin,4711\n",
};
const SECRET = /zeppelin|quincunx|4711/;

/** A server of alpha and beta with a token for alpha, and a server of alpha alone. Neither writes. */
async function startBoth(): Promise<
  Team & { readonly alone: URL; readonly ann: string; readonly ben: string }
> {
  const team = await startTeam({ ...ALPHA, ...BETA });
  const [ann, ben] = [await team.add("ann", "alpha"), await team.add("ben", "beta")];
  const alone = await team.serve(["alpha"], ["--token-env", "OWNER"]);
  for (const token of [ann, ben]) await admitted(team.url, token);
  return { ...team, alone, ann, ben };
}

const OWNER = "owner-0123456789abcdef";

/** An answer without times, and without the messages about the whole server that its owner gets. */
function plain(answer: unknown): string {
  return JSON.stringify(answer).replace(/\d+\.\d+ ?(?=s\b|seconds)/g, "N")
    .replace(/"(?:cost_time|seconds|ms)":[\d.e-]+/g, '"t":0').replace(/quoted-\w+/g, "quoted")
    .replace(/"trace(?:_id)?":"\w+"/g, '"trace":""').replace(',"logging":{}', "");
}

/** Ways to name a file of beta. */
function waysTo(path: string, folder: string): string[] {
  return [
    `beta/${path}`,
    `${folder}/beta/${path}`,
    `${folder}/alpha/../beta/${path}`,
    `../beta/${path}`,
    `file://${folder}/beta/${path}`,
    `muxue://beta/${path}`,
    `muxue://alpha/../beta/${path}`,
    `muxue://alpha/%2e%2e/beta/${path}`,
    `beta/${path}:1-3`,
    path,
  ];
}

/** Calls of every tool that could tell of beta. `chunks`: ids of its chunks. */
function calls(folder: string, chunks: readonly string[]): [string, Record<string, unknown>][] {
  const words = [
    "tea",
    "zeppelin",
    "zepelin",
    "quincunx",
    "quincumx",
    "tea -zeppelin",
    "4711",
    '"quincunx tea"',
  ];
  const queries = words.flatMap((query): [string, Record<string, unknown>][] => [
    ["search_rag", { keyword: query, top_k: 50 }],
    ["search_rag", { keyword: query, mode: "keyword" }],
    ["search_rag", { keyword: query, mode: "semantic" }],
    ["explain_search", { keyword: query }],
    ["query_knowledge_hub", { query, top_k: 50 }],
    ["search_by_keyword", { query }],
    ["search_by_semantic", { query }],
    ["verify_answer", { answer: `It says ${query}.`, question: query }],
  ]);
  const places = ["beta", "BETA", `${folder}/beta`, "../beta", "alpha/../beta", folder, "gone", "*", "all"];
  const scoped = places.flatMap((place): [string, Record<string, unknown>][] => [
    ["search_rag", { keyword: "tea", collection: place }],
    ["search_rag", { keyword: "tea", dir_path: place }],
    ["search_rag", { keyword: `tea path:${place}` }],
    ["query_knowledge_hub", { query: "tea", collection: place }],
    ["list_documents", { collection: place }],
    ["list_documents", { path: place }],
    ["ingest_now", { collection: place }],
  ]);
  const reads = Object.keys(BETA).map((path) => path.slice("beta/".length)).flatMap((path) =>
    waysTo(path, folder)
  )
    .flatMap((path): [string, Record<string, unknown>][] => [
      ["read_raw_file", { file_path: path }],
      ["get_document_content", { file_path: path }],
      ["get_document_original", { file_path: path }],
      ["list_document_sections", { file_path: path }],
      ["query_table", { path }],
      ["get_document_summary", { doc_id: path }],
      ["find_related", { doc_id: path }],
      ["list_images", { file_path: path }],
      ["get_image", { image_id: `${path}#image=1` }],
      ["get_page_image", { file_path: path, page: 1 }],
      ["reembed_document", { doc_id: path }],
      ["read_documents", { paths: [path, "tea.md"] }],
    ]);
  const ids = [...chunks, "0123456789abcdef"].map((id): [string, Record<string, unknown>] => [
    "get_chunk_context",
    { chunk_id: id },
  ]);
  return [
    ...queries,
    ...scoped,
    ...reads,
    ...ids,
    ["list_collections", {}],
    ["list_documents", {}],
    ["list_documents", { facets: ["tags", "authors", "type", "year", "folder"] }],
    ["list_documents", { state: "skipped" }],
    ["index_status", {}],
    ["find_related", { doc_id: "tea.md" }],
    ["get_document_summary", { doc_id: "tea.md" }],
  ];
}

/** Waits until a server knows a new token. */
async function admitted(url: URL, token: string): Promise<void> {
  await until(async () => (await fetchWith(url, token).ask("tools/list", {})).status === 200);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !await isSo(); tries++) {
    ok(tries < 100);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

Deno.test("people of a server over HTTP", async (t) => {
  await using both = await startBoth();
  await t.step(
    "every tool answers a person as a server of that person's collections alone: hits, scores, suggestions, counts, errors",
    async () => {
      const found = await fetchWith(both.url, both.ben).call("search_rag", {
        keyword: "zeppelin tea",
        top_k: 50,
      });
      const chunks = found.structuredContent.data.match_content.map(({ chunk_id: id }: Message) => id);
      ok(chunks.length >= 3);
      const [ann, wanted] = [fetchWith(both.url, both.ann), fetchWith(both.alone, OWNER)];
      for (const [tool, args] of calls(both.folder, chunks)) {
        const text = plain(await ann.call(tool, args));
        equal(text, plain(await wanted.call(tool, args)), `${tool} ${JSON.stringify(args)}`);
        // Errors repeat the words of the client.
        if (!/zep|quin|4711/.test(JSON.stringify(args))) equal(SECRET.test(text), false, tool);
      }
    },
  );

  await t.step(
    "resources, completions, prompts and the server's own words name nothing of the others",
    async () => {
      const [ann, wanted] = [fetchWith(both.url, both.ann), fetchWith(both.alone, OWNER)];
      const requests: [string, Record<string, unknown>, string?][] = [
        ["server/discover", {}],
        ["tools/list", {}],
        ["resources/list", {}],
        ["resources/list", { cursor: "muxue://beta/plan.md" }],
        ["resources/templates/list", {}],
        ...["muxue://beta/plan.md", "muxue://alpha/../beta/plan.md", "muxue://beta/plan.md?lines=1-2"].map((
          uri,
        ): [string, Record<string, unknown>, string] => ["resources/read", { uri }, uri]),
        ...["", "b", "beta", "plan", "a", "../beta"].flatMap((value) => [
          ...completionsOf(value),
          completion(DOCUMENTS, { name: "path", value }, { collection: "beta" }),
        ]),
        ["prompts/list", {}],
        ["prompts/get", { name: "summarise_folder", arguments: { folder: "beta" } }, "summarise_folder"],
      ];
      for (const [method, params, name] of requests) {
        const label = `${method} ${JSON.stringify(params)}`;
        equal(
          plain(await ann.ask(method, params, name)),
          plain(await wanted.ask(method, params, name)),
          label,
        );
      }
    },
  );

  await t.step("the pages, their calls and the numbers of the server say nothing of the others", async () => {
    await using ui = await startUi(both.sandbox, [...both.args, "--ui"]);
    const headers = (token: string) => ({ "Authorization": `Bearer ${token}` });
    // Traces of a search in beta exist by now.
    const others = await ui.call("search/query", { query: "zeppelin quincunx" }, headers(both.ben));
    equal(others.json.hits.length >= 1, true);
    const opened = (await ui.call("session/open", {}, headers(both.ann))).json.token;
    equal((await ui.call("session/open", {}, headers("mxr_guess"))).status, 401);
    const path = `${both.folder}/beta/plan.md`;
    const bodies: [string, unknown][] = [
      ["session/info", {}],
      ["session/reveal", { path }],
      ["search/query", { query: "tea zeppelin" }],
      ["search/query", { query: "tea", collections: "beta" }],
      ["search/ask", { query: "tea" }],
      ["why-not/ask", { query: "zeppelin", path }],
      ["overview/state", {}],
      ["overview/doctor", {}],
      ["documents/list", {}],
      ["documents/list", { collection: "beta" }],
      ["documents/one", { path }],
      ["ingestion/state", {}],
      ["ingestion/start", { root: `${both.folder}/beta` }],
      ["ingestion/ends", { root: `${both.folder}/beta` }],
      ["ingestion/out", { root: `${both.folder}/beta` }],
      ["originals/open", { path }],
      ["originals/picture", { path }],
      ["traces/list", { kind: "query" }],
      ["traces/list", { kind: "ingestion" }],
      ["traces/show", { id: others.json.trace ?? "0".repeat(32) }],
      ["traces/replay", { id: others.json.trace ?? "0".repeat(32), settings: {} }],
      ["evaluation/history", { root: `${both.folder}/beta` }],
      ["evaluation/run", { root: `${both.folder}/beta` }],
    ];
    for (const token of [both.ann, opened]) {
      for (const [call, body] of bodies) {
        const { text } = await ui.call(call, body, headers(token));
        const isNamed = JSON.stringify(body).includes("beta");
        // Words of the client come back, and alpha has a link to the plan.
        const said = text.replaceAll("zeppelin", "").replaceAll("../beta/plan.md", "");
        equal((isNamed ? /quincunx|4711/ : /quincunx|4711|beta/).test(said), false, `${call}: ${text}`);
      }
    }
    // A revoked token also closes the pages for a person who has used nothing else.
    const dan = await both.add("dan", "alpha");
    const statusOf = async (token: string) => (await ui.call("overview/state", {}, headers(token))).status;
    await until(async () => await statusOf(dan) === 200);
    const page = (await ui.call("session/open", {}, headers(dan))).json.token;
    equal(await statusOf(page), 200);
    await both.revoke("dan");
    await until(async () => await statusOf(page) === 401);
    const metrics = await fetch(new URL("/metrics", both.url), { headers: headers(both.ann) });
    deepEqual([metrics.status, SECRET.test(await metrics.text())], [404, false]);
  });

  await t.step("searches of two people at the same time never mix", async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, async (_, i) => {
      const [token, own] = i % 2 === 0 ? [both.ann, "/alpha/"] : [both.ben, "/beta/"];
      const { structuredContent } = await fetchWith(both.url, token).call("search_rag", {
        keyword: "tea water",
      });
      const paths: string[] = structuredContent.data.match_content.map(({ file_path: path }: Message) =>
        path
      );
      return paths.length > 0 && paths.every((path) => slashed(path).includes(own));
    }));
    deepEqual(answers.filter((isRight) => !isRight), []);
  });

  await t.step(
    "a session, its streams and its requests are those of one token, and end with it",
    async () => {
      const cat = await both.add("cat", "alpha");
      await admitted(both.url, cat);
      const ann = await session(both.url, cat);
      const list = { method: "resources/list", params: {} };
      match(await (await ann.send(cat, list)).text(), /alpha/);
      for (const token of [both.ben, undefined, "mxr_guess"]) {
        const answer = await ann.send(token, list);
        equal(answer.status, token === both.ben ? 404 : 401);
        equal(/alpha|beta/.test(await answer.text()), false);
        // Nobody else ends it either.
        await (await ann.end(token)).body?.cancel();
      }
      match(await (await ann.send(cat, list)).text(), /alpha/);
      const streams = [await ann.listen(cat), await subscribe(both.url, cat, ["muxue://beta/plan.md"])];
      deepEqual(streams.map(({ status }) => status), [200, 200]);
      await both.revoke("cat");
      let heard = "";
      for (const { body } of streams) {
        for await (const text of body!.pipeThrough(new TextDecoderStream())) heard += text;
      }
      equal(/"error"|alpha|updated/.test(heard), false);
      for (const answer of [await ann.send(cat, list), await ann.listen(cat)]) {
        equal(answer.status, 401);
        await answer.body?.cancel();
      }
      // A new token of the same name does not bring the old session back.
      const again = await both.add("cat", "alpha");
      await admitted(both.url, again);
      const answer = await ann.send(again, list);
      equal(answer.status, 404);
      await answer.body?.cancel();
    },
  );

  await t.step("a token in other forms, shortened, changed or in another place is none", async () => {
    const { ann } = both;
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(ann))).toHex();
    const headers = [
      undefined,
      "",
      ann,
      "Bearer",
      "Bearer ",
      `Basic ${btoa(`ann:${ann}`)}`,
      `Bearer ${ann} ${both.ben}`,
      `Bearer ${ann},${both.ben}`,
      `Bearer ${ann.toUpperCase()}`,
      `Bearer ${ann.slice(0, -1)}`,
      `Bearer ${ann}A`,
      `Bearer ${ann.slice(4)}`,
      `Bearer ${hash}`,
      `Bearer mxr_`,
      `Bearer ${"x".repeat(6000)}`,
      `Bearer null`,
      `Bearer undefined`,
      `Bearer __proto__`,
      `Bearer ann`,
    ];
    for (const authorization of headers) {
      for (const url of [both.url, new URL(`?token=${ann}&access_token=${ann}`, both.url)]) {
        const answer = await fetch(url, {
          method: "POST",
          headers: {
            "Content-Type": "application/json",
            "Cookie": `token=${ann}`,
            "X-Api-Key": ann,
            ...(authorization !== undefined && { "Authorization": authorization }),
          },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
        });
        ok([400, 401, 431].includes(answer.status), `${authorization}: ${answer.status}`);
        equal(/alpha|beta|search_rag/.test(await answer.text()), false, authorization);
      }
    }
  });
});

/** A folder with these files, all of one time. */
async function indexed(files: Readonly<Record<string, string>>): Promise<Place> {
  const place = new Place();
  place.write(files);
  for (const path of Object.keys(files)) setTime(place.at(path), 0);
  await place.ingest();
  return place;
}

Deno.test("of collections in a collection, a person sees the granted one only, without a trace of the other in numbers", async () => {
  const outer = {
    "tea.md": "# Tea\n\nGreen tea wants water of 80 degrees.\n",
    "plans/tea.md": "# Plan\n\nThe plan for tea: order 40 boxes.\n",
  };
  const inner = {
    "plans/board/tea.md": "# Board\n\nThe zeppelin tea of the board, water, boxes.\n",
    "plans/board/more.md": "# Board\n\nTea, tea, tea, plan, plan, degrees.\n",
  };
  using full = await indexed({ ...outer, ...inner });
  using bare = await indexed(outer);
  const open = async (place: Place) => {
    const library = await place.library({ others: [place.at("plans/board")] });
    return await startSession({ library });
  };
  await using of = await open(full);
  await using wanted = await open(bare);
  const read = ["plans/board/tea.md", "plans/board/../board/tea.md", "plans/board", "plans/gone/tea.md"];
  const asked: [string, Record<string, unknown>][] = [
    ...["tea", "zeppelin", "zepelin", "plan -board"].flatMap((query): [string, Record<string, unknown>][] => [
      ["search_rag", { keyword: query, top_k: 50 }],
      ["explain_search", { keyword: query }],
      ["search_rag", { keyword: query, dir_path: "plans/board" }],
    ]),
    ...read.flatMap((path): [string, Record<string, unknown>][] => [
      ["read_raw_file", { file_path: path }],
      ["get_document_content", { file_path: path }],
      ["get_document_summary", { doc_id: path }],
      ["list_documents", { path }],
    ]),
    ["list_documents", {}],
    ["list_collections", {}],
    ["index_status", {}],
  ];
  const without = (answer: unknown, root: string) =>
    plain(answer).replaceAll(JSON.stringify(root).slice(1, -1), "ROOT").replace(/"index_bytes":\d+/g, "");
  for (const [tool, args] of asked) {
    equal(
      without(await of.call(tool, args), full.root),
      without(await wanted.call(tool, args), bare.root),
      `${tool} ${JSON.stringify(args)}`,
    );
  }
});
