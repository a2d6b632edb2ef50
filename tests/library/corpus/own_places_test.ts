import { deepEqual } from "node:assert/strict";
import { CurrentRules, walk, type WalkOptions } from "#library/corpus/mod.ts";
import { ON_WINDOWS, TempDir } from "../../foundation/boundary/helpers.ts";

const DEFAULTS: WalkOptions = { include: [], exclude: [], ignoreFiles: true, maxFileBytes: 1_000_000 };

/** One line for each result: `file a.txt`, `own logs`. */
async function lines(root: string, options: Partial<WalkOptions>): Promise<string[]> {
  const found = await Array.fromAsync(walk(root, { ...DEFAULTS, ...options }));
  return found.map((each) => `${each.kind === "skipped" ? each.reason : each.kind} ${each.path}`);
}

Deno.test("walk() reports each of the program's own files and folders once, whatever the patterns", async () => {
  using temp = new TempDir();
  for (const path of ["a.txt", "conf/config.yaml", "conf/key.sh", "logs/today.jsonl", "logsbook.txt"]) {
    temp.write(path);
  }
  const ownPlaces = [
    temp.at("conf/config.yaml"),
    temp.at("conf/key.sh"),
    temp.at("logs"),
    temp.at("none"),
    "/elsewhere",
  ];
  deepEqual(await lines(temp.path, { ownPlaces }), [
    "file a.txt",
    "own conf/config.yaml",
    "own conf/key.sh",
    "own logs",
    "file logsbook.txt",
  ]);
  deepEqual(await lines(temp.path, { ownPlaces, include: ["*.yaml", "logs/"], ignoreFiles: false }), [
    "excluded a.txt",
    "own conf/config.yaml",
    "own conf/key.sh",
    "own logs",
    "excluded logsbook.txt",
  ]);
});

Deno.test("walk() lists a folder that is or lies in a folder of the program", async () => {
  using temp = new TempDir();
  temp.write("state/notes/a.txt");
  for (const place of ["state/notes", "state", "."]) {
    deepEqual(await lines(temp.at("state/notes"), { ownPlaces: [temp.at(place)] }), ["file a.txt"]);
  }
});

Deno.test({
  name: "walk() ignores case in the program's own places where the system does",
  ignore: !ON_WINDOWS,
  fn: async () => {
    using temp = new TempDir();
    temp.write("Logs/a.txt");
    deepEqual(await lines(temp.path, { ownPlaces: [temp.at("LOGS")] }), ["own Logs"]);
  },
});

Deno.test("leftOut() is own for the program's files and everything in its folders", async () => {
  using temp = new TempDir();
  const options = { ...DEFAULTS, ownPlaces: [temp.at("logs"), temp.at("config.sh")] };
  const paths = ["logs/2026/a.jsonl", "config.sh", "run.sh", "a.txt"];
  const reasons = await Promise.all(paths.map((path) => new CurrentRules(temp.path, options).leftOut(path)));
  deepEqual(reasons, ["own", "own", null, null]);
});
