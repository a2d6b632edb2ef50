import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { openPipe, search } from "../e2e/_mcp_pipe.ts";
import { type Arena, makeArena, SECRET, snapshot } from "./_arena.ts";
import { attack, ON_LINUX } from "./_attack.ts";

const ENGLISH = { MUXUE_RAG_LANGUAGE: "en" };

/** Runs the program in a working folder. */
async function runIn(arena: Arena, cwd: string, ...args: string[]) {
  const { cmd, args: all } = arena.start(args);
  const options = { args: all, cwd, env: arena.env, clearEnv: true, stdin: "null" } as const;
  const { code, stdout, stderr } = await new Deno.Command(cmd, options).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

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
      const { code, stdout, stderr } = await runIn(arena, project, ...args);
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
    const { code, stdout, stderr } = await runIn(arena, project, "index");
    deepEqual([code, stdout], [2, ""], stderr);
    match(stderr, /collections\.more\.path: would open a folder outside of that of config\.yaml/);
    // The working folder is named, so it is the folder to index, and contains the configuration.
    const named = await runIn(arena, project, "index", ".");
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
