import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ingest } from "#library/ingest/mod.ts";
import { shellWord } from "#foundation/messages/mod.ts";
import { type SearchAnswer } from "#library/search/mod.ts";
import { documents, queries } from "../../engine/index/_fixture.ts";
import { config, indexPath, Place } from "../ingest/_place.ts";
import { assertUserError, ON_WINDOWS } from "../../foundation/boundary/helpers.ts";
import { sectionOf } from "../../engine/index/_blob_forge.ts";
import { ON_WINE } from "../../_posix.ts";

/** Indexes a folder inside of a place. */
async function indexFolder(
  place: Place,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const root = place.at(name);
  Deno.mkdirSync(root, { recursive: true });
  place.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}/${path}`, text])));
  await ingest(root, await config(), place.context);
  return root;
}

const pathsOf = ({ hits }: SearchAnswer, root: string) =>
  hits.map(({ filePath }) => filePath.slice(root.length + 1).replaceAll("\\", "/"));

Deno.test("a hit has file, lines, section, text and degree", async () => {
  using place = await Place.indexed({
    "手册/备份.md": "# 手册\n\n介绍。\n\n## 备份\n\n数据库的备份放在另一块磁盘上。\n",
    "other.txt": "nothing of it",
  });
  const library = await place.library();
  const { hits, notices, seconds } = await library.search({ query: "数据库备份" });
  equal(hits.length, 1);
  const { score, chunkId, ...hit } = hits[0]!;
  deepEqual(hit, {
    filePath: join(place.root, "手册", "备份.md"),
    degree: "high",
    content: "# 手册\n\n介绍。\n\n## 备份\n\n数据库的备份放在另一块磁盘上。",
    startLine: 1,
    endLine: 7,
    totalLines: 7,
    section: ["手册"],
  });
  ok(score > 0 && seconds > 0);
  match(chunkId, /^[0-9a-f]{16}$/);
  deepEqual(notices, []);
});

Deno.test("a document is found by the words of its front matter, which no passage shows, and says when it was created", async () => {
  using place = new Place();
  const block = "---\ntitle: Keys\ndate: 2024-05-01\ntags: [rotation]\n---\n";
  place.write({ "a.md": `${block}\nChange them every 90 days.\n`, "b.md": `${block}\nA copy.\n` });
  await place.ingest();
  // A copy keeps the time of the last change.
  Deno.utimeSync(place.at("b.md"), new Date(2020, 1, 1), new Date(2020, 1, 1));
  const library = await place.library();
  const { hits } = await library.search({ query: "key rotation" });
  const [made, copied] = [await library.readDocument("a.md"), await library.readDocument("b.md")];
  deepEqual(hits.map(({ content, startLine }) => `${startLine} ${content}`).sort(), [
    "7 A copy.",
    "7 Change them every 90 days.",
  ]);
  const { birthtime } = Deno.statSync(place.at("a.md"));
  deepEqual([made.created, ON_WINE ? undefined : copied.created], [birthtime ?? undefined, undefined]);
  deepEqual([made.document.title, copied.document.metadata?.created], ["Keys", "2024-05-01"]);
});

Deno.test("a search that skips more hits than there are chunks finds nothing, and reserves no memory for them", async () => {
  using place = await Place.indexed({ "a.txt": "a needle" });
  const library = await place.library();
  const { hits, more } = await library.search({ query: "needle", offset: 1e12 });
  deepEqual([hits, more], [[], undefined]);
});

Deno.test("a hit has marks on request: at the question's words, their translations, and words that are like them", async () => {
  using place = await Place.indexed({
    "a.md": "# Database\n\nBackups of the database are kept for seven days.\n",
    "b.md": "数据库的備份保留七天。备用的钥匙在抽屉里。\n",
    "c.md": "The 2 doctors get their wages in May.\n",
  });
  const library = await place.library();
  const marked = async (query: string, path: string) => {
    const { hits } = await library.search({ query, marks: true });
    const hit = hits.find(({ filePath }) => filePath.endsWith(path));
    return hit?.marks?.map(({ start, end }) => hit.content.slice(start, end));
  };
  const found = [
    await marked("the database backup", "a.md"),
    await marked("the database backup", "b.md"),
    await marked("数据库备份", "b.md"),
    await marked("salary of doctor2", "c.md"),
  ];
  const { hits: [headed] } = await library.search({ query: "database", marks: true });
  const { hits: [plain] } = await library.search({ query: "database" });
  deepEqual(found, [
    ["Database", "Backups", "database"],
    ["数据库", "備份"],
    ["数据", "据库", "備份"],
    ["doctors", "wages"],
  ]);
  deepEqual(headed?.sectionMarks?.map((marks) => marks.map(({ start, end }) => [start, end])), [[[0, 8]]]);
  deepEqual([plain?.marks, plain?.sectionMarks], [undefined, undefined]);
});

Deno.test("two folders answer as one folder with the files of both", async () => {
  using place = new Place();
  const texts = Object.fromEntries(documents().slice(0, 60).map((text, i) => [`${100 + i}.txt`, text]));
  const of = (wanted: (i: number) => boolean) =>
    Object.fromEntries(Object.entries(texts).filter((_, i) => wanted(i)));
  const whole = await indexFolder(place, "whole", texts);
  const first = await indexFolder(place, "first", of((i) => i < 20));
  const second = await indexFolder(place, "second", of((i) => i >= 20));
  const one = await place.library({ roots: [whole] });
  const two = await place.library({ roots: [first, second] });
  const shown = ({ hits }: SearchAnswer) =>
    hits.map(({ filePath, score, degree, content, startLine, endLine }) => ({
      name: filePath.slice(-7),
      score: Math.round(score * 1e9),
      degree,
      content,
      startLine,
      endLine,
    }));
  let found = 0;
  for (const query of queries()) {
    const wanted = shown(await one.search({ query }));
    deepEqual(shown(await two.search({ query })), wanted, query);
    found += wanted.length;
  }
  ok(found > 300);
});

Deno.test("dir_path restricts a search to a served folder or one below it", async () => {
  using place = new Place();
  const root = await indexFolder(place, "root", {
    "a.txt": "apple",
    "sub/b.txt": "apple",
    "sub/deep/c.txt": "apple",
    "sub-other/d.txt": "apple",
    "子 目录/e.txt": "apple",
  });
  const other = await indexFolder(place, "other", { "f.txt": "apple" });
  const library = await place.library({ roots: [root, other] });
  const below = async (dirPath: string) =>
    pathsOf(await library.search({ query: "apple", dirPath }), place.root).sort();
  deepEqual(await below(root), [
    "root/a.txt",
    "root/sub-other/d.txt",
    "root/sub/b.txt",
    "root/sub/deep/c.txt",
    "root/子 目录/e.txt",
  ]);
  deepEqual(await below(join(root, "sub")), ["root/sub/b.txt", "root/sub/deep/c.txt"]);
  deepEqual(await below(join(root, "sub", "..", "sub") + "/"), ["root/sub/b.txt", "root/sub/deep/c.txt"]);
  deepEqual(await below(join(root, "sub", "deep")), ["root/sub/deep/c.txt"]);
  deepEqual(await below(join(root, "子 目录")), ["root/子 目录/e.txt"]);
  deepEqual(await below(other), ["other/f.txt"]);
  equal((await below("")).length, 6);

  const fails = (dirPath: string, key: string) =>
    assertUserError(() => library.search({ query: "apple", dirPath }), key);
  await fails(join(root, "missing"), "directory_not_found");
  await fails(join(root, "a.txt"), "not_a_directory");
  await fails(place.root, "dir_not_served");
  await fails(join(place.root, "missing"), "dir_not_served");
  await fails(`${root}x`, "dir_not_served");
  await fails("relative", "directory_not_found");
});

Deno.test("a link in a served folder does not lead a search out of it", { ignore: ON_WINDOWS }, async () => {
  using place = new Place();
  const root = await indexFolder(place, "root", { "a.txt": "apple" });
  await indexFolder(place, "secret", { "b.txt": "apple" });
  Deno.symlinkSync(place.at("secret"), place.at("root/link"));
  const library = await place.library({ roots: [root] });
  await assertUserError(
    () => library.search({ query: "apple", dirPath: join(root, "link") }),
    "dir_not_served",
  );
});

Deno.test("a served folder inside another one gives each hit once", async () => {
  using place = new Place();
  const inner = await indexFolder(place, "root/inner", { "a.txt": "apple pie", "b.txt": "apple" });
  const outer = await indexFolder(place, "root", { "c.txt": "apple" });
  for (const roots of [[outer, inner], [inner, outer], [outer, outer, inner]]) {
    const library = await place.library({ roots });
    equal(library.roots.length, 2);
    deepEqual(pathsOf(await library.search({ query: "apple" }), outer).sort(), [
      "c.txt",
      "inner/a.txt",
      "inner/b.txt",
    ]);
    deepEqual(pathsOf(await library.search({ query: "apple", dirPath: inner }), outer).sort(), [
      "inner/a.txt",
      "inner/b.txt",
    ]);
  }
});

Deno.test("one file gives at most per_doc_limit chunks, joined if they touch, and does not hide other files", async () => {
  using place = new Place();
  place.write({ "long.md": Array.from({ length: 900 }, () => "## apple\n\napple apple").join("\n\n") });
  for (let i = 0; i < 9; i++) {
    place.write({ [`${i}.txt`]: `a long text about pears that has one apple in it, number ${i}` });
  }
  await place.ingest({ chunking: { max_chars: 100, overlap: 0 } });
  const library = await place.library({ settings: { search: { per_doc_limit: 2 } } });
  const answer = await library.search({ query: "apple" });
  const names = pathsOf(answer, place.root);
  deepEqual(names[0], "long.md");
  deepEqual(answer.leftOut!.map(({ filePath }) => filePath), [place.at("long.md")]);
  ok(answer.leftOut![0]!.passages > 0);
  deepEqual(names.slice(1).sort(), Array.from({ length: 9 }, (_, i) => `${i}.txt`));
  equal((await library.search({ query: "apple", topK: 3 })).hits.length, 3);
});

Deno.test("an answer contains at most max_chars of text, splits no character, and says that it was cut", async () => {
  using place = await Place.indexed({
    "a.txt": `apple ${"🎉".repeat(90)}`,
    "b.txt": `apple ${"b".repeat(190)}`,
    "c.txt": `apple ${"c".repeat(197)}`,
  });
  const search = async (maxChars: number) => {
    const library = await place.library({ settings: { search: { max_chars: maxChars } } });
    const answer = await library.search({ query: "apple" });
    return answer;
  };
  const lengths = async (maxChars: number) => {
    const { hits, notices } = await search(maxChars);
    return [hits.map(({ content }) => content.length), notices];
  };
  const notice = "The answer was cut at search.max_chars. For the whole text, read the file";
  deepEqual(await lengths(585), [[196, 203, 186], []]);
  deepEqual(await lengths(584), [[196, 203, 184], [notice]]);
  deepEqual(await lengths(399), [[196, 203], [notice]]);
  deepEqual(await lengths(200), [[196, 4], [notice]]);
});

Deno.test("an open library notices an index that is made, replaced or removed", async () => {
  using place = new Place();
  place.write({ "a.txt": "apple" });
  const library = await place.library();
  await assertUserError(() => library.search({ query: "apple" }), "index_not_ready");
  await place.ingest();
  deepEqual(pathsOf(await library.search({ query: "apple" }), place.root), ["a.txt"]);
  Deno.renameSync(place.at("a.txt"), place.at("b.txt"));
  await place.ingest();
  deepEqual(pathsOf(await library.search({ query: "apple" }), place.root), ["b.txt"]);
  Deno.removeSync(place.at(".muxue_rag"), { recursive: true });
  await assertUserError(() => library.search({ query: "apple" }), "index_not_ready");
  await place.ingest();
  equal((await library.search({ query: "apple" })).hits.length, 1);
  equal((await library.search({ query: "apple" })).hits.length, 1);
});

Deno.test("a damaged index alone gives index_not_ready; with other folders, the answer names the missing folder", async () => {
  using place = new Place();
  const good = await indexFolder(place, "good", { "a.txt": "apple" });
  const bad = await indexFolder(place, "bad", { "b.txt": "apple" });
  const none = place.at("none");
  Deno.mkdirSync(none);
  const bytes = Deno.readFileSync(indexPath(bad));
  const damaged = bytes.map((byte, at) => at === bytes.length - 1 ? byte ^ 1 : byte);
  Deno.writeFileSync(indexPath(bad), damaged);
  const library = await place.library({ roots: [bad, good, none] });
  const answer = await library.search({ query: "apple" });
  deepEqual(pathsOf(answer, place.root), ["good/a.txt"]);
  deepEqual(answer.notices, [
    `The index of ${bad} is damaged or was made by another version, so the folder was not searched. Run: muxue_rag --dir ${
      shellWord(bad)
    }`,
    `${none} has no index yet and was not searched. Run: muxue_rag --dir ${shellWord(none)}`,
  ]);
  for (const dirPath of [bad, none]) {
    await assertUserError(() => library.search({ query: "apple", dirPath }), "index_not_ready");
  }
  await ingest(bad, await config(), place.context);
  equal((await library.search({ query: "apple" })).hits.length, 2);
});

Deno.test("a link as data folder or index is not followed, and the other folders answer", {
  ignore: ON_WINDOWS,
}, async () => {
  using place = new Place();
  const good = await indexFolder(place, "good", { "a.txt": "apple" });
  const secret = await indexFolder(place, "secret", { "b.txt": "apple" });
  Deno.mkdirSync(place.at("folder"));
  Deno.symlinkSync(join(secret, ".muxue_rag"), place.at("folder/.muxue_rag"));
  Deno.mkdirSync(place.at("file/.muxue_rag"), { recursive: true });
  Deno.symlinkSync(indexPath(secret), place.at("file/.muxue_rag/index.bin"));
  for (const name of ["folder", "file"]) {
    const library = await place.library({ roots: [good, place.at(name)] });
    const answer = await library.search({ query: "apple" });
    deepEqual(pathsOf(answer, place.root), ["good/a.txt"]);
    equal(answer.notices.length, 1);
    await assertUserError(
      () => library.search({ query: "apple", dirPath: place.at(name) }),
      "index_not_ready",
    );
  }
});

Deno.test("a text that is damaged on the disk is not returned", async () => {
  using place = await Place.indexed({ "a.txt": "apple" });
  const bytes = place.indexBytes();
  bytes[4096]! ^= 1;
  Deno.writeFileSync(indexPath(place.root), bytes);
  const library = await place.library();
  await assertUserError(() => library.search({ query: "apple" }), "index_not_ready");
});

for (
  const [what, damage] of Object.entries({
    "the texts": (bytes: Uint8Array) => flip(bytes, "texts"),
    "the vectors": (bytes: Uint8Array) => flip(bytes, "vectors"),
    "the vectors' scales": (bytes: Uint8Array) => flip(bytes, "vector.scales"),
    "where the words lie": (bytes: Uint8Array) => flip(bytes, "word.offsets"),
    "the words": (bytes: Uint8Array) => sectionOf(bytes, "words").fill(0xff),
  })
) {
  Deno.test(`a folder with damage in ${what} is left out until its index is replaced, and the others answer`, async () => {
    using place = new Place();
    const good = await indexFolder(place, "good", { "a.txt": "an apple" });
    const bad = await indexFolder(place, "bad", { "b.txt": "an apple too" });
    const sound = Deno.readFileSync(indexPath(bad));
    const bytes = sound.slice();
    damage(bytes);
    Deno.writeFileSync(indexPath(bad), bytes);
    for (const roots of [[good, bad], [bad, good]]) {
      const library = await place.library({ roots });
      for (const query of ["apple", "good apples"]) {
        const answer = await library.search({ query });
        deepEqual([pathsOf(answer, place.root), answer.notices], [["good/a.txt"], [
          `The index of ${bad} is damaged or was made by another version, so the folder was not searched. Run: muxue_rag --dir ${
            shellWord(bad)
          }`,
        ]]);
      }
      library.close();
    }
    const library = await place.library({ roots: [good, bad] });
    for (const dirPath of [bad, bad]) {
      const error = await library.search({ query: "apple", dirPath }).catch((error) => error);
      deepEqual([error.key, error.params.path, error.params.problem !== ""], ["index_not_ready", bad, true]);
    }
    Deno.writeFileSync(`${indexPath(bad)}.new`, sound);
    Deno.renameSync(`${indexPath(bad)}.new`, indexPath(bad));
    equal((await library.search({ query: "apple" })).hits.length, 2);
  });
}

function flip(index: Uint8Array, section: string): void {
  sectionOf(index, section)[0]! ^= 1;
}

Deno.test("searches during many replacements of the index neither fail nor mix two states", async () => {
  using place = new Place();
  const state = (n: number) =>
    Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`${i}.txt`, `state${n} apple number ${i}`]),
    );
  place.write(state(0));
  await place.ingest();
  const library = await place.library();
  let done = false;
  let answers = 0;
  const seen = new Set<string>();
  const searcher = async () => {
    while (!done) {
      const { hits } = await library.search({ query: "apple" });
      const states = new Set(hits.map(({ content }) => content.split(" ")[0]!));
      deepEqual([hits.length, states.size], [10, 1]);
      states.forEach((state) => seen.add(state));
      answers++;
      // Lets timers and the indexing run continue.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  };
  const searchers = Array.from({ length: 5 }, searcher);
  try {
    for (let n = 1; n <= 8; n++) {
      place.write(state(n));
      for (let i = 0; i < 12; i++) Deno.utimeSync(place.at(`${i}.txt`), n, n);
      equal((await place.ingest()).changed, 12);
    }
  } finally {
    done = true;
    await Promise.all(searchers);
  }
  ok(answers > 20 && seen.size > 2, `${answers} answers, ${seen.size} states`);
});

Deno.test("a query without words finds nothing, an empty query is refused, and a very long one is answered", async () => {
  using place = await Place.indexed({ "a.txt": "apple" });
  const library = await place.library();
  for (const query of ["？！…", "zebra", "\u0000", "\ud800"]) {
    deepEqual((await library.search({ query })).hits, [], query);
  }
  for (const query of ["", " \n\t", "\u3000"]) {
    await assertUserError(() => library.search({ query }), "empty_query");
  }
  equal((await library.search({ query: "apple ".repeat(200_000) })).hits.length, 1);
});

Deno.test("without vectors, semantic is refused, and hybrid adds a notice", async () => {
  using place = new Place();
  place.write({ "a.txt": "apple" });
  const without = { embedding: { provider: "none" } } as const;
  await place.ingest(without);
  const library = await place.library();
  await assertUserError(() => library.search({ query: "apple", mode: "semantic" }), "mode_without_vectors");
  const notices = async (mode?: "hybrid" | "keyword") =>
    (await library.search({ query: "apple", ...(mode === undefined ? {} : { mode }) })).notices.length;
  deepEqual([await notices("hybrid"), await notices("keyword"), await notices()], [1, 0, 1]);
  const switchedOff = await place.library({ settings: without });
  deepEqual((await switchedOff.search({ query: "apple" })).notices, []);
});

Deno.test("a filter that no document passes is reported as such, not as words that are not found", async () => {
  using place = await Place.indexed({ "a.txt": "apple" });
  const library = await place.library();
  const notices = async (query: string) => (await library.search({ query })).notices;
  deepEqual(await notices("apple type:exe"), [
    "No document matches all filters. Documents that match each one alone: type: exe (0). Remove one and try again",
  ]);
  deepEqual(await notices("apple -apple"), [
    "No document matches the filters (path, type, lang, after, before, quotes or exclusions). Remove one and try again",
  ]);
  deepEqual(await notices("zebra type:txt"), []);
});

Deno.test("a query of stop words finds only hits of low degree", async () => {
  using place = await Place.indexed({ "a.txt": "the end of the story", "b.txt": "这是的" });
  const library = await place.library();
  for (const query of ["the of", "的"]) {
    const { hits } = await library.search({ query });
    deepEqual([hits.length > 0, hits.every(({ degree }) => degree === "low")], [true, true], query);
  }
});

Deno.test("an aborted search throws the signal's reason", async () => {
  using place = new Place();
  await place.ingest();
  const library = await place.library();
  const reason = new Error("enough");
  equal(await library.search({ query: "apple" }, AbortSignal.abort(reason)).catch((error) => error), reason);
});

Deno.test("the id of a chunk is unique, and the same in a new index", async () => {
  using place = new Place();
  place.write({
    "a.md": "# A\n\napple pie\n\n# A\n\napple pie\n\n# B\n\napple pie\n",
    "b.md": "# A\n\napple pie\n",
  });
  const overrides = { chunking: { chunks_per_file: 3 } };
  const ids = async () => {
    const library = await place.library();
    const { hits } = await library.search({ query: "apple" });
    return hits.map(({ chunkId, filePath, startLine }) => `${filePath}:${startLine} ${chunkId}`).sort();
  };
  await place.ingest(overrides);
  const before = await ids();
  equal(new Set(before.map((line) => line.slice(-16))).size, before.length);
  await place.ingest(overrides, { full: true });
  deepEqual(await ids(), before);
});

Deno.test("a file is read whole or by lines, in its encoding, and only inside the served folders", async () => {
  using place = new Place();
  place.write({
    "a.txt": "\ufeffone\r\ntwo\nthree",
    "gbk.txt": Uint8Array.fromHex("d6d0cec4bceccbf7"),
    "picture.txt": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0),
    "utf32.txt": Uint8Array.fromHex("fffe0000610000006200000063000000"),
  });
  Deno.writeTextFileSync(place.beside("secret.txt"), "secret");
  const library = await place.library();
  const { modified, ...whole } = await library.readRawFile(place.at("a.txt"));
  deepEqual(whole, {
    text: "one\r\ntwo\nthree",
    path: join(place.root, "a.txt"),
    size: 17,
    encoding: "utf-8",
    startLine: 1,
    endLine: 3,
    totalLines: 3,
  });
  ok(modified instanceof Date);
  equal((await library.readRawFile(place.at("a.txt"), { startLine: 2, endLine: 2 })).text, "two\n");
  equal((await library.readRawFile(place.at("gbk.txt"))).text, "中文检索");
  const fails = (path: string, key: string) => assertUserError(() => library.readRawFile(path), key);
  await fails(place.at("none.txt"), "file_not_found");
  await fails(place.at("picture.txt"), "not_text");
  await fails(place.at("utf32.txt"), "unsupported_encoding");
  await fails(place.beside("secret.txt"), "no_permission");
  await fails(place.at("../secret.txt"), "no_permission");
  await assertUserError(() => library.readRawFile(place.at("a.txt"), { startLine: 4 }), "bad_line_range");
});

Deno.test("a path can end in lines like a citation, unless a file has that name", async () => {
  using place = new Place();
  place.write({ "a.txt": "one\ntwo\nthree\n", ...(ON_WINDOWS ? {} : { "log:2": "a file of this name" }) });
  const library = await place.library();
  const textOf = async (path: string, range = {}) => (await library.readRawFile(path, range)).text;
  equal(await textOf(`${place.at("a.txt")}:2-3`), "two\nthree\n");
  equal(await textOf("a.txt:2"), "two\n");
  equal(await textOf("a.txt:2-3", { startLine: 1, endLine: 1 }), "one\n");
  if (!ON_WINDOWS) equal(await textOf("log:2"), "a file of this name");
  const { cited, document } = await library.readDocument("a.txt:2-3");
  deepEqual([cited?.startLine, cited?.endLine, document.text], [2, 3, "one\ntwo\nthree\n"]);
  for (const path of ["a.txt#L2", `${pathToFileURL(join(library.roots[0]!, "a.txt")).href}#L2-L3`]) {
    equal((await library.readDocument(path)).cited?.startLine, 2, path);
  }
  await assertUserError(() => library.readRawFile("b.txt:2-3"), "file_not_found");
  await assertUserError(() => library.readRawFile(`${place.at("../a.txt")}:1`), "no_permission");
});

