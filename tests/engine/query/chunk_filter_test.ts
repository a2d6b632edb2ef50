import { deepEqual, equal } from "node:assert/strict";
import { BlobIndex, type IndexReader, Tokenizer } from "#engine/index/mod.ts";
import { belowTest, filterFor, filtersOf, parseQuery, type SearchFilters } from "#engine/query/mod.ts";
import { chunkMask } from "#engine/index/chunk_mask.ts";
import { buildIndex, chunk, file } from "../index/_build.ts";

const tokenizer = new Tokenizer();

/** Returns the paths of the chunks that pass a filter, in order. */
function found(
  reader: IndexReader,
  query: string,
  parameters: SearchFilters = {},
  below?: string[],
): string[] {
  const parsed = parseQuery(`x ${query}`);
  const filterOf = filterFor({
    ...parsed,
    filters: [parsed.filters, filtersOf(parameters)],
    below: below && (() => belowTest(below)),
  });
  const filter = filterOf?.(new BlobIndex(reader));
  const mask = filter && chunkMask(reader, () => tokenizer, filter);
  const paths = Array.from(reader.chunks.files, (at) => reader.files[at]!.path);
  return paths.filter((_, chunk) => mask === undefined || mask[chunk] === 1);
}

Deno.test("without conditions there is no filter", () => {
  equal(filterFor({ ...parseQuery("words"), filters: [filtersOf({})] }), undefined);
});

Deno.test("path: accepts a part of a path or a glob, and ignores case and width", async () => {
  const paths = ["Docs/a.md", "docs/deep/b.txt", "my notes/c.md", "src/docs.ts"];
  using reader = await buildIndex(paths.map((path) => file(path, ["text"])));
  deepEqual(found(reader, "path:docs/"), ["Docs/a.md", "docs/deep/b.txt"]);
  deepEqual(found(reader, "path:ＤＯＣＳ"), ["Docs/a.md", "docs/deep/b.txt", "src/docs.ts"]);
  deepEqual(found(reader, "path:.\\docs\\"), ["Docs/a.md", "docs/deep/b.txt"]);
  deepEqual(found(reader, "path:/docs.ts"), ["src/docs.ts"]);
  deepEqual(found(reader, 'path:"my notes" path:src'), ["my notes/c.md", "src/docs.ts"]);
  deepEqual(found(reader, "path:*.md"), ["Docs/a.md", "my notes/c.md"]);
  deepEqual(found(reader, "path:docs/**/*.txt"), ["docs/deep/b.txt"]);
  deepEqual(found(reader, "path:d?cs*"), ["Docs/a.md", "docs/deep/b.txt", "src/docs.ts"]);
  deepEqual(found(reader, "-path:docs -path:*.ts"), ["my notes/c.md"]);
  deepEqual(found(reader, "path:!*"), []);
});

Deno.test("a glob full of wildcards is matched without backtracking", async () => {
  using reader = await buildIndex([file(`${"a".repeat(200)}.txt`, ["text"])]);
  deepEqual(found(reader, `path:${"*a".repeat(30)}b*`), []);
});

Deno.test("type: accepts an extension with its other spellings, or the name of a file without extension", async () => {
  const paths = ["Makefile", "a.MD", "b.markdown", "c.txt", "d.tar.gz", "e.py"];
  using reader = await buildIndex(paths.map((path) => file(path, ["text"])));
  deepEqual(found(reader, "type:md"), ["a.MD", "b.markdown"]);
  deepEqual(found(reader, "type:.gz,makefile"), ["Makefile", "d.tar.gz"]);
  deepEqual(found(reader, "-type:md,python"), ["Makefile", "c.txt", "d.tar.gz"]);
});

Deno.test("lang: compares the language of each chunk", async () => {
  using reader = await buildIndex([
    file("a.md", ["English prose of some length", "一段中文文字"]),
    file("b.md", ["日本語のテキストです", "한국어 문장"]),
  ]);
  deepEqual(found(reader, "lang:zh"), ["a.md"]);
  deepEqual(found(reader, "lang:ja,ko"), ["b.md", "b.md"]);
  deepEqual(found(reader, "-lang:zh,en"), ["b.md", "b.md"]);
});

Deno.test("after: and before: compare a file's modification time", async () => {
  using reader = await buildIndex([file("a.md", ["text"])]);
  // All files of a test index have a modification time of 0.
  deepEqual(found(reader, "after:1970-01-01T00:00:00.001Z"), ["a.md"]);
  deepEqual(found(reader, "after:1970-01-01T00:00:00.002Z"), []);
  deepEqual(found(reader, "before:1970-01-01T00:00:00.002Z"), ["a.md"]);
  deepEqual(found(reader, "before:1970-01-01T00:00:00.001Z"), []);
});

