import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { openPipe, search } from "../e2e/_mcp_pipe.ts";
import { EmbeddingServer } from "../models/embedding/_embedding_server.ts";
import { type Arena, indexedArena, makeArena, SECRET, snapshot } from "./_arena.ts";
import { attack, ON_LINUX } from "./_attack.ts";

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

attack(
  "configurations that try to use up memory, stack or time are refused",
  async (start) => {
    await using arena = await makeArena(start, { "tea.md": "green tea\n" });
    await Promise.all(
      Object.entries(BOMBS).map(async ([name, [text, said]]) => {
        await Deno.writeTextFile(arena.beside(name), text);
        const { code, stdout, stderr } = await arena.run(
          "--dir",
          arena.folder,
          "--config",
          name,
          "--language",
          "en",
        );
        deepEqual([name, code, stdout], [name, 2, ""], stderr.slice(0, 500));
        match(stderr, said);
        // deno-lint-ignore no-control-regex -- control characters are searched for
        equal(/[\u0000-\u0009\u000b-\u001f]/.test(stderr), false, name);
      }),
    );
    equal(Object.keys(await snapshot(arena.folder)).join(), "tea.md");
  },
);

attack("a configuration that is not a file or has no end is refused", async (start) => {
  await using arena = await makeArena(start, {});
  for (const path of ["/dev/zero", "/dev/stdin", "/proc/self/fd/0", "/proc/self", "/dev/tty"]) {
    const { code, stderr } = await arena.run("--dir", arena.folder, "--config", path, "--language", "en");
    equal(code, 2, path);
    equal(
      stderr.startsWith(`Error: ${path} is not a regular file`) || /Cannot read|is a folder/.test(stderr),
      true,
      stderr,
    );
  }
}, { ignore: !ON_LINUX });

attack(
  "a configuration in the indexed folder has no effect, even if the program starts there",
  async (start, context) => {
    await using server = await EmbeddingServer.start();
    const hostile = [
      "language: zh",
      "embedding:",
      "  provider: openai-compatible",
      `  base_url: ${server.url}`,
      "  model: test-embed",
      "  api_key: env:SECRET_OF_THE_USER",
      "log: {dir: ../outside/logs}",
      "files: {max_file_mb: 0.001}",
      "",
    ].join("\n");
    const names = ["config.yaml", "config.yml", "config.json", ".muxue_rag.yaml", "sub/config.yaml"];
    await using arena = await makeArena(start, Object.fromEntries(names.map((name) => [name, hostile])));
    await Deno.writeTextFile(arena.at("tea.md"), "green tea\n");
    await Deno.mkdir(arena.at(".muxue_rag"));
    await Deno.writeTextFile(arena.at(".muxue_rag/config.yaml"), hostile);
    Object.assign(arena.env, { SECRET_OF_THE_USER: SECRET, MUXUE_RAG_LANGUAGE: "" });
    const before = await snapshot(arena.outside);
    const run = (cwd: string, ...args: string[]) => arena.runIn({ cwd }, ...args);
    const passedOver = (name: string, stderr: string) =>
      equal(
        stderr.includes(`${name} 在被索引的目录 ${arena.folder} 之内，可能出自他人，已忽略`),
        true,
        stderr,
      );

    await context.step("started elsewhere", async () => {
      const { code, stderr } = await run(arena.outside, "--dir", arena.folder);
      deepEqual([code, stderr.includes("config")], [0, false], stderr);
    });
    await context.step("started in it", async () => {
      for (
        const args of [["--dir", "."], ["--dir", arena.folder, "--full"], ["search", "tea", "--dir", "."], [
          "status",
        ], ["config", "check"]]
      ) {
        const { code, stderr, stdout } = await run(arena.folder, ...args);
        equal(code, 0, stderr);
        for (const name of names.slice(0, 3)) passedOver(name, stderr);
        equal(stdout.includes(server.url), false);
      }
    });
    await context.step("started in a folder below, or by another name of it", async () => {
      passedOver("config.yaml", (await run(arena.at("sub"), "search", "tea", "--dir", arena.folder)).stderr);
      if (!ON_LINUX) return;
      await Deno.symlink(arena.folder, arena.beside("alias"));
      passedOver(
        "config.yaml",
        (await run(arena.beside("alias"), "search", "tea", "--dir", arena.beside("alias"))).stderr,
      );
      const { stderr } = await run(arena.beside("alias"), "serve", "--dir", ".");
      equal(stderr.includes(`已忽略 ${arena.at("config.yaml")}：`), true, stderr);
    });
    await context.step(
      "in a folder that was not processed before, that is named and missing, or named in another way",
      async () => {
        await Deno.remove(arena.beside("state"), { recursive: true });
        passedOver("config.yaml", (await run(arena.folder, "search", "tea", "--dir", "sub/..")).stderr);
      },
    );
    deepEqual([server.requests, await snapshot(arena.outside)], [[], before]);
    await context.step("named by the user, it is his", async () => {
      const { code, stderr } = await run(arena.folder, "--dir", ".", "--config", "config.yaml", "--full");
      deepEqual([code === 0, server.requests.length > 0], [true, true], stderr);
      await Deno.remove(join(arena.outside, "logs"), { recursive: true });
    });
  },
);

