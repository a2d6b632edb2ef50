import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { openPipe } from "../e2e/_mcp_pipe.ts";
import { writeFiles } from "../e2e/_program.ts";
import { EmbeddingServer } from "../models/embedding/_embedding_server.ts";
import { type Arena, attackOnLinux, indexedArena, makeArena, ON_LINUX, SECRET, snapshot } from "./_arena.ts";

/** Each alias has ten of the previous one: 10^30 words if they were resolved. */
const LAUGHS = [
  'a0: &a0 "ha"',
  ...Array.from(
    { length: 30 },
    (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(", ")}]`,
  ),
];

/** Configurations that try to use up memory, stack or time, with the message for each. */
const BOMBS: Record<string, readonly [text: string, said: RegExp]> = {
  "aliases.yaml": [
    ["search:", "  synonyms:", ...LAUGHS.map((line) => `    ${line}`), "    b: *a30"].join("\n"),
    /aliases\.yaml:\d+:\d+ .*too many aliases; the limit is 100/,
  ],
  "merged.yaml": [
    ["x: &x {search: {top_k: 1}}", ...Array(200).fill("<<: *x")].join("\n"),
    /too many aliases; the limit is 100/,
  ],
  "circle.yaml": ["search: &a\n  top_k: *a\n", /circle\.yaml:2:\d+ search\.top_k: expected/],
  "deep.yaml": ["search: " + "[".repeat(300_000), /deep\.yaml:1:\d+ .*nested too deep/],
  "deep.json": [`{"search": ${"[".repeat(300_000)}`, /deep\.json:1:\d+/],
  "deep maps.yaml": [
    Array.from({ length: 1_000 }, (_, at) => `${" ".repeat(at)}a:`).join("\n"),
    /deep maps\.yaml:\d+:\d+/,
  ],
  "huge.yaml": [
    `search: {}\n${"# tea\n".repeat(400_000)}`,
    /huge\.yaml is too large; the limit is 1000000 bytes/,
  ],
  "wide.yaml": [
    Array.from({ length: 60_000 }, (_, at) => `k${at}: 1`).join("\n"),
    /wide\.yaml:1:1 k0: unknown key/,
  ],
  "collections.yaml": [
    `collections:\n${Array.from({ length: 20_000 }, (_, at) => `  c${at}: {path: p${at}}`).join("\n")}`,
    /collections\.yaml:202:3 collections: too many collections; the limit is 200/,
  ],
  "ring.yaml": ["collections: &a\n  x: *a\n", /ring\.yaml:2:\d+ collections\.x/],
  "tags.yaml": [
    'search: !!js/function "function () { Deno.exit(7) }"\n',
    /tags\.yaml:1:\d+ search: expected/,
  ],
  "prototype.yaml": [
    "__proto__: {language: en}\nconstructor: {prototype: {x: 1}}\n",
    /prototype\.yaml:1:1 __proto__: unknown key/,
  ],
  "binary.yaml": ["search: {}\0\u0001\u001b]0;title\u0007\n", /binary\.yaml/],
};

const ENGLISH = { MUXUE_RAG_LANGUAGE: "en" };

Deno.test("configurations that try to use up memory, stack or time are refused", async () => {
  await using arena = await makeArena({ "tea.md": "green tea\n" }, { env: ENGLISH });
  await Promise.all(
    Object.entries(BOMBS).map(async ([name, [text, said]]) => {
      await writeFiles(arena.cwd, { [name]: text });
      const { code, stdout, stderr } = await arena.run`--dir ${arena.folder} --config ${name}`;
      deepEqual([name, code, stdout], [name, 2, ""], stderr.slice(0, 500));
      match(stderr, said);
      // deno-lint-ignore no-control-regex -- control characters are searched for
      equal(/[\u0000-\u0009\u000b-\u001f]/.test(stderr), false, name);
    }),
  );
  equal(Object.keys(await snapshot(arena.folder)).join(), "tea.md");
});

attackOnLinux("a configuration that is not a file or has no end is refused", async () => {
  await using arena = await makeArena({}, { env: ENGLISH });
  for (const path of ["/dev/zero", "/dev/stdin", "/proc/self/fd/0", "/proc/self", "/dev/tty"]) {
    const { code, stderr } = await arena.run`--dir ${arena.folder} --config ${path}`;
    equal(code, 2, path);
    match(stderr, /^Error: \/\S+ is not a regular file|Cannot read|is a folder/);
  }
});

/** Lines of a configuration that sends texts to a server. */
const sendingTo = ({ url }: EmbeddingServer) => [
  ...["embedding:", "  provider: openai-compatible", `  base_url: ${url}`, "  model: test-embed"],
];
const SENT_SECRET = "  api_key: env:SECRET_OF_THE_USER";
const LOGS_OUTSIDE = "log: {dir: ../outside/logs}";

Deno.test("a configuration in the indexed folder has no effect, even if the program starts there", async (context) => {
  await using server = await EmbeddingServer.start();
  const lines = [
    "language: zh",
    ...sendingTo(server),
    SENT_SECRET,
    LOGS_OUTSIDE,
    "files: {max_file_mb: 0.001}",
    "",
  ];
  const names = ["config.yaml", "config.yml", "config.json", ".muxue_rag.yaml", "sub/config.yaml"];
  await using arena = await makeArena({
    "tea.md": "green tea\n",
    ...Object.fromEntries([...names, ".muxue_rag/config.yaml"].map((name) => [name, lines.join("\n")])),
  }, { env: { SECRET_OF_THE_USER: SECRET, MUXUE_RAG_LANGUAGE: "" } });
  const { folder, outside, at, beside } = arena;
  const before = await snapshot(outside);
  const runIn = (cwd: string) => arena.runIn({ cwd });
  const passedOver = (name: string, stderr: string) =>
    equal(stderr.includes(`${name} 在被索引的目录 ${folder} 之内，可能出自他人，已忽略`), true, stderr);

  await context.step("started elsewhere", async () => {
    const { code, stderr } = await runIn(outside)`--dir ${folder}`;
    deepEqual([code, stderr.includes("config")], [0, false], stderr);
  });
  await context.step("started in it", async () => {
    const search = ["search", "tea", "--dir", "."];
    for (const args of [["--dir", "."], ["--dir", folder, "--full"], search, "status", ["config", "check"]]) {
      const { code, stderr, stdout } = await runIn(folder)`${args}`;
      equal(code, 0, stderr);
      for (const name of names.slice(0, 3)) passedOver(name, stderr);
      equal(stdout.includes(server.url), false);
    }
  });
  await context.step("started in a folder below, or by another name of it", async () => {
    passedOver("config.yaml", (await runIn(at("sub"))`search tea --dir ${folder}`).stderr);
    if (!ON_LINUX) return;
    const alias = beside("alias");
    await Deno.symlink(folder, alias);
    passedOver("config.yaml", (await runIn(alias)`search tea --dir ${alias}`).stderr);
    const { stderr } = await runIn(alias)`serve --dir .`;
    equal(stderr.includes(`已忽略 ${at("config.yaml")}：`), true, stderr);
  });
  await context.step(
    "in a folder that was not processed before, that is named and missing, or named in another way",
    async () => {
      await Deno.remove(beside("state"), { recursive: true });
      passedOver("config.yaml", (await runIn(folder)`search tea --dir sub/..`).stderr);
    },
  );
  deepEqual([server.requests, await snapshot(outside)], [[], before]);
  await context.step("named by the user, it is his", async () => {
    const { code, stderr } = await runIn(folder)`--dir . --config config.yaml --full`;
    deepEqual([code === 0, server.requests.length > 0], [true, true], stderr);
  });
});

/** Somebody else's project beside the folder, with this configuration. Returns its path. */
async function downloaded(arena: Arena, config: string): Promise<string> {
  const project = arena.beside("project");
  await writeFiles(project, { "docs/tea.md": "green tea\n", "config.yaml": config });
  return project;
}

const USER = { ...ENGLISH, SECRET_OF_THE_USER: SECRET };

Deno.test("a configuration in the project where a client starts the server has no effect unless it is named", async () => {
  await using server = await EmbeddingServer.start();
  await using arena = await indexedArena({ "tea.md": "green tea\n" }, { env: USER });
  const cwd = await downloaded(arena, [...sendingTo(server), SENT_SECRET, LOGS_OUTSIDE].join("\n"));
  const before = await snapshot(arena.outside);
  /** Searches as a client while the index is updated. Returns the stderr of the server. */
  const serve = async (...args: string[]) => {
    await using pipe = await openPipe({ ...arena, cwd }, ["--dir", arena.folder, "--update", ...args]);
    await pipe.search("tea");
    return (await pipe.end()).stderr;
  };
  const told = await serve();
  const path = join(cwd, "config.yaml");
  equal(told.includes(`${path} was ignored: the MCP client chooses the working folder`), true, told);
  deepEqual([server.requests, await snapshot(arena.outside)], [[], before]);

  equal((await arena.run`--dir ${arena.folder} --config ${path} --full`).code, 0);
  server.requests.length = 0;
  doesNotMatch(await serve("--config", path), /left aside|only found/);
  equal(server.requests.length > 0, true, "named by the user, it is his");
});

Deno.test("a configuration in a downloaded folder gets no environment variable, and its server causes a warning", async () => {
  await using server = await EmbeddingServer.start();
  await using arena = await indexedArena({ "tea.md": "green tea\n" }, { env: USER });
  const dir = ["--dir", arena.folder];
  const cwd = await downloaded(arena, [...sendingTo(server), SENT_SECRET].join("\n"));
  const run = arena.runIn({ cwd });
  const lines = [["search", "tea", ...dir], dir, "doctor", ["reembed", ...dir], ["setup", "cursor"], [
    "config",
    "check",
  ]];
  for (const args of lines) {
    const { code, stderr } = await run`${args}`;
    equal(code, 2, stderr);
    match(
      stderr,
      /config\.yaml:5:12 embedding\.api_key: would send the value of .* SECRET_OF_THE_USER to http/,
    );
  }
  deepEqual(server.requests, []);

  await downloaded(arena, sendingTo(server).join("\n"));
  const warned = await run`search tea ${dir}`;
  const { origin } = new URL(server.url);
  equal(warned.stderr.includes(`sets the server ${origin} (embedding.base_url)`), true, warned.stderr);
  const named = await run`search tea ${dir} --config config.yaml`;
  deepEqual([named.code, named.stderr.includes("only found")], [0, false], named.stderr);
});

Deno.test("the user's configuration in an indexed folder causes a warning", async () => {
  await using arena = await indexedArena({ "tea.md": "green tea\n" });
  await writeFiles(arena.folder, { "settings/config.yaml": "language: en\nsearch: {top_k: 1}\n" });
  arena.env["MUXUE_RAG_CONFIG_DIR"] = arena.at("settings");
  const { code, stdout, stderr } = await arena.run`config check`;
  deepEqual([code, stdout.includes("top_k: 1")], [0, true], stderr);
  const own = `Your configuration ${arena.at("settings/config.yaml")}`;
  equal(
    stderr.includes(`${own} is inside the indexed folder ${arena.folder}. It stays in effect`),
    true,
    stderr,
  );
});

Deno.test("collections of a downloaded project open no folder outside of it, and a server ignores them", async () => {
  await using arena = await makeArena({ "tea.md": "green tea\n" }, { env: ENGLISH });
  const { outside } = arena;
  const project = await downloaded(arena, "");
  const run = arena.runIn({ cwd: project });
  if (ON_LINUX) await Deno.symlink(outside, join(project, "docs", "link"));
  const before = await snapshot(outside);
  const search = ["search", SECRET];
  const commands = [
    search,
    ["search", "tea", "--dir", "more"],
    ...["index", "status", "doctor", "verify"],
    ...[["index", "more"], ["config", "check"]],
  ];
  for (const path of ["../outside", "docs/../../outside", ...(ON_LINUX ? ["docs/link"] : []), outside]) {
    await downloaded(
      arena,
      `collections: {docs: {path: docs}, more: {path: ${JSON.stringify(path)}}}\nlanguage: en\n`,
    );
    for (const args of path === outside ? commands : [search]) {
      const { code, stdout, stderr } = await run`${args}`;
      deepEqual([path, args, code, stdout], [path, args, 2, ""], stderr);
      match(
        stderr,
        /collections\.more\.path: would open a folder outside of that of config\.yaml .*must not do/,
      );
    }
  }
  // The working folder is named, so it is the folder to index, and contains the configuration.
  const named = await run`index .`;
  equal(named.code, 0, named.stderr);
  match(named.stderr, /config\.yaml is inside the indexed folder .* so it was ignored/);
  await using pipe = await openPipe({ ...arena, cwd: project }, ["--update"]);
  equal(JSON.stringify(await pipe.search(SECRET)).includes("secret.txt"), false);
  match((await pipe.end()).stderr, /config\.yaml was ignored: the MCP client chooses the working folder/);
  deepEqual(await snapshot(outside), before);
});

attackOnLinux("a collection is refused where its folder is, or leads to, a sensitive folder", async () => {
  await using arena = await makeArena({});
  const home = arena.beside("home");
  await writeFiles(home, { ".ssh/id_rsa": `${SECRET}\n` });
  await Deno.symlink(join(home, ".ssh"), arena.at("keys"));
  Object.assign(arena.env, ENGLISH, { HOME: home });
  for (const path of ["~/.ssh", arena.at("keys")]) {
    await writeFiles(arena.cwd, { "my.yaml": `collections: {keys: {path: ${JSON.stringify(path)}}}\n` });
    for (const args of ["index", ["index", "keys"], ["search", SECRET], "serve", ["serve", "keys"]]) {
      const { code, stdout, stderr } = await arena.run`${args} --config my.yaml`;
      deepEqual([path, args, code, stdout], [path, args, 2, ""], stderr);
      match(stderr, /sensitive/i);
    }
  }
  deepEqual(Object.keys(await snapshot(join(home, ".ssh"))), ["id_rsa"]);
});

Deno.test("a command on one collection may not read or write the others", async () => {
  const files = { "a/tea.md": "green tea\n", "b/tea.md": "black tea\n" };
  await using arena = await makeArena(files, { env: ENGLISH });
  const folders = { a: arena.at("a"), b: arena.at("b") };
  const paths = Object.entries(folders).map(([name, path]) => `${name}: {path: ${JSON.stringify(path)}}`);
  const config = ["--config", arena.beside("my.yaml")];
  await writeFiles(arena.cwd, { "my.yaml": `collections: {${paths.join(", ")}}\n` });
  equal((await arena.run`index --quiet ${config}`).code, 0);
  const boundary = async (...args: string[]) => {
    const { read } = JSON.parse((await arena.run`doctor --json ${config} ${args}`).stdout).data.boundary;
    return Object.entries(folders).filter(([, path]) => read.includes(path)).map(([name]) => name);
  };
  deepEqual(await boundary(), ["a", "b"]);
  deepEqual(await boundary("--dir", "b"), ["b"]);
  await using pipe = await openPipe(arena, [...config, "--no-watch", "b"]);
  const said = JSON.stringify(await pipe.search("tea"));
  deepEqual([said.includes("black tea"), said.includes("green tea")], [true, false]);
});
