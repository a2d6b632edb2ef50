import { deepEqual, equal, rejects } from "node:assert/strict";
import { planUpdate } from "#library/ingest/update_plan.ts";
import { walkOptions } from "#library/corpus/mod.ts";
import type { StoredFile } from "#engine/index/mod.ts";
import { config, Place, setTime } from "./_place.ts";
import { posixTest } from "../../_posix.ts";

const WALK = walkOptions(await config());

/** The records of an index of the folder as it is now. */
async function recordsOf({ root }: Place, options = WALK): Promise<StoredFile[]> {
  const { files } = await planUpdate(root, options, []);
  return files.map(({ unchanged: _, ...file }) => ({
    ...file,
    ...{ sha256: "00", status: "indexed", firstChunk: 0, chunkCount: 0 },
  }));
}

/** One line for each path of the plan: `same a.md`, `read b.md`, `removed c.md`, `hidden .d`. */
async function planned(place: Place, previous: readonly StoredFile[], options = WALK): Promise<string[]> {
  const { files, removed, walked: { skipped } } = await planUpdate(place.root, options, previous);
  return [
    ...files.map(({ path, unchanged }) => `${unchanged ? "same" : "read"} ${path}`),
    ...removed.map(({ path }) => `removed ${path}`),
    ...Array.from(skipped, ([path, reason]) => `${reason} ${path}`),
  ];
}

Deno.test("files with the size and times of their records stay, whatever their neighbours became", async () => {
  using place = new Place();
  const names = "a.md b.md c.md empty.md grown.md later.md old/x.md z.md";
  place.write(Object.fromEntries(names.split(" ").map((name) => [name, "text"])));
  const previous = await recordsOf(place);
  deepEqual(await planned(place, previous), names.split(" ").map((name) => `same ${name}`));

  Deno.removeSync(place.at("b.md"));
  place.write({ "b.md/inner.md": "a folder now", "c.MD2": "", "empty.md": "", "grown.md": "more text" });
  Deno.removeSync(place.at("old"), { recursive: true });
  place.write({ "old": "a file now", "new.md": "text" });
  setTime(place.at("later.md"), 1);
  deepEqual(await planned(place, previous), [
    ...["same a.md", "read b.md/inner.md", "same c.md", "read grown.md", "read later.md", "read new.md"],
    ...["read old", "same z.md", "removed b.md", "removed empty.md", "removed old/x.md"],
    ...["empty c.MD2", "empty empty.md"],
  ]);
});

posixTest("a link in the place of a file is not the file, though it leads to its equal", async () => {
  using place = new Place();
  place.write({ "a.md": "text", "b.md": "text" });
  const previous = await recordsOf(place);
  Deno.removeSync(place.at("a.md"));
  Deno.symlinkSync(place.at("b.md"), place.at("a.md"));
  deepEqual(await planned(place, previous), ["same b.md", "removed a.md", "link a.md"]);
});

Deno.test("rules that changed leave out files that are as the index has them", async () => {
  using place = new Place();
  place.write({ "a.md": "text", "b.txt": "text", "c.log": "text", "d.md": "long text", "sub/b.txt": "text" });
  const previous = await recordsOf(place);
  place.write({ "sub/.gitignore": "*.txt" });
  const options = { ...WALK, exclude: ["*.log"], maxFileBytes: 8, removed: new Set(["a.md"]) };
  deepEqual(await planned(place, previous, options), [
    ...["same b.txt", "removed a.md", "removed c.log", "removed d.md", "removed sub/b.txt"],
    ...["removed a.md", "excluded c.log", "too_large d.md", "hidden sub/.gitignore", "ignored sub/b.txt"],
  ]);
});

Deno.test("a name composed in another way is another file, where the system tells them apart", async () => {
  using place = new Place();
  const [composed, decomposed] = ["é.md", "é.md".normalize("NFD")] as const;
  place.write({ [composed]: "text" });
  const previous = await recordsOf(place);
  Deno.renameSync(place.at(composed), place.at(decomposed));
  const listed = [...Deno.readDirSync(place.root)][0]!.name;
  deepEqual(
    await planned(place, previous),
    listed === composed ? [`same ${composed}`] : [`read ${decomposed}`, `removed ${composed}`],
  );
});

Deno.test("a question about an unchanged file may take time, and its error ends the run", async () => {
  using place = new Place();
  place.write({ "again.md": "text", "first.md": "text", "scan.md": "text", "z.md": "text" });
  const previous = await recordsOf(place);
  const asked: string[] = [];
  const isToRead = ({ path }: StoredFile) => {
    asked.push(path);
    if (path === "scan.md") return Promise.resolve(false);
    return path === "again.md" ? Promise.resolve(true) : path === "first.md";
  };
  const { files } = await planUpdate(place.root, { ...WALK, isToRead }, previous);
  deepEqual(files.map(({ path, unchanged, again }) => [path, unchanged, again]), [
    ["again.md", false, true],
    ["first.md", false, true],
    ["scan.md", true, undefined],
    ["z.md", true, undefined],
  ]);
  equal(asked.filter((path) => path === "scan.md").length, 1);
  const fails = (old: StoredFile) => old.path === "scan.md" && Promise.reject(new Error("unreadable text"));
  await rejects(planUpdate(place.root, { ...WALK, isToRead: fails }, previous), /unreadable text/);
});
