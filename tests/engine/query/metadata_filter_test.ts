import { deepEqual } from "node:assert/strict";
import fc from "fast-check";
import {
  BlobIndex,
  type DescribedFile,
  FieldTables,
  IndexReader,
  IndexWriter,
  MemoryFile,
  type OpenIndex,
} from "#engine/index/mod.ts";
import { type MetadataCondition, metadataMask, otherFieldsOf } from "#engine/query/mod.ts";
import type { Metadata, MetadataValue } from "#documents/types.ts";
import { KEY } from "../index/_blob_forge.ts";
import { META, recordOf } from "../index/_build.ts";

/** The names of the files that meet the conditions. */
function passing(files: Readonly<Record<string, Metadata>>, ...conditions: MetadataCondition[]): string[] {
  const records = Object.values(files).map((metadata) => ({ metadata }));
  const mask = metadataMask(new FieldTables(records), conditions);
  return Object.keys(files).filter((_, i) => mask[i] === 1);
}

Deno.test("a text names a value as a whole, whatever its case, width and spaces", () => {
  const files = {
    a: { status: "In  Review" },
    b: { status: "ＩＮ ＲＥＶＩＥＷ" },
    c: { status: "review" },
    d: {},
  };
  deepEqual(passing(files, { key: "status", any: ["in review"] }), ["a", "b"]);
});

Deno.test("of several values each counts: any, all, none", () => {
  const files = { a: { authors: ["李明", "Bob"] }, b: { authors: ["李明"] }, c: { authors: ["Eve"] }, d: {} };
  deepEqual(passing(files, { key: "authors", any: ["李明", "eve"] }), ["a", "b", "c"]);
  deepEqual(passing(files, { key: "authors", all: ["李明", "bob"] }), ["a"]);
  deepEqual(passing(files, { key: "authors", any: ["李明"], none: ["bob"] }), ["b"]);
  deepEqual(passing(files, { key: "authors", any: [] }), []);
});

Deno.test("a document without the field passes only a condition that excludes, unless the condition says otherwise", () => {
  const files = { a: { tags: ["x"] }, b: { tags: ["y"] }, c: { tags: [] }, d: {} };
  deepEqual(passing(files, { key: "tags", none: ["x"] }), ["b", "c", "d"]);
  deepEqual(passing(files, { key: "tags", none: ["x"], missing: "exclude" }), ["b"]);
  deepEqual(passing(files, { key: "tags", any: ["x"] }), ["a"]);
  deepEqual(passing(files, { key: "tags", any: ["x"], missing: "include" }), ["a", "c", "d"]);
  deepEqual(passing(files, { key: "tags", missing: "exclude" }), ["a", "b"]);
});

Deno.test("a tag names those below it as well, with or without #, and a language its regions", () => {
  const files = { a: { tags: ["#Project/Apollo"] }, b: { tags: ["project"] }, c: { tags: ["projects"] } };
  deepEqual(passing(files, { key: "tags", any: ["#project"] }), ["a", "b"]);
  deepEqual(passing(files, { key: "tags", any: ["project/apollo"] }), ["a"]);
  const texts = { a: { language: "zh-CN" }, b: { language: "zh" }, c: { language: "en" } };
  deepEqual(passing(texts, { key: "language", any: ["ZH"] }), ["a", "b"]);
  deepEqual(passing(texts, { key: "language", any: ["zh_cn"] }), ["a"]);
});

Deno.test("dates are spans of time: bounds are inclusive of the year, month or day that they say", () => {
  const files = {
    y2023: { created: "2023" },
    end2023: { created: "2023-12-31T23:59:59" },
    y2024: { created: "2024" },
    may: { created: "2024-05" },
    day: { created: "2025-12-31" },
    y2026: { created: "2026-01-01" },
    text: { created: "spring 2024" },
  };
  deepEqual(passing(files, { key: "created", gte: "2024", lte: "2025" }), ["y2024", "may", "day"]);
  deepEqual(passing(files, { key: "created", gt: "2024" }), ["day", "y2026"]);
  deepEqual(passing(files, { key: "created", lt: "2024" }), ["y2023", "end2023"]);
  deepEqual(passing(files, { key: "created", any: ["2024"] }), ["y2024", "may"]);
  deepEqual(passing(files, { key: "created", gte: "2024-05" }), ["may", "day", "y2026"]);
  deepEqual(passing(files, { key: "created", any: ["Spring 2024"] }), ["text"]);
  deepEqual(passing(files, { key: "created", gte: "2024-02-30" }), []);
});