Deno.test("typed filters, filters given as parameters, and the folder must all hold", async () => {
  const paths = ["docs/a.md", "docs/a.txt", "notes/a.md"];
  using reader = await buildIndex(paths.map((path) => file(path, ["text"])));
  deepEqual(found(reader, "type:md", { path: "docs" }), ["docs/a.md"]);
  deepEqual(found(reader, "type:md", { type: ["txt", "md"] }), ["docs/a.md", "notes/a.md"]);
  deepEqual(found(reader, "type:md", { type: "txt" }), []);
  deepEqual(found(reader, "type:md", {}, ["notes"]), ["notes/a.md"]);
});

Deno.test("a phrase must occur word for word, but line breaks and punctuation may separate the words", async () => {
  using reader = await buildIndex([
    file("1", ["A hard link is a name."]),
    file("2", ["A **Hard**\n  link"]),
    file("3", ["The link is hard"]),
    file("4", ["hard links"]),
    file("5", ["ｈａｒｄ－ｌｉｎｋ"]),
    file("6", ["link, hard; hard: link"]),
  ]);
  deepEqual(found(reader, '"hard link"'), ["1", "2", "5", "6"]);
  deepEqual(found(reader, '"hard links"'), ["4"]);
  deepEqual(found(reader, '"links"'), ["4"]);
  deepEqual(found(reader, '"hard link" "a name"'), ["1"]);
  deepEqual(found(reader, '"nowhere to be found"'), []);
});

Deno.test("a Chinese phrase is found in traditional characters and across white space, not across punctuation", async () => {
  using reader = await buildIndex([
    file("1", ["学习机器学习的方法"]),
    file("2", ["機器學習入門"]),
    file("3", ["关于机器\n学习的一切"]),
    file("4", ["机器。学习"]),
    file("5", ["学习机器"]),
    file("6", ["用 Python 教程学 C++"]),
  ]);
  deepEqual(found(reader, "“机器学习”"), ["1", "2", "3"]);
  deepEqual(found(reader, "「機器」"), ["1", "2", "3", "4", "5"]);
  deepEqual(found(reader, "“机器。学习”"), ["1", "2", "3", "4"]);
  deepEqual(found(reader, '"Python教程"'), ["6"]);
  deepEqual(found(reader, '"学C++"'), ["6"]);
});

Deno.test("a heading above a chunk and its file's name count as its text", async () => {
  const text = chunk("Press the button.", { context: "Hard reset\nuser guide", section: ["Hard reset"] });
  using reader = await buildIndex([{ path: "user guide.md", chunks: [text] }]);
  deepEqual(found(reader, '"hard reset"'), ["user guide.md"]);
  deepEqual(found(reader, '"user guide" "the button"'), ["user guide.md"]);
  deepEqual(found(reader, '"reset user"'), []);
});

Deno.test("an excluded word excludes all its forms, and only the exact form in quotes", async () => {
  using reader = await buildIndex([
    file("1", ["They run"]),
    file("2", ["They are running"]),
    file("3", ["run time error"]),
    file("4", ["run-time"]),
    file("5", ["北京的大学"]),
    file("6", ["北京大學"]),
  ]);
  deepEqual(found(reader, "-runs"), ["5", "6"]);
  deepEqual(found(reader, '-"running"'), ["1", "3", "4", "5", "6"]);
  deepEqual(found(reader, "-run-time"), ["1", "2", "5", "6"]);
  deepEqual(found(reader, "-北京大学"), ["1", "2", "3", "4", "5"]);
  deepEqual(found(reader, "-大學"), ["1", "2", "3", "4"]);
});

Deno.test("long and short texts in any order of files are read for a phrase", async () => {
  const texts = Array.from(
    { length: 300 },
    (_, i) => `${"filler ".repeat(i * 7 % 50)}${i % 3 ? "b a" : "a b"} ${i}`,
  );
  const paths = texts.map((_, i) => `f${i}`);
  using reader = await buildIndex(paths.map((path, i) => file(path, [texts[i]!])));
  deepEqual(found(reader, '"a b"').sort(), paths.filter((_, i) => i % 3 === 0).sort());
  deepEqual(
    found(reader, '"a b" path:f1').sort(),
    paths.filter((path, i) => i % 3 === 0 && path.startsWith("f1")).sort(),
  );
});
