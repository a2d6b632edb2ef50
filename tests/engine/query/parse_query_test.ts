import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { UserError } from "#foundation/errors.ts";
import { dateSpan } from "#engine/index/mod.ts";
import { filtersOf, type ParsedQuery, parseQuery } from "#engine/query/mod.ts";
import { fuzz } from "../../_fuzz.ts";

const NO_LISTS = { path: [], type: [], lang: [] };

/** Returns a parsed query without its empty properties. */
function parsed(text: string): Record<string, unknown> {
  const { filters: { not, ...filters }, ...rest } = parseQuery(text);
  const full = { ...rest, ...filters, not: Object.fromEntries(filled(not)) };
  return Object.fromEntries(filled(full));
}

function filled(record: object): [string, unknown][] {
  return Object.entries(record).filter(([, value]) =>
    value instanceof Date || typeof value === "string" || Object.keys(value).length > 0
  );
}

/** Returns key and parameters of the error for a query. */
function complaint(action: () => unknown): [string, object] {
  try {
    action();
  } catch (error) {
    if (error instanceof UserError) return [error.key, error.params];
    throw error;
  }
  throw new Error("nothing was wrong");
}

Deno.test("a question without operators is returned unchanged", () => {
  const none: Omit<ParsedQuery, "text"> = {
    phrases: [],
    excluded: [],
    excludedPhrases: [],
    filters: { ...NO_LISTS, not: NO_LISTS },
  };
  for (
    const text of [
      "  how do  I install it?\n",
      "temperature -5 and +3",
      "e-mail, a-b, a - b, --flag, ls -l, -",
      "foo:bar http://host/x std::vector C:\\x path: x type：什么意思",
      `5" disk, 6" pipe, "", “”, "?!" and "open`,
      "“never closed",
      "中文：类型 - 路径",
      "note: this, tag: and author: , status： x meta.:y metadata:z stage:final tag:,",
    ]
  ) {
    deepEqual(parseQuery(text), { text, ...none });
  }
});

Deno.test("words in quotes are a phrase, and stay in the text", () => {
  deepEqual(parsed('how does a "hard link" work'), {
    text: "how does a hard link work",
    phrases: ["hard link"],
  });
  deepEqual(parsed("“机器学习”和「深度学习」、『強化學習』的区别"), {
    text: "机器学习 和 深度学习 、 強化學習 的区别",
    phrases: ["机器学习", "深度学习", "強化學習"],
  });
  deepEqual(parsed('("boundary layer"), ＂flow＂'), {
    text: "( boundary layer ), flow",
    phrases: ["boundary layer", "flow"],
  });
  deepEqual(parsed('"just this"'), { text: "just this", phrases: ["just this"] });
  deepEqual(parsed('a 5" and 6" "real phrase"'), {
    text: 'a 5" and 6" real phrase',
    phrases: ["real phrase"],
  });
});

Deno.test("a minus at the start of a token excludes the word after it, or the exact phrase in quotes", () => {
  deepEqual(parsed("python -java －草稿 -e-mail, -C++"), {
    text: "python",
    excluded: ["java", "草稿", "e-mail", "C++"],
  });
  deepEqual(parsed('python -"snake oil" -“蛇”'), { text: "python", excludedPhrases: ["snake oil", "蛇"] });
  deepEqual(parsed("tar -x -5 python-java"), { text: "tar -x -5 python-java" });
});