Deno.test("the error for a wrong path names similar files and folders, but none that clients cannot read", async () => {
  using place = await Place.indexed({
    "tea/green tea.md": "Green tea.",
    "tea/green_tea.txt": "Green tea.",
    "coffee.md": "Coffee.",
    "tea/green tea secret.md": "Passwords.",
    "tea/1.md": "One.",
  });
  place.write({ ".gitignore": "coffee.md\n" });
  const library = await place.library();
  const nearest = async (path: string, key: string) =>
    String((await assertUserError(() => library.readRawFile(path), key)).params.nearest ?? "").split("\0")
      .map((found) => found.slice(place.root.length + 1).replaceAll("\\", "/"));
  deepEqual(await nearest(place.at("green-tea.md:3-4"), "file_not_found"), [
    "tea/green tea.md",
    "tea/green_tea.txt",
  ]);
  deepEqual(await nearest(place.at("tea/green tea.txt"), "file_not_found"), [
    "tea/green tea.md",
    "tea/green_tea.txt",
  ]);
  deepEqual(await nearest(place.at("coffe.md"), "file_not_found"), [""]);
  deepEqual(await nearest(place.at("tea/2.md"), "file_not_found"), [""]);
  // On Windows a path without a drive counts as relative.
  const outside = ON_WINDOWS ? "C:/Users/nobody" : "/home/nobody";
  deepEqual(await nearest(`${outside}/green tea.md`, "no_permission"), ["tea/green tea.md"]);
  deepEqual(await nearest(`${outside}/green-tea.md`, "no_permission"), [""]);
  deepEqual(await nearest(place.at("coffee.md"), "no_permission"), [""]);
  const { params } = await assertUserError(
    () => library.search({ query: "tea", dirPath: place.at("teas") }),
    "directory_not_found",
  );
  equal(params.nearest, place.at("tea"));
});