Deno.test("a date with a time zone is a moment", () => {
  const files = { a: { modified: "2024-05-01T00:30:00+08:00" }, b: { modified: "2024-04-30T17:30:00Z" } };
  deepEqual(passing(files, { key: "modified", lt: "2024-04-30T17:00:00Z" }), ["a"]);
  deepEqual(passing(files, { key: "modified", any: ["2024-04-30T16:30:00Z"] }), ["a"]);
  deepEqual(passing(files, { key: "modified", gte: "2024-05-01T01:30+08:00" }), ["b"]);
});

Deno.test("other fields are named in any case, numbers are compared as numbers, dates as dates", () => {
  const extra = (value: MetadataValue) => ({ extra: { Size: value } });
  const files = {
    a: extra(12.5),
    b: extra("12.50"),
    c: extra("9"),
    d: extra("2024-05-01"),
    e: extra(true),
    f: extra(2024),
  };
  deepEqual(passing(files, { key: "meta.SIZE", any: ["12.5"] }), ["a", "b"]);
  deepEqual(passing(files, { key: "meta.size", gt: "9" }), ["a", "b", "f"]);
  deepEqual(passing(files, { key: "meta.size", gte: "2024-04" }), ["d"]);
  deepEqual(passing(files, { key: "meta.size", any: ["2024"] }), ["d", "f"]);
  deepEqual(passing(files, { key: "meta.size", any: ["True"] }), ["e"]);
});

/** An index of files without text. */
async function indexOf(files: readonly DescribedFile[]): Promise<OpenIndex> {
  const file = new MemoryFile(), writer = new IndexWriter(file, KEY);
  for (const [i, one] of files.entries()) writer.addEmpty({ ...recordOf(`${i}.md`), ...one });
  await writer.finish(META);
  return new BlobIndex(IndexReader.open(file, { key: KEY }));
}

Deno.test("the names of other fields are those of the documents, in any case", async () => {
  using index = await indexOf([{ metadata: { extra: { Size: 1, "项目": "x" } } }, {}]);
  const fields = otherFieldsOf([index]);
  deepEqual(["SIZE", "项目", "siz", "size "].map(fields.has), [true, true, false, true]);
  deepEqual([...fields.names()], ["Size", "项目"]);
});

Deno.test("dates near a bound are compared to the millisecond, in local time and in UTC", () => {
  const near = [
    "2024-04-30T23:59:59.999",
    "2024-05-01T00:00",
    "2024-05-01",
    "2024-05-01T24:00",
    "2024-05-02T00:00:00",
    "2024-05-01T12:00:60",
    "0000-01-01",
    "9999-12-31",
    "9999-12-31T24:00",
    "9999-12-31T23:00-05:00",
  ];
  const files = Object.fromEntries(near.map((created) => [created, { created }]));
  deepEqual(passing(files, { key: "created", any: ["2024-05-01"] }), [near[1]!, near[2]!, near[5]!]);
  deepEqual(passing(files, { key: "created", lt: "2024-05-01" }), [near[0]!, near[6]!]);
  deepEqual(passing(files, { key: "created", gt: "2024-05-01", lte: "2024" }), [near[3]!, near[4]!]);
  deepEqual(passing(files, { key: "created", gte: "9999" }), near.slice(7));
  const zoned = ["2024-05-01T00:00:00.001Z", "2024-05-01T01:00+01:00", "2024-05-01T00:01Z"];
  const moments = Object.fromEntries(zoned.map((modified) => [modified, { modified }]));
  deepEqual(passing(moments, { key: "modified", gte: "2024-05-01T00:00:00.001Z" }), [zoned[0]!, zoned[2]!]);
  deepEqual(passing(moments, { key: "modified", lt: "2024-05-01T00:01Z" }), zoned.slice(0, 2));
});

Deno.test("all conditions must hold, and none at all pass everything", () => {
  const files = { a: { tags: ["x"], status: "final" }, b: { tags: ["x"] } };
  deepEqual(passing(files, { key: "tags", any: ["x"] }, { key: "status", any: ["final"] }), ["a"]);
  deepEqual(passing(files), ["a", "b"]);
});