Deno.test("filters name paths, types, languages and dates", () => {
  deepEqual(parsed("path:docs/ how Type:md,.PDF,*.txt lang:zh-CN,english backup"), {
    text: "how backup",
    path: ["docs/"],
    type: ["md", "pdf", "txt"],
    lang: ["zh", "en"],
  });
  deepEqual(parsed('path：docs path:"my notes" path:*.m? 备份'), {
    text: "备份",
    path: ["docs", "my notes", "*.m?"],
  });
  deepEqual(parsed("backup -path:drafts -type:log －lang:en"), {
    text: "backup",
    not: { path: ["drafts"], type: ["log"], lang: ["en"] },
  });
  deepEqual(parsed("备份 路径:资料/ 类型：md,txt -语言:en"), {
    text: "备份",
    path: ["资料/"],
    type: ["md", "txt"],
    not: { lang: ["en"] },
  });
  deepEqual(parsed("语言：中文 类型：什么"), { text: "语言：中文 类型：什么" });
});

Deno.test("dates are the first moment of a day, month or year; of several the narrower counts", () => {
  deepEqual(parsed("backup after:2024-05-01 before:2025/2"), {
    text: "backup",
    after: new Date(2024, 4, 1),
    before: new Date(2025, 1, 1),
  });
  deepEqual(parsed("backup after:2024 after:2023 -before:2022 before:２０２６ before:2027"), {
    text: "backup",
    after: new Date(2024, 0, 1),
    before: new Date(2026, 0, 1),
  });
  deepEqual(parsed("backup -after:2024-05-01T10:00:00Z"), {
    text: "backup",
    before: new Date("2024-05-01T10:00:00Z"),
  });
});

Deno.test("conditions on metadata name a field and its values", () => {
  const metadata = (text: string) => parseQuery(`x ${text}`).filters.metadata;
  deepEqual(parsed("backup tag:budget Author:李明 plan"), {
    text: "backup plan",
    metadata: [{ key: "tags", any: ["budget"] }, { key: "authors", any: ["李明"] }],
  });
  deepEqual(parsed("备份 标签：预算、成本 作者:李明，怎么恢复 状态:final"), {
    text: "备份 ，怎么恢复",
    metadata: [
      { key: "tags", any: ["预算", "成本"] },
      { key: "authors", any: ["李明"] },
      { key: "status", any: ["final"] },
    ],
  });
  deepEqual(metadata(`tags:a,"b, c",d. -access_level:secret,internal －status:"in work"`), [
    { key: "tags", any: ["a", "b, c", "d"] },
    { key: "access_level", none: ["secret", "internal"] },
    { key: "status", none: ["in work"] },
  ]);
  deepEqual(
    metadata("meta.project:Apollo META.客户:华为 source_url:https://example.com/a?b=1 language:zh-CN"),
    [
      { key: "meta.project", any: ["Apollo"] },
      { key: "meta.客户", any: ["华为"] },
      { key: "source_url", any: ["https://example.com/a?b=1"] },
      { key: "language", any: ["zh-CN"] },
    ],
  );
});

Deno.test("dates and other fields of metadata take a range", () => {
  const metadata = (text: string) => parseQuery(`x ${text}`).filters.metadata;
  deepEqual(metadata("created:2024..2025-06 published:..2023 modified:2024/5.."), [
    { key: "created", gte: "2024", lte: "2025-06" },
    { key: "published", lte: "2023" },
    { key: "modified", gte: "2024/5" },
  ]);
  deepEqual(metadata("创建:>=2024-05 date:2023 modified:<2024 meta.price:>12.5 meta.due:２０２４..2025"), [
    { key: "created", gte: "2024-05" },
    { key: "created", any: ["2023"] },
    { key: "modified", lt: "2024" },
    { key: "meta.price", gt: "12.5" },
    { key: "meta.due", gte: "2024", lte: "2025" },
  ]);
  deepEqual(metadata("created:2024,2026-01 -created:2025 meta.path:a..b tag:1..2"), [
    { key: "created", any: ["2024", "2026-01"] },
    { key: "created", none: ["2025"] },
    { key: "meta.path", any: ["a..b"] },
    { key: "tags", any: ["1..2"] },
  ]);
  for (const value of ["yesterday", "2024..soon", ">=x", "2024,13"]) {
    deepEqual(complaint(() => parseQuery(`x created:${value}`)), ["query_bad_date", {
      name: "created",
      value,
    }]);
  }
  deepEqual(metadata("created:2024-03..2024"), [{ key: "created", gte: "2024-03", lte: "2024" }]);
  deepEqual(complaint(() => parseQuery("x created:2025..2023")), ["query_empty_range", {
    name: "created",
    value: "2025..2023",
    turned: "2023..2025",
  }]);
});

