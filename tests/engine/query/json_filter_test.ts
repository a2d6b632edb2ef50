import { deepEqual } from "node:assert/strict";
import { UserError } from "#foundation/errors.ts";
import { message } from "#foundation/messages/mod.ts";
import { givenFilters, type MetadataCondition, type OtherFields } from "#engine/query/mod.ts";

const OTHERS = ["project", "客户"];
const FIELDS: OtherFields = {
  has: (name) => OTHERS.includes(name.toLowerCase()),
  names: () => OTHERS,
};

/** The conditions on metadata of an object, for an index whose documents have the fields `project` and `客户` as well. */
function conditions(json: Record<string, unknown>): readonly MetadataCondition[] {
  return givenFilters({ json }, FIELDS)[1]!.metadata!;
}

/** The message of the error for an object. */
function refusal(json: Record<string, unknown>): string {
  try {
    givenFilters({ json }, FIELDS);
  } catch (error) {
    if (error instanceof UserError) return message("en", error.key, error.params);
    throw error;
  }
  return "no error";
}

Deno.test("a text, a number or a list stands for any", () => {
  deepEqual(
    conditions({ tags: "x", authors: ["a", "b"], "meta.project": 7, "meta.客户": true, status: null }),
    [
      { key: "tags", any: ["x"] },
      { key: "authors", any: ["a", "b"] },
      { key: "meta.project", any: ["7"] },
      { key: "meta.客户", any: ["true"] },
    ],
  );
});

Deno.test("an object has lists, bounds and missing; in is any", () => {
  deepEqual(
    conditions({
      tags: { any: ["a"], all: "b", none: ["c"], missing: "include" },
      created: { gte: 2024, lt: "2025-06" },
      access_level: { in: ["public"] },
    }),
    [
      { key: "tags", any: ["a"], all: ["b"], none: ["c"], missing: "include" },
      { key: "created", gte: "2024", lt: "2025-06" },
      { key: "access_level", any: ["public"] },
    ],
  );
});

Deno.test("names of fields are read in any case and width, with a hyphen, and in their other forms", () => {
  deepEqual(
    conditions({ Author: "x", "access-level": "y", "ｔａｇ": "z", date: "2024", "META.Project": "p" }),
    [
      { key: "authors", any: ["x"] },
      { key: "access_level", any: ["y"] },
      { key: "tags", any: ["z"] },
      { key: "created", any: ["2024"] },
      { key: "meta.project", any: ["p"] },
    ],
  );
  deepEqual(conditions({ 标签: "预算", 作者: "李明", 密级: { in: ["内部"] } }), [
    { key: "tags", any: ["预算"] },
    { key: "authors", any: ["李明"] },
    { key: "access_level", any: ["内部"] },
  ]);
});

Deno.test("conditions on files may stand in the same object, and must hold beside the others", () => {
  const filters = givenFilters(
    { type: "pdf", json: { type: ["md", "txt"], path: "docs/", tags: "x" } },
    FIELDS,
  );
  deepEqual(filters.map(({ type, path, metadata }) => ({ type, path, metadata })), [
    { type: ["pdf"], path: [], metadata: undefined },
    { type: ["md", "txt"], path: ["docs/"], metadata: [{ key: "tags", any: ["x"] }] },
  ]);
});

const KNOWN =
  "title, authors, tags, created, modified, published, language, source_url, access_level, status, " +
  "description, path, type, lang, after, before, meta.project, meta.客户";

Deno.test("an unknown field is refused with the nearest and the known ones", () => {
  deepEqual(
    refusal({ tagz: "x" }),
    `There is no filter tagz. Did you mean tags? Use one of: ${KNOWN}`,
  );
  deepEqual(
    refusal({ project: "x" }),
    `There is no filter project. Did you mean meta.project? Use one of: ${KNOWN}`,
  );
  deepEqual(
    refusal({ "meta.projekt": "x" }),
    `There is no filter meta.projekt. Did you mean meta.project? Use one of: ${KNOWN}`,
  );
  deepEqual(refusal({ "meta.ab": "x" }), `There is no filter meta.ab. Use one of: ${KNOWN}`);
  deepEqual(refusal({ zzzzzzzz: "x" }), `There is no filter zzzzzzzz. Use one of: ${KNOWN}`);
});