Deno.test("random conditions pass the files that a plain scan finds, also by the tables of an index", async () => {
  const word = fc.constantFrom(
    "x",
    "Ｘ",
    "x/y",
    "x/y/z",
    "#y",
    "y",
    "12",
    "12.0",
    "2024",
    "2024-05",
    "2024-05-03",
    "long  word",
  );
  const words = fc.array(word, { maxLength: 3 });
  const value: fc.Arbitrary<MetadataValue> = fc.oneof(
    word,
    fc.constantFrom(12, 2024, -1.5),
    fc.boolean(),
    words,
  );
  const metadata = fc.record({
    tags: words,
    created: word,
    language: fc.constantFrom("zh", "zh-CN", "en"),
    extra: fc.record({ a: value, "Ｂ": value }, { requiredKeys: [] }),
  }, { requiredKeys: [] });
  const file = fc.record({ title: word, metadata }, { requiredKeys: [] });
  const bound = fc.constantFrom("12", "-2", "2024", "2024-05", "2024-05-03", "2025", "word");
  const condition = fc.record({
    key: fc.constantFrom("title", "tags", "created", "language", "meta.A", "meta.b", "meta.none"),
    any: words,
    all: words,
    none: words,
    gte: bound,
    gt: bound,
    lte: bound,
    lt: bound,
    missing: fc.constantFrom("include", "exclude"),
  }, { requiredKeys: ["key"] }) as fc.Arbitrary<MetadataCondition>;
  await fc.assert(
    fc.asyncProperty(
      fc.array(file, { maxLength: 8 }),
      fc.array(condition, { maxLength: 3 }),
      async (files, conditions) => {
        const wanted = files.map((one) => conditions.every((each) => meets(one, each)) ? 1 : 0);
        deepEqual([...metadataMask(new FieldTables(files), conditions)], wanted);
        using index = await indexOf(files);
        deepEqual([...index.fileMarks((tables) => metadataMask(tables, conditions))], wanted);
      },
    ),
    { numRuns: 2000 },
  );
});

/** One document against one condition, without tables. */
function meets(file: DescribedFile, condition: MetadataCondition): boolean {
  const { key, any, all, none, missing } = condition;
  const values = valuesOf(file, key).map(String);
  const bounds = (["gte", "gt", "lte", "lt"] as const).filter((name) => condition[name] !== undefined);
  const isWanted = any !== undefined || all !== undefined || bounds.length > 0;
  if (values.length === 0) return (missing ?? (isWanted ? "exclude" : "include")) === "include";
  const holds = (text: string) => values.some((value) => isNamed(key, value, text));
  return (any === undefined || any.some(holds)) && (all ?? []).every(holds) && !(none ?? []).some(holds) &&
    (bounds.length === 0 ||
      values.some((value) => bounds.every((name) => within(key, value, name, condition[name]!))));
}

function valuesOf({ title, metadata = {} }: DescribedFile, key: string): (string | number | boolean)[] {
  const own = key.startsWith("meta.")
    ? Object.entries(metadata.extra ?? {}).find(([name]) => plain(name) === plain(key.slice(5)))?.[1]
    : key === "title"
    ? title
    : metadata[key as "tags"];
  return own === undefined ? [] : [own].flat();
}

const plain = (text: string) => text.normalize("NFKC").toLowerCase().trim().replace(/\s+/g, " ");
const isNumber = (text: string) => /^-?\d+(\.\d+)?$/.test(text);

function isNamed(key: string, value: string, text: string): boolean {
  const [a, b] = [value, text].map((one) => key === "tags" ? plain(one).replace(/^#/, "") : plain(one));
  if (a === b || key === "tags" && a!.startsWith(`${b}/`) || key === "language" && a!.startsWith(`${b}-`)) {
    return true;
  }
  const isOther = key.startsWith("meta.");
  if (isOther && isNumber(a!) && isNumber(b!)) return Number(a) === Number(b);
  if (key !== "created" && !isOther) return false;
  const [own, around] = [span(a!), span(b!)];
  return own !== undefined && around !== undefined && own[0] >= around[0] && own[1] <= around[1];
}

function within(key: string, value: string, name: "gte" | "gt" | "lte" | "lt", bound: string): boolean {
  if (key !== "created" && !key.startsWith("meta.") && span(plain(value)) === undefined) return false;
  const numbers = key.startsWith("meta.") && isNumber(plain(value)) && isNumber(bound);
  const own = numbers ? [Number(value), Number(value)] : span(plain(value));
  const other = numbers ? [Number(bound), Number(bound)] : span(bound);
  if (own === undefined || other === undefined) return false;
  if (name === "gte") return own[0]! >= other[0]!;
  if (name === "gt") return numbers ? own[0]! > other[1]! : own[0]! >= other[1]!;
  if (name === "lte") return own[1]! <= other[1]!;
  return numbers ? own[1]! < other[0]! : own[1]! <= other[0]!;
}

/** The first moment and the one after the last, of years, months and days in local time. */
function span(text: string): [number, number] | undefined {
  const parts = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(text);
  if (parts === null) return undefined;
  const [year, month, day] = parts.slice(1).map((part) => part === undefined ? undefined : Number(part));
  const from = new Date(year!, (month ?? 1) - 1, day ?? 1).getTime();
  if (day !== undefined) return [from, new Date(year!, month! - 1, day + 1).getTime()];
  return [from, (month === undefined ? new Date(year! + 1, 0, 1) : new Date(year!, month, 1)).getTime()];
}
