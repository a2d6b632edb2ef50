import { deepEqual, equal, match } from "node:assert/strict";
import { place as folder } from "./_place.ts";
import { posixTest } from "../_posix.ts";

const CONFIG = `language: en
collections:
  notes: {path: notes, description: What I wrote, files: {include: ["*.md"]}}
  papers: {path: papers, chunking: {strategy: fixed, max_chars: 200}}
`;

/** Folders `notes` and `papers`, a configuration `my.yaml` with them as collections, and the program. */
async function place(config = CONFIG) {
  const here = await folder({
    "notes/tea.md": "# Tea\n\nGreen tea wants water of 80 degrees.\n",
    "notes/draft.txt": "A draft about tea.\n",
    "papers/tea.txt": "Tea leaves hold less caffeine than coffee beans.\n".repeat(20),
    "my.yaml": config,
  }, { home: "home" });
  await here.mkdir("elsewhere");
  /** Runs the program in a folder that is not indexed. */
  const program = (...argv: string[]) =>
    here.run([...argv, "--config", here.at("my.yaml")], { cwd: here.at("elsewhere") });
  return { ...here, program };
}

type Place = Awaited<ReturnType<typeof place>>;

/** The data of a command with `--json`. */
// deno-lint-ignore no-explicit-any -- a JSON document
async function data({ program }: Place, ...argv: string[]): Promise<any> {
  const { stdout } = await program(...argv, "--json");
  return JSON.parse(stdout).data;
}

/** Names, documents and chunks of the collections. */
async function sizes(here: Place): Promise<unknown[]> {
  const { folders } = await data(here, "status");
  return folders.map((of: Record<string, unknown>) =>
    ["collection", "files", "chunks", "stale"].map((name) => of[name])
  );
}

const CURRENT = { new: 0, changed: 0, removed: 0 };

Deno.test("index without a folder works on every collection, each with settings of its own", async () => {
  await using here = await place();
  const { collections } = await data(here, "index");
  deepEqual(
    collections.map((of: Record<string, unknown>) => [of["collection"], of["root"], of["files"], of["new"]]),
    [["notes", here.at("notes"), 1, 1], ["papers", here.at("papers"), 1, 1]],
  );
  deepEqual(await sizes(here), [["notes", 1, 1, CURRENT], ["papers", 1, 6, CURRENT]]);
});

Deno.test("a change of a collection's settings concerns its index and no other", async () => {
  await using here = await place();
  await here.program("index");
  await here.write("my.yaml", CONFIG.replace("max_chars: 200", "max_chars: 400"));
  deepEqual(await sizes(here), [
    ["notes", 1, 1, CURRENT],
    ["papers", 1, 6, { new: 0, changed: 1, removed: 0 }],
  ]);
  const { collections } = await data(here, "index");
  const papers = here.at("papers");
  deepEqual(
    collections.map(({ chunks, problem }: Record<string, unknown>) => [chunks, problem]),
    [
      [1, undefined],
      [
        undefined,
        `The index of ${papers} was made with other settings (chunking.max_chars: 200 → 400) and is left as it is. ` +
        `Name the configuration that it was made with (-c FILE), or rebuild it: muxue_rag index ${papers} --full ` +
        `-c ${here.at("my.yaml")}`,
      ],
    ],
  );
  deepEqual((await sizes(here))[1], ["papers", 1, 6, { new: 0, changed: 1, removed: 0 }]);
  const full = await data(here, "index", "--full");
  deepEqual(full.collections.map(({ chunks }: Record<string, unknown>) => chunks), [1, 3]);
  await here.write("my.yaml", CONFIG.replace('["*.md"]', "[]"));
  const [notes] = await sizes(here);
  deepEqual(notes, ["notes", 1, 1, { ...CURRENT, new: 1 }]);
});

Deno.test("the name of a collection stands for its folder", async () => {
  await using here = await place();
  const { root } = await data(here, "index", "papers");
  equal(root, here.at("papers"));
  const found = await data(here, "search", "tea", "--dir", "notes");
  deepEqual(found.searched, [here.at("notes")]);
  const { stdout } = await here.program("status", "--dir", "papers");
  equal(stdout.split("\n")[0], `${here.at("papers")} (collection papers)`);
  const verified = await here.program("verify", "--dir", "papers");
  deepEqual([verified.code, verified.stdout.split("\n")[0]], [0, stdout.split("\n")[0]]);
  const unknown = await here.program("index", "paper");
  deepEqual([unknown.code, unknown.stderr], [
    2,
    `Error: The directory does not exist: ${here.at("elsewhere", "paper")}. Did you mean papers?\n`,
  ]);
  const nowhere = await here.program("search", "tea", "--dir", "attic");
  deepEqual([nowhere.code, nowhere.stderr], [
    2,
    `Error: The directory does not exist: ${here.at("elsewhere", "attic")}. ` +
    "The collections of the configuration: notes, papers\n",
  ]);
});

Deno.test("search without a folder searches all collections, and no other indexed folder", async () => {
  await using here = await place();
  await here.write("other/tea.md", "Tea, too.\n");
  equal((await here.program("index", here.at("other"))).code, 0);
  const { searched } = await data(here, "search", "tea");
  deepEqual(searched, [here.at("notes"), here.at("papers")]);
  const all = await data(here, "search", "tea", "--all");
  deepEqual(all.searched.toSorted(), [here.at("notes"), here.at("other"), here.at("papers")]);
});

Deno.test("a collection whose folder is missing is left out, and index fails", async () => {
  await using here = await place(`${CONFIG}  gone: {path: gone}\n`);
  const { code, stderr } = await here.program("index");
  equal(code, 1);
  match(stderr, /Note: Skipped the collection gone: .*does not exist/);
  const quiet = await here.program("index", "--quiet");
  deepEqual([quiet.code, quiet.stderr], [
    1,
    "The folders of these collections cannot be used and were not indexed: gone\n",
  ]);
  equal((await here.program("search", "tea")).code, 0);
  equal((await here.program("index", "gone")).code, 2);
});

posixTest("two collections that are the same folder by way of a link are refused", async () => {
  await using here = await place(`${CONFIG}  link: {path: link}\n`);
  await Deno.symlink(here.at("notes"), here.at("link"), { type: "dir" });
  const { code, stderr } = await here.program("status");
  deepEqual([code, stderr], [
    2,
    `Error: The collections link and notes are the same folder by way of a link: ${here.at("notes")}. ` +
    "Remove one of them from the configuration\n",
  ]);
});

Deno.test("setup says which collections the server offers", async () => {
  await using here = await place();
  const { code, stderr } = await here.program("setup", "cursor");
  equal(code, 0, stderr);
  match(stderr, /^Without --dir, the server offers the collections of the configuration: notes, papers\n/);
});

Deno.test("doctor shows the names of the collections", async () => {
  await using here = await place();
  await here.program("index");
  const { stdout } = await here.program("doctor");
  match(stdout, /Index +\S+papers \(collection papers\): ready/);
  const { folders } = await data(here, "doctor");
  deepEqual(folders.map(({ collection }: Record<string, unknown>) => collection), ["notes", "papers"]);
});