Deno.test("an error for a misspelt field names the one that was probably meant", () => {
  const meant = (name: string) => /Did you mean (\S+)\?/.exec(refusal({ [name]: "x" }))?.[1];
  const expected = {
    autor: "authors",
    athors: "authors",
    tagz: "tags",
    tgas: "tags",
    creatd: "created",
    modifed: "modified",
    publishd: "published",
    langage: "language",
    "acess_level": "access_level",
    accessLevel: "access_level",
    sourceurl: "source_url",
    stauts: "status",
    discription: "description",
    titel: "title",
    pth: "path",
    befor: "before",
    porject: "meta.project",
    "meta.projct": "meta.project",
    客户: "meta.客户",
    客户名: "meta.客户",
    "meta.客": "meta.客户",
  };
  deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, meant(name)])), expected);
});

Deno.test("Chinese names of fields are read, those of a query and others", () => {
  const names = ["标签", "作者", "创建", "修改", "发布", "状态", "密级", "标题", "日期", "语言", "描述"];
  deepEqual(names.map((name) => conditions({ [name]: "2024" })[0]!.key), [
    "tags",
    "authors",
    "created",
    "modified",
    "published",
    "status",
    "access_level",
    "title",
    "created",
    "language",
    "description",
  ]);
});

Deno.test("a wrong shape is refused with what was expected", () => {
  const parts = "any, all, none, in, gte, gt, lte, lt, missing";
  deepEqual(
    refusal({ tags: [["x"]] }),
    `The filter tags must be a text, a list of texts, or an object with some of these keys: ${parts}`,
  );
  deepEqual(
    refusal({ tags: { any: {} } }),
    `The filter tags.any must be a text, a list of texts, or an object with some of these keys: ${parts}`,
  );
  deepEqual(
    refusal({ tags: { contains: "x" } }),
    `The filter tags does not take contains. Use: ${parts}`,
  );
  deepEqual(
    refusal({ tags: { missing: "maybe" } }),
    "The filter tags.missing must be one of: include, exclude",
  );
  deepEqual(
    refusal({ tags: { gte: "b" } }),
    "The filter tags takes no bounds. Fields that take them: created, modified, published, meta.*",
  );
  deepEqual(
    refusal({ created: { gte: "soon" } }),
    "The bound of the filter created is not valid: soon. Write 2024, 2024-05, 2024-05-01, a moment in ISO 8601 or, for meta.*, a number",
  );
  deepEqual(
    refusal({ "meta.project": { gte: "0x10" } }),
    "The bound of the filter meta.project is not valid: 0x10. Write 2024, 2024-05, 2024-05-01, a moment in ISO 8601 or, for meta.*, a number",
  );
  for (const value of ["yesterday", ["2024", "yesterday"], { none: "yesterday" }]) {
    deepEqual(
      refusal({ created: value }),
      "The filter created is not a valid date: yesterday. Write 2024, 2024-05, 2024-05-01 or a moment in ISO 8601",
    );
  }
  deepEqual(refusal({ path: { any: "x" } }), "The filter path must be a text");
  deepEqual(
    refusal({ after: "soon" }),
    "after:soon is not a valid date. Write 2024-05-01, 2024-05 or 2024; to search for it as text, put it in quotes",
  );
});

Deno.test("names that every object has are no fields", () => {
  deepEqual(refusal({ constructor: "x" }).slice(0, 32), "There is no filter constructor. ");
  deepEqual(refusal({ tags: { toString: "x" } }).slice(0, 38), "The filter tags does not take toString");
});