Deno.test("the error for a path outside names the served folders, not for a file that the settings leave out", async () => {
  using place = new Place();
  place.write({ "tea.md": "Green tea.", "coffee.md": "Coffee.", ".gitignore": "coffee.md\n" });
  const library = await place.library();
  const served = async (path: string) =>
    (await assertUserError(() => library.readDocument(path), "no_permission")).params.served;
  for (
    const path of [place.beside("secret.txt"), place.beside("nothing.txt"), "../secret.txt", ".gitignore"]
  ) {
    equal(await served(path), place.root, path);
  }
  equal(await served("coffee.md"), undefined);
});

Deno.test("the program's own files are refused like ignored files, by any of their names", async () => {
  using place = new Place();
  place.write({ "a.txt": "one", "config.yaml": "api_key: secret", "logs/today.jsonl": "{}" });
  const ownPlaces = [place.at("config.yaml"), place.at("logs")];
  const library = await place.library({ ownPlaces });
  equal((await library.readRawFile("a.txt")).text, "one");
  for (const path of ["config.yaml", place.at("logs/today.jsonl"), "logs/../config.yaml"]) {
    const { params } = await assertUserError(() => library.readRawFile(path), "no_permission");
    deepEqual(params, { path, reason: "own" });
  }
});

Deno.test("an answer names its files that have changed or are gone since they were indexed, and marks their hits", async () => {
  using place = await Place.indexed({
    "a.txt": "pears",
    "b.txt": "pears and plums",
    "c.txt": "pears and figs",
  });
  const library = await place.library();
  const before = await library.search({ query: "pears" });
  deepEqual(before.notices, []);
  deepEqual(before.freshness?.state, "unknown");
  deepEqual(before.hits.some((hit) => "outdated" in hit), false);
  place.write({ "a.txt": "apples only" });
  Deno.removeSync(place.at("b.txt"));
  const { hits, notices, freshness } = await library.search({ query: "pears" });
  deepEqual(freshness, { ...before.freshness, state: "outdated" });
  deepEqual(hits.length, 3);
  deepEqual(notices.length, 1);
  deepEqual(["a.txt", "b.txt", "c.txt"].map((name) => notices[0]!.includes(name)), [true, true, false]);
  const outdated = hits.filter((hit) => hit.outdated).map(({ filePath }) => filePath).sort();
  deepEqual(outdated, [place.at("a.txt"), place.at("b.txt")]);
});

