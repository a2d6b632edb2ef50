import assert from "node:assert/strict";
import type { Metadata } from "#documents/mod.ts";
import { bounded, described, type Fields, isoDate, metadataFields, united } from "#documents/metadata.ts";

const metadataOf = (fields: Record<string, unknown>) => described(Object.entries(fields)).metadata;

Deno.test("described() knows fields by their English and Chinese names, and keeps all others in `extra`", () => {
  const english = {
    Title: "Keys",
    Author: "Ann Smith",
    Keywords: "ops; key rotation",
    "Creation Date": "2024-05-01",
    "last-modified": "2024-06-01",
    pubDate: "Sat, 01 Jun 2024 10:00:00 +0800",
    lang: "zh_cn",
    canonical: "https://a.example/x",
    "access_level": "internal",
    status: "final",
    Summary: "How to rotate",
    project: "apollo",
    weight: 3,
    draft: false,
    reviewers: [{ name: "Bob" }, "Li"],
    build: { ci: { run: 7 } },
  };
  const chinese = {
    标题: "Keys",
    作者: "Ann Smith",
    标签: "ops、key rotation",
    创建时间: "2024年5月1日",
    更新: "2024/6/1",
    发布日期: "2024-06-01T10:00:00+08:00",
    语言: "zh-CN",
    来源: "https://a.example/x",
    密级: "internal",
    状态: "final",
    摘要: "How to rotate",
  };
  const { metadata, title } = described(Object.entries(english));
  const { extra, ...known } = metadata!;
  assert.deepEqual({ title, ...known }, {
    title: "Keys",
    authors: ["Ann Smith"],
    tags: ["ops", "key rotation"],
    created: "2024-05-01",
    modified: "2024-06-01",
    published: "2024-06-01T10:00:00+08:00",
    language: "zh-CN",
    sourceUrl: "https://a.example/x",
    accessLevel: "internal",
    status: "final",
    description: "How to rotate",
  });
  assert.deepEqual(extra, {
    project: "apollo",
    weight: 3,
    draft: false,
    reviewers: ["Bob", "Li"],
    "build.ci.run": 7,
  });
  assert.deepEqual(described(Object.entries(chinese)), { title: "Keys", metadata: known });
});

Deno.test("a plain date counts as created, unless there is another; what does not fit its field stays text", () => {
  assert.deepEqual(metadataOf({ date: 20240501 }), { created: "2024-05-01" });
  assert.deepEqual(metadataOf({ date: "2024-05-02", created: "2024-05-01" }), {
    created: "2024-05-01",
    extra: { date: "2024-05-02" },
  });
  assert.deepEqual(
    metadataOf({ date: "soon", published: true, lang: "Chinese", url: "/blog/keys", source: "a book" }),
    {
      extra: { date: "soon", published: true, lang: "Chinese", url: "/blog/keys", source: "a book" },
    },
  );
});

Deno.test("several access levels are one text, so that a reader needs all of them", () => {
  assert.deepEqual(metadataOf({ access: "public", 密级: "秘密" }), { accessLevel: "public, 秘密" });
  assert.deepEqual(metadataOf({ access: ["a", "b"] }), { accessLevel: "a, b" });
});

Deno.test("people and tags are lists, also where they are written as text", () => {
  const people: [unknown, string[]][] = [
    ["Ann Smith, Bob Jones", ["Ann Smith", "Bob Jones"]],
    ["Smith, John", ["Smith, John"]],
    ["张三，李四", ["张三", "李四"]],
    ["张三、李四；王五", ["张三", "李四", "王五"]],
    ["John Smith, Jr.; Acme, Inc.", ["John Smith, Jr.", "Acme, Inc."]],
    [{ name: "Ann" }, ["Ann"]],
    [[{ given: "Ann", family: "Smith" }, "Ann Smith", "Bob"], ["Ann Smith", "Bob"]],
    [null, []],
  ];
  for (const [author, authors] of people) {
    assert.deepEqual(metadataOf({ author })?.authors ?? [], authors, JSON.stringify(author));
  }
  assert.deepEqual(metadataOf({ authors: "Ann, Bob" }), { authors: ["Ann", "Bob"] });
  assert.deepEqual(metadataOf({ tags: "#a/b #预算", keywords: ["Ops", 2024], categories: "ops" }), {
    tags: ["a/b", "预算", "Ops", "2024"],
  });
});