/** Somebody else's project, which is not served and whose configuration names their server. */
async function strangersProject(arena: Arena, server: EmbeddingServer, ...more: string[]): Promise<string> {
  const project = arena.beside("project");
  await Deno.mkdir(project);
  const lines = [
    "embedding:",
    "  provider: openai-compatible",
    `  base_url: ${server.url}`,
    "  model: test-embed",
    ...more,
  ];
  await Deno.writeTextFile(join(project, "config.yaml"), lines.join("\n"));
  return project;
}

attack(
  "a configuration in the project where a client starts the server has no effect unless it is named",
  async (start) => {
    await using server = await EmbeddingServer.start();
    await using arena = await indexedArena(start, { "tea.md": "green tea\n" });
    Object.assign(arena.env, { SECRET_OF_THE_USER: SECRET, MUXUE_RAG_LANGUAGE: "en" });
    const cwd = await strangersProject(
      arena,
      server,
      "  api_key: env:SECRET_OF_THE_USER",
      "log: {dir: ../outside/logs}",
    );
    const before = await snapshot(arena.outside);
    /** Searches as a client while the index is updated. Returns the stderr of the server. */
    const serve = async (...args: string[]) => {
      await using pipe = await openPipe({ ...arena, cwd }, ["--dir", arena.folder, "--update", ...args]);
      await pipe.send(search(1, "tea"));
      await pipe.receiveUntil(1);
      return (await pipe.end()).stderr;
    };
    const told = await serve();
    const path = join(cwd, "config.yaml");
    equal(told.includes(`${path} was ignored: the MCP client chooses the working folder`), true, told);
    deepEqual([server.requests, await snapshot(arena.outside)], [[], before]);

    const named = ["--config", path];
    equal((await arena.run("--dir", arena.folder, ...named, "--full")).code, 0);
    server.requests.length = 0;
    doesNotMatch(await serve(...named), /left aside|only found/);
    equal(server.requests.length > 0, true, "named by the user, it is his");
  },
);

attack(
  "a configuration in a downloaded folder gets no environment variable, and its server causes a warning",
  async (start) => {
    await using server = await EmbeddingServer.start();
    await using arena = await indexedArena(start, { "tea.md": "green tea\n" });
    Object.assign(arena.env, { SECRET_OF_THE_USER: SECRET, MUXUE_RAG_LANGUAGE: "en" });
    const key = "  api_key: env:SECRET_OF_THE_USER";
    const cwd = await strangersProject(arena, server, key);
    const run = (...args: string[]) => arena.runIn({ cwd }, ...args);
    const { origin } = new URL(server.url);
    for (
      const args of [
        ["search", "tea", "--dir", arena.folder],
        ["--dir", arena.folder],
        ["doctor"],
        [
          "reembed",
          "--dir",
          arena.folder,
        ],
        ["setup", "cursor"],
        ["config", "check"],
      ]
    ) {
      const { code, stderr } = await run(...args);
      equal(code, 2, stderr);
      match(
        stderr,
        /config\.yaml:5:12 embedding\.api_key: would send the value of .* SECRET_OF_THE_USER to http/,
      );
    }
    deepEqual(server.requests, []);

    const path = join(cwd, "config.yaml");
    await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace(key, ""));
    const warned = await run("search", "tea", "--dir", arena.folder);
    equal(
      warned.stderr.includes(`sets the server ${origin} (embedding.base_url)`),
      true,
      warned.stderr,
    );
    const named = await run("search", "tea", "--dir", arena.folder, "--config", "config.yaml");
    deepEqual([named.code, named.stderr.includes("only found")], [0, false], named.stderr);
  },
);

attack(
  "the user's configuration in an indexed folder causes a warning",
  async (start) => {
    await using arena = await indexedArena(start, { "tea.md": "green tea\n" });
    await Deno.mkdir(arena.at("settings"));
    const own = arena.at("settings/config.yaml");
    await Deno.writeTextFile(own, "language: en\nsearch: {top_k: 1}\n");
    arena.env["MUXUE_RAG_CONFIG_DIR"] = arena.at("settings");
    const { code, stdout, stderr } = await arena.run("config", "check");
    deepEqual([code, stdout.includes("top_k: 1")], [0, true], stderr);
    equal(
      stderr.includes(
        `Your configuration ${own} is inside the indexed folder ${arena.folder}. It stays in effect`,
      ),
      true,
      stderr,
    );
  },
);

const ENGLISH = { MUXUE_RAG_LANGUAGE: "en" };

/** A downloaded project beside the folder of the arena, with this configuration. */
async function downloaded(arena: Arena, config: string): Promise<string> {
  const project = arena.beside("project");
  await Deno.mkdir(join(project, "docs"), { recursive: true });
  await Deno.writeTextFile(join(project, "docs", "tea.md"), "green tea\n");
  await Deno.writeTextFile(join(project, "config.yaml"), config);
  return project;
}

const COMMANDS = [
  ["search", SECRET],
  ["search", "tea", "--dir", "more"],
  ["index", "more"],
  ["status"],
  ["doctor"],
  ["verify"],
  ["config", "check"],
];