Deno.test("where nothing keeps an index current, an answer tells how many files below the searched folder are newer", async () => {
  using place = new Place();
  const docs = await indexFolder(place, "docs", { "a.txt": "pears", "sub/b.txt": "plums", "c.txt": "figs" });
  const notes = await indexFolder(place, "notes", { "d.txt": "pears" });
  place.write({ "docs/a.txt": "pears and apples", "docs/sub/new.txt": "new", "docs/.hidden": "" });
  const kept = await place.library({ roots: [docs, notes] });
  const unkept = await place.library({ roots: [docs, notes], isKept: (root) => root === "/elsewhere" });
  const newer = async (dirPath?: string) => {
    const request = { query: "figs", ...(dirPath === undefined ? {} : { dirPath }) };
    const { notices, freshness } = await unkept.search(request);
    return [notices.filter((text) => text.includes("newer")), freshness?.newerFiles, freshness?.state];
  };
  const told = (text: string) => [`${text} newer than the index. Index the folder again: ${docs}`];
  deepEqual(await newer(), [told("2 files are"), 2, "outdated"]);
  deepEqual(await newer(join(docs, "sub")), [told("1 file is"), 1, "outdated"]);
  deepEqual(await newer(notes), [[], 0, "unknown"]);
  const { freshness } = await kept.search({ query: "figs" });
  deepEqual("newerFiles" in freshness!, false);
});