Deno.test("description: is text, because few would type a whole description", () => {
  deepEqual(parsed("openapi description:pump"), { text: "openapi description:pump" });
});

Deno.test("a date names the time from its first moment to the first one after it", () => {
  const period = (from: Date, until: Date) => ({ from: from.getTime(), to: until.getTime() });
  deepEqual(dateSpan("2024"), period(new Date(2024, 0, 1), new Date(2025, 0, 1)));
  deepEqual(dateSpan("2024-12"), period(new Date(2024, 11, 1), new Date(2025, 0, 1)));
  deepEqual(dateSpan("2024/2/29"), period(new Date(2024, 1, 29), new Date(2024, 2, 1)));
  const moment = new Date("2024-05-01T10:00:00Z").getTime();
  deepEqual(dateSpan("2024-05-01T18:00:00+08:00"), { from: moment, to: moment + 1000 });
  equal(dateSpan("2023-02-29"), undefined);
});

Deno.test("an invalid date or language is an error that names the valid ones", () => {
  for (const value of ["yesterday", "2024-02-30", "2024-13", "24", "2024-05-01T99:00"]) {
    deepEqual(complaint(() => parseQuery(`backup after:${value}`)), ["query_bad_date", {
      name: "after",
      value,
    }]);
  }
  deepEqual(complaint(() => parseQuery("backup lang:zh,klingon")), [
    "query_bad_lang",
    { value: "klingon", known: "en, zh, ja, ko" },
  ]);
  deepEqual(complaint(() => filtersOf({ before: "soon" })), [
    "query_bad_date",
    { name: "before", value: "soon" },
  ]);
});

Deno.test("a query without words is refused, with or without operators", () => {
  for (const text of ["path:docs", "-draft", ' -"a draft" type:md lang:zh ?']) {
    equal(complaint(() => parseQuery(text))[0], "query_without_words", text);
  }
  equal(complaint(() => parseQuery(" \n"))[0], "empty_query");
});

Deno.test("filtersOf() reads parameters like typed filters, and ignores blank ones", () => {
  deepEqual(
    filtersOf({
      path: ["docs/", "my notes"],
      type: "md,pdf",
      lang: ["zh", "EN"],
      after: "2024",
      before: " ",
    }),
    {
      path: ["docs/", "my notes"],
      type: ["md", "pdf"],
      lang: ["zh", "en"],
      after: new Date(2024, 0, 1),
      not: NO_LISTS,
    },
  );
  deepEqual(filtersOf({ path: "", type: [], lang: undefined }), { ...NO_LISTS, not: NO_LISTS });
});

Deno.test("every text is parsed or refused with a message", () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      ...' -"“”「」:：*?,.\n',
      "path:",
      "tag:",
      "created:",
      "..",
      "type:",
      "lang:",
      "after:",
      "2024",
      "zh",
      "--",
      "北京",
      "word",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      try {
        const { text } = parseQuery(pieces.join(""));
        equal(text.trim() === "", false);
      } catch (error) {
        equal(error instanceof UserError, true, String(error));
      }
    }),
    fuzz(500),
  );
});

Deno.test("text without operator characters is always returned unchanged", () => {
  const character = fc.constantFrom(..."abc XYZ 北京 19 ,.!?'/\\()[]{}#@+=\n\t、。，".split(""));
  fc.assert(
    fc.property(fc.string({ unit: character }), (text) => {
      if (text.trim() !== "") equal(parseQuery(text).text, text);
    }),
    fuzz(500),
  );
});