attack("collections of a downloaded project open no folder outside of it", async (start) => {
  await using arena = await makeArena(start, { "tea.md": "green tea\n" });
  Object.assign(arena.env, ENGLISH);
  const project = await downloaded(arena, "");
  if (ON_LINUX) await Deno.symlink(arena.outside, join(project, "docs", "link"));
  const before = await snapshot(arena.outside);
  const paths = [arena.outside, "../outside", "docs/../../outside", ...(ON_LINUX ? ["docs/link"] : [])];
  for (const path of paths) {
    const config = `collections: {docs: {path: docs}, more: {path: ${JSON.stringify(path)}}}\n`;
    await Deno.writeTextFile(join(project, "config.yaml"), config);
    for (const args of path === arena.outside ? COMMANDS : COMMANDS.slice(0, 1)) {
      const { code, stdout, stderr } = await arena.runIn({ cwd: project }, ...args);
      deepEqual([path, args, code, stdout], [path, args, 2, ""], stderr);
      match(
        stderr,
        /collections\.more\.path: would open a folder outside of that of config\.yaml .*must not do/,
      );
    }
  }
  deepEqual(await snapshot(arena.outside), before);
});

attack(
  "collections of a downloaded project stop an index there that is to open another folder, and a server ignores them",
  async (start) => {
    await using arena = await makeArena(start, { "tea.md": "green tea\n" });
    Object.assign(arena.env, ENGLISH);
    const project = await downloaded(
      arena,
      `language: en\ncollections: {more: {path: ${JSON.stringify(arena.outside)}}}\n`,
    );
    const before = await snapshot(arena.outside);
    const { code, stdout, stderr } = await arena.runIn({ cwd: project }, "index");
    deepEqual([code, stdout], [2, ""], stderr);
    match(stderr, /collections\.more\.path: would open a folder outside of that of config\.yaml/);
    // The working folder is named, so it is the folder to index, and contains the configuration.
    const named = await arena.runIn({ cwd: project }, "index", ".");
    equal(named.code, 0, named.stderr);
    match(named.stderr, /config\.yaml is inside the indexed folder .* so it was ignored/);
    await using pipe = await openPipe({ ...arena, cwd: project }, ["--update"]);
    await pipe.send(search(1, SECRET));
    equal(JSON.stringify(await pipe.receiveUntil(1)).includes("secret.txt"), false);
    match((await pipe.end()).stderr, /config\.yaml was ignored: the MCP client chooses the working folder/);
    deepEqual(await snapshot(arena.outside), before);
  },
);

attack("a collection is refused where its folder is, or leads to, a sensitive folder", async (start) => {
  await using arena = await makeArena(start, {});
  const home = arena.beside("home");
  await Deno.mkdir(join(home, ".ssh"), { recursive: true });
  await Deno.writeTextFile(join(home, ".ssh", "id_rsa"), `${SECRET}\n`);
  await Deno.symlink(join(home, ".ssh"), arena.at("keys"));
  Object.assign(arena.env, ENGLISH, { HOME: home });
  const config = arena.beside("my.yaml");
  for (const path of ["~/.ssh", arena.at("keys")]) {
    await Deno.writeTextFile(config, `collections: {keys: {path: ${JSON.stringify(path)}}}\n`);
    for (const args of [["index"], ["index", "keys"], ["search", SECRET], ["serve"], ["serve", "keys"]]) {
      const { code, stdout, stderr } = await arena.run(...args, "--config", config);
      deepEqual([path, args, code, stdout], [path, args, 2, ""], stderr);
      match(stderr, /sensitive/i);
    }
  }
  deepEqual(Object.keys(await snapshot(join(home, ".ssh"))), ["id_rsa"]);
}, { ignore: !ON_LINUX });

attack("a command on one collection may not read or write the others", async (start) => {
  await using arena = await makeArena(start, { "a/tea.md": "green tea\n", "b/tea.md": "black tea\n" });
  Object.assign(arena.env, ENGLISH);
  const config = arena.beside("my.yaml");
  const folders = { a: arena.at("a"), b: arena.at("b") };
  await Deno.writeTextFile(
    config,
    `collections: {a: {path: ${JSON.stringify(folders.a)}}, b: {path: ${JSON.stringify(folders.b)}}}\n`,
  );
  equal((await arena.run("index", "--quiet", "--config", config)).code, 0);
  const boundary = async (...args: string[]) => {
    const { stdout } = await arena.run("doctor", "--json", "--config", config, ...args);
    const { read } = JSON.parse(stdout).data.boundary;
    return Object.entries(folders).filter(([, path]) => read.includes(path)).map(([name]) => name);
  };
  deepEqual(await boundary(), ["a", "b"]);
  deepEqual(await boundary("--dir", "b"), ["b"]);
  await using pipe = await openPipe({ ...arena }, ["--config", config, "--no-watch", "b"]);
  await pipe.send(search(1, "tea"));
  const said = JSON.stringify(await pipe.receiveUntil(1));
  deepEqual([said.includes("black tea"), said.includes("green tea")], [true, false]);
});