Deno.test("hits of a least degree are chosen before the number of hits is cut, and the others are counted", async () => {
  using place = new Place();
  const weak = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`weak ${i}.md`, `Kettle, kettle, kettle: kettle number ${i}.`]),
  );
  place.write({
    ...weak,
    "strong.md": `${"Long notes about other things. ".repeat(30)}The blue kettle whistles softly.`,
  });
  await place.ingest();
  const library = await place.library();
  const request = { query: "blue kettle whistles softly", mode: "keyword" as const, topK: 2 };
  const all = await library.search({ ...request, topK: 50 });
  const high = all.hits.filter(({ degree }) => degree === "high");
  const found = await library.search({ ...request, minDegree: "high" });
  deepEqual(pathsOf(found, place.root), ["strong.md"]);
  deepEqual([high.length, found.lowerDegree], [1, 12]);
});

Deno.test("a search that is cancelled while it computes throws the reason, and answers nothing", async () => {
  using place = await Place.indexed({ "a.md": "The blue kettle whistles softly." });
  const library = await place.library();
  const stop = new AbortController();
  const search = library.search({ query: "kettle" }, stop.signal);
  queueMicrotask(() => stop.abort(new Error("cancelled")));
  await rejects(search, { message: "cancelled" });
  equal((await library.search({ query: "kettle" })).hits.length, 1);
});