Deno.test("isoDate() keeps the time zone that is written, and takes nothing else for a date", () => {
  const dates: [string, string | undefined][] = [
    ["2024-05-01T10:00:00+08:00", "2024-05-01T10:00:00+08:00"],
    ["2024-05-01 10:00 +0800", "2024-05-01T10:00+08:00"],
    ["2024-05-01T10:00:00.123456Z", "2024-05-01T10:00:00Z"],
    ["2024-05-01T10:00:00", "2024-05-01T10:00:00"],
    ["D:20240501100000+08'00'", "2024-05-01T10:00:00+08:00"],
    ["D:20240501100000Z00'00'", "2024-05-01T10:00:00Z"],
    ["D:2024", "2024"],
    ["2024:05:01 10:00:00", "2024-05-01T10:00:00"],
    ["20240501", "2024-05-01"],
    ["Wed, 1 May 2024 10:00:00 +0800 (CST)", "2024-05-01T10:00:00+08:00"],
    ["Wed May  1 10:00:00 2024", "2024-05-01T10:00:00"],
    ["May 1st, 2024 3:05 PM", "2024-05-01T15:05"],
    ["Wednesday, May 1, 2024", "2024-05-01"],
    ["01-May-2024", "2024-05-01"],
    ["1.5.2024", "2024-05-01"],
    ["2024年5月1日 星期三", "2024-05-01"],
    ["2024年5月", "2024-05"],
    ["2024", "2024"],
    ["2024 annual report", undefined],
    ["2024-13-01", undefined],
    ["2024-05-32", undefined],
    ["1/5/2024", undefined],
    ["Budget 2024", undefined],
    ["", undefined],
  ];
  assert.deepEqual(dates.map(([text]) => [text, isoDate(text)]), dates);
});

Deno.test("the metadata of a document has at most 4,000 units, however many fields it has and however long they are", () => {
  const long = "x".repeat(100_000);
  const hostile: Fields[] = [
    Array.from({ length: 100_000 }, (_, i) => [`key ${i}`, long]),
    [["tags", Array.from({ length: 200_000 }, (_, i) => `tag ${i}`)]],
    [["tags", "a,".repeat(200_000)], ["author", ";".repeat(200_000)]],
    [["author", Array.from({ length: 200_000 }, () => ({ name: long }))]],
    [[long, long], ["title", long], ["description", long], ["date", " ".repeat(200_000)]],
    [["a", JSON.parse('{"a":'.repeat(3_000) + "1" + "}".repeat(3_000))]],
    [["__proto__", "x"], ["constructor", "y"]],
    ["1", "-", ":", "2024-", "May ", "(", "\t"].map((mark) => ["date", mark.repeat(200_000)]),
  ];
  for (const fields of hostile) {
    const { title = "", metadata } = described(fields);
    const size = JSON.stringify(metadata ?? {}).length;
    assert.ok(size <= 4_200 && title.length <= 500, `${size}`);
  }
  assert.deepEqual(described(hostile[6]!).metadata, { extra: { constructor: "y" } });
});

Deno.test("bounded() limits the metadata of any loader, and leaves what fits as it is", () => {
  const kept: Metadata = { authors: ["Li"], tags: ["a"], created: "2024", extra: { a: 1, b: ["x"] } };
  assert.deepEqual(bounded(kept), kept);
  const long = "x".repeat(100_000);
  const many = Array.from({ length: 100_000 }, (_, i) => `tag ${i}`);
  const { description, tags, extra } = bounded({
    description: long,
    tags: [long, ...many],
    extra: { long, many, short: "x" },
  });
  assert.deepEqual([description?.length, tags?.length, extra], [500, 99, { short: "x" }]);
});

Deno.test("united() lets the first source speak for single fields and joins lists", () => {
  assert.deepEqual(
    united(
      { authors: ["Ann"], created: "2024", extra: { a: 1 } },
      { authors: ["ann", "Bob"], created: "2023", tags: ["x"], extra: { a: 2, b: 3 } },
    ),
    { authors: ["Ann", "Bob"], created: "2024", tags: ["x"], extra: { a: 1, b: 3 } },
  );
});

Deno.test("united() keeps the access levels of both sources", () => {
  const levels = (first?: string, second?: string) =>
    united(first ? { accessLevel: first } : {}, second ? { accessLevel: second } : {}).accessLevel;
  assert.equal(levels("public", "secret"), "public, secret");
  assert.equal(levels("a, b", "b, c"), "a, b, c");
  assert.equal(levels(undefined, "secret"), "secret");
  assert.equal(levels("public"), "public");
  assert.equal(levels(), undefined);
});

Deno.test("metadataFields() has the names of answers and queries", () => {
  assert.deepEqual(
    metadataFields({ sourceUrl: "https://a.example", accessLevel: "public", extra: { a: 1 } }),
    {
      source_url: "https://a.example",
      access_level: "public",
      extra: { a: 1 },
    },
  );
  assert.deepEqual(metadataFields(undefined), {});
});
