import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { UserError } from "#foundation/errors.ts";
import { BlobIndex, type IndexReader, Tokenizer } from "#engine/index/mod.ts";
import { chunkMask } from "#engine/index/chunk_mask.ts";
import { expressionText, filterFor, parseQuery } from "#engine/query/mod.ts";
import { fuzz } from "../../_fuzz.ts";
import { buildIndex, chunk, file, type TestFile } from "../index/_build.ts";

const tokenizer = new Tokenizer();

/** Returns how a query is understood: its expression, or nothing for a question. */
function understood(query: string): string | undefined {
  const { expression } = parseQuery(query);
  return expression && expressionText(expression);
}

/** Asserts how queries are understood. */
function areUnderstood(wanted: Readonly<Record<string, string | undefined>>): void {
  deepEqual(Object.fromEntries(Object.keys(wanted).map((query) => [query, understood(query)])), wanted);
}

/** Returns the text that ranks. */
function words(query: string): string {
  return parseQuery(query).text;
}

/** Returns the mask of a query as zeros and ones, one for each chunk. */
function mask(reader: IndexReader, query: string): string {
  const parsed = parseQuery(query);
  const filter = filterFor({ ...parsed, filters: [parsed.filters] })?.(new BlobIndex(reader));
  return filter === undefined ? "all" : chunkMask(reader, () => tokenizer, filter).join("");
}

/** Asserts which chunks queries find: a one for each chunk that is found. */
function areFound(reader: IndexReader, wanted: Readonly<Record<string, string>>): void {
  deepEqual(Object.fromEntries(Object.keys(wanted).map((query) => [query, mask(reader, query)])), wanted);
}

/** Returns the message key of a wrong query, and the column. */
function complaint(query: string): [string, unknown] {
  try {
    parseQuery(query);
  } catch (error) {
    if (error instanceof UserError) return [error.key, error.params["column"]];
    throw error;
  }
  return ["nothing", undefined];
}

Deno.test("AND, OR and NOT between words make a query boolean; neighbours are joined by AND", () => {
  areUnderstood({
    "budget AND plan OR cost": "budget AND plan OR cost",
    "budget plan OR NOT draft cost": "budget AND plan OR NOT draft AND cost",
    "budget AND (plan OR cost) NOT (draft OR old)": "budget AND (plan OR cost) AND NOT (draft OR old)",
    "python NOT java": "python AND NOT java",
    'budget OR "annual report" -draft': 'budget OR "annual report" AND NOT draft',
    "预算 AND （成本 OR “年度 报告”） -草稿": '预算 AND (成本 OR "年度 报告") AND NOT 草稿',
    "季度（预算 OR 成本）汇总": "季度 AND (预算 OR 成本) AND 汇总",
  });
  equal(words("budget AND (plan OR NOT (cost OR NOT ink)) -draft"), "budget plan ink");
});

Deno.test("NEAR/n, a prefix and brackets around operators make a query boolean", () => {
  areUnderstood({
    "plan NEAR/5 budget": "plan NEAR/5 budget",
    'NOT a NEAR/2 "b c" NEAR/0 de* OR e': 'NOT (a NEAR/2 "b c" AND "b c" NEAR/0 de*) OR e',
    "encod* utf": "encod* AND utf",
    "(TCP AND UDP) ROUTING": "TCP AND UDP AND ROUTING",
  });
});

Deno.test("filters and fields are conditions of a boolean query", () => {
  areUnderstood({
    "(tag:a,b OR title:budget) AND path:docs -type:md heading:“Q1 plan” cost":
      "(tag:a,b OR title:budget) AND path:docs AND -type:md AND heading:“Q1 plan” AND cost",
    "cost AND -created:2024..2025": "cost AND NOT created:2024..2025",
  });
  deepEqual(parseQuery("tag:a OR cost").filters, parseQuery("cost").filters);
});

Deno.test("a field in a question is a condition, and the rest stays a question", () => {
  areUnderstood({
    "title:budget how much": "title:budget",
    '-title:"annual report" 标题：预算 章节:成本 多少':
      'NOT title:"annual report" AND 标题：预算 AND 章节:成本',
    "cost -created:2024..2025": "NOT created:2024..2025",
    "cost -meta.version:>=2": "NOT meta.version:>=2",
    "cost -draft path:docs* -type:md": undefined,
  });
  equal(words("title:budget how much"), "budget how much");
});

Deno.test("questions, code and stressed words are no boolean queries", () => {
  for (
    const text of [
      "What does NOT NULL mean",
      "how do I install docker AND kubernetes",
      "docker AND kubernetes?",
      "R AND D",
      "R AND D department",
      "C(2) and main()",
      "the parameter must NOT be empty",
      "column IS NOT NULL",
      "WHAT IS THIS AND THAT",
      "AND gates explained",
      "hotels in Portland OR",
      "SELECT name FROM users WHERE a AND b",
      "if (a AND b) { return c }",
      "a* search algorithm",
      "const char* s = x",
      "**bold** *and* SELECT * 2*3",
      "与门 AND门 NOT门",
      "预算 与 成本 或 计划 非 草稿",
      "Docker AND Kubernetes 有什么区别",
      "AND/OR",
      "clipping planes NEAR/FAR",
      "budget and plan or cost not draft near/5",
    ]
  ) {
    equal(understood(text), undefined, text);
    equal(words(text), text);
  }
});

Deno.test("a wrong query names the column", () => {
  const wanted = {
    "(budget AND plan": ["query_unclosed", 1],
    "预算 AND （成本 OR (计划)": ["query_unclosed", 8],
    "budget AND plan) x": ["query_unopened", 16],
    "budget OR OR plan": ["query_no_operand", 8],
    "budget AND": ["query_no_operand", 8],
    "AND budget OR plan": ["query_no_operand", 1],
    "budget AND ()": ["query_no_operand", 12],
    "budget NEAR/3": ["query_no_operand", 8],
    "(a OR b) NEAR/3 c": ["query_near_group", 10],
    "budget NEAR/x plan": ["query_near_distance", 8],
    "budget NEAR/ plan": ["query_near_distance", 8],
    "预算 NEAR/-1 计划": ["query_near_distance", 4],
    "a NEAR/3 title:b": ["query_near_group", 3],
    "😀 budget AND x*": ["query_prefix_short", 14],
    "NOT draft": ["query_without_words", undefined],
    "path:docs AND NOT draft": ["query_without_words", undefined],
    "budget AND created:soon": ["query_bad_date", undefined],
  };
  deepEqual(Object.fromEntries(Object.keys(wanted).map((query) => [query, complaint(query)])), wanted);
});

Deno.test("hostile queries are refused", () => {
  deepEqual(complaint(Array(10_000).fill("a").join(" OR ")), ["query_too_complex", 1001]);
  deepEqual(complaint(`${"(".repeat(10_000)}a AND b${")".repeat(10_000)}`), ["query_too_complex", 51]);
  deepEqual(complaint(`b AND ${"NOT ".repeat(10_000)}a`), ["query_too_complex", 207]);
  equal(understood(`${"(".repeat(50)}a AND b${")".repeat(50)}`), "a AND b");
  for (
    const sign of [
      "type：",
      "tag：",
      "-a：",
      "：",
      "“",
      '"',
      "(",
      "（",
      ")",
      "-",
      "AND ",
      "a*",
      "*",
      "x(",
      "meta.",
    ]
  ) {
    // Any answer will do, if it comes soon.
    complaint(`a AND b ${sign.repeat(1000)}`);
    complaint(`${sign.repeat(1000)} a AND b`);
  }
});

Deno.test("two operands have the truth tables of AND, OR and NOT", async () => {
  // The chunks hold: neither, b, a, both.
  using reader = await buildIndex([file("1", ["zero", "bees", "apple", "apples bee"])]);
  areFound(reader, {
    "apple AND bee": "0001",
    "apple bee AND bee": "0001",
    "apple OR bee": "0111",
    "apple NOT bee": "0010",
    "apple OR NOT bee": "1011",
    "apple OR bee -(apple bee)": "0111",
    "(apple OR bee) AND NOT (apple AND bee)": "0110",
    "apple OR bee OR NOT (apple OR bee)": "1111",
  });
});

Deno.test("three operands have the truth tables of their precedence", async () => {
  // The chunks hold: none, c, b, bc, a, ac, ab, abc.
  const texts = Array.from(
    { length: 8 },
    (_, i) => `x${i & 4 ? " 苹果" : ""}${i & 2 ? " 桥" : ""}${i & 1 ? " cat" : ""}`,
  );
  using reader = await buildIndex([file("1", texts)]);
  areFound(reader, {
    "苹果 OR 桥 AND cat": "00011111",
    "（苹果 OR 桥） AND cats": "00010101",
    "苹果 AND 桥 OR cat": "01010111",
    "苹果 AND NOT 桥 OR cat": "01011101",
    "苹果 AND NOT (桥 OR cat)": "00001000",
    "苹果 OR NOT 桥 cat": "01001111",
    "苹果 桥 cat OR NOT x": "00000001",
  });
});

Deno.test("NEAR/n counts the words between, in either order; a Chinese character is a word", async () => {
  using reader = await buildIndex([file("1", [
    "plan the budget",
    "budgets: one, two, three plans",
    "plan",
    "planned\n\nbudget",
    "预算和年度计划",
    "计划。预算",
    "getUserName a b c don't",
    "version 1.13 of C++ for e-mail",
  ])]);
  areFound(reader, {
    "plan NEAR/0 budget": "00010000",
    "plan NEAR/1 budget": "10010000",
    "budget NEAR/3 plan": "11010000",
    "plan NEAR/99 plan": "00000000",
    "预算 NEAR/2 计划": "00000100",
    "预算 NEAR/3 计划": "00001100",
    '预算 NEAR/1 "年度计划"': "00001000",
    "user NEAR/3 don't": "00000010",
    "user NEAR/2 don't": "00000000",
    'C++ NEAR/1 "e mail"': "00000001",
    "version NEAR/0 1.13": "00000001",
    "vers* NEAR/2 C++": "00000001",
  });
});

Deno.test("NEAR/n counts from every place of a phrase, also from one that begins within another", async () => {
  using reader = await buildIndex([
    file("1", ["more more more plan", "预预预 plan", "plan more more more", "more plan"]),
  ]);
  areFound(reader, {
    '"more more" NEAR/0 plan': "1010",
    '"more more" NEAR/1 plan': "1010",
    "预预 NEAR/0 plan": "0100",
  });
});

Deno.test("the words of two phrases of a NEAR/n do not overlap, also where each begins within itself", async () => {
  using reader = await buildIndex([file("1", ["more more more more", "more more more more more"])]);
  areFound(reader, { '"more more more" NEAR/0 "more more"': "01" });
});

Deno.test("a prefix finds words as they are written, parts of identifiers among them", async () => {
  using reader = await buildIndex([file("1", [
    "Encoding",
    "universities",
    "universal",
    "happily happy",
    "hoping",
    "hope",
    "getUserName",
    "Über café",
    "预算编制",
  ])]);
  areFound(reader, {
    "encod*": "100000000",
    "encodings*": "000000000",
    "univers*": "011000000",
    "universit*": "010000000",
    "happi*": "000100000",
    "happy*": "000100000",
    "hope* OR xx": "000001000",
    "USER* x OR getu*": "000000100",
    "uber* CAF*": "000000010",
    "预算* OR xx": "000000001",
  });
});

Deno.test("a prefix that stands for too many words is refused when it is looked for", async () => {
  const many = Array.from(
    { length: 2100 },
    (_, i) => `ab${i.toString(26).replace(/\d/g, (d) => "qrstuvwxyz"[Number(d)]!)}zq`,
  );
  using reader = await buildIndex([file("1", [many.join(" ")])]);
  let key = "";
  try {
    mask(reader, "ab* OR cd");
  } catch (error) {
    key = (error as UserError).key;
  }
  equal(key, "query_prefix_many");
});

Deno.test("title: and heading: look in the title and in single headings", async () => {
  const text = (section: string[]) =>
    chunk("budget", { context: [...section, "Annual report", "2024 plan"].join("\n\n"), section });
  using reader = await buildIndex([
    {
      path: "2024 plan.md",
      title: "Annual report",
      chunks: [text(["Cost plan"]), { ...text(["Cost", "Plans"]), start: 9, end: 15 }],
    },
    file("annual.md", ["budget"]),
  ]);
  areFound(reader, {
    "title:annual": "110",
    "title:reports AND budget": "110",
    'title:"annual report"': "110",
    "title:2024 OR title:annu*": "110",
    'heading:"cost plan"': "100",
    "heading:plan -heading:cost": "000",
    'budget AND "annual report"': "110",
    'budget AND NOT "annual report"': "001",
  });
});

/** An expression of the property below, and whether a chunk of it passes. */
interface Case {
  readonly query: string;
  readonly passes: (
    ...of: readonly [parts: readonly string[], title: string, headings: readonly string[]]
  ) => boolean;
}

/** The lemmas of the corpus with their forms. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  plan: ["plan", "plans", "planning"],
  budget: ["budget", "budgets"],
  encode: ["encode", "encoded", "encoding"],
  happy: ["happy"],
};
const ENGLISH = Object.values(FORMS).flat();

/** Returns the words of a text, and its Chinese characters as words. */
function tokensOf(text: string): string[] {
  return text.match(/[a-z]+|\p{Script=Han}/gu) ?? [];
}

/** Returns the numbers of the first and the last word of each place where `wanted` matches one word after the other. */
function places(text: string, wanted: readonly ((word: string) => boolean)[]): (readonly [number, number])[] {
  const tokens = tokensOf(text);
  return tokens.flatMap((_, at) =>
    wanted.every((test, i) => tokens[at + i] !== undefined && test(tokens[at + i]!))
      ? [[at, at + wanted.length - 1] as const]
      : []
  );
}

interface Leaf {
  readonly typed: string;
  readonly wanted: readonly ((word: string) => boolean)[];
}

const same = (word: string) => (other: string) => other === word;
const lemma: fc.Arbitrary<Leaf> = fc.constantFrom(...Object.entries(FORMS)).chain(([, forms]) =>
  fc.constantFrom(...forms).map((typed) => ({ typed, wanted: [(word: string) => forms.includes(word)] }))
);
const prefix: fc.Arbitrary<Leaf> = fc.constantFrom(...ENGLISH).chain((word) =>
  fc.integer({ min: 2, max: word.length }).map((length) => {
    const beginning = word.slice(0, length);
    return { typed: `${beginning}*`, wanted: [(other: string) => other.startsWith(beginning)] };
  })
);
const phrase: fc.Arbitrary<Leaf> = fc.array(fc.constantFrom(...ENGLISH), { minLength: 1, maxLength: 2 })
  .map((words) => ({ typed: `"${words.join(" ")}"`, wanted: words.map(same) }));
const chinese: fc.Arbitrary<Leaf> = fc.array(fc.constantFrom(..."预算成本"), { minLength: 1, maxLength: 3 })
  .map((characters) => ({ typed: characters.join(""), wanted: characters.map(same) }));
const leaf = fc.oneof(lemma, prefix, phrase, chinese);

const single: fc.Arbitrary<Case> = leaf.map(({ typed, wanted }) => ({
  query: typed,
  passes: (parts) => parts.some((part) => places(part, wanted).length > 0),
}));
const near: fc.Arbitrary<Case> = fc.tuple(leaf, leaf, fc.integer({ min: 0, max: 3 })).map((
  [one, other, distance],
) => ({
  query: `${one.typed} NEAR/${distance} ${other.typed}`,
  passes: (parts) =>
    parts.some((part) =>
      places(part, one.wanted).some(([from, to]) =>
        places(part, other.wanted).some(([first, last]) =>
          first > to && first - to - 1 <= distance || from > last && from - last - 1 <= distance
        )
      )
    ),
}));
const within: fc.Arbitrary<Case> = fc.tuple(leaf, fc.boolean()).map(([{ typed, wanted }, inTitle]) => ({
  query: `${inTitle ? "title" : "heading"}:${typed}`,
  passes: (_, title, headings) =>
    (inTitle ? [title] : headings).some((part) => places(part, wanted).length > 0),
}));

const { expression } = fc.letrec<{ expression: Case }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 3, arbitrary: single },
    { weight: 1, arbitrary: near },
    { weight: 1, arbitrary: within },
    {
      weight: 3,
      arbitrary: fc.tuple(tie("expression"), tie("expression"), fc.constantFrom(" AND ", " OR ", " ")).map((
        [a, b, operator],
      ) => ({
        query: `(${a.query}${operator}${b.query})`,
        passes: (...of: Parameters<Case["passes"]>) =>
          operator === " OR " ? a.passes(...of) || b.passes(...of) : a.passes(...of) && b.passes(...of),
      })),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(tie("expression"), fc.constantFrom("NOT (", "-（")).map(([a, not]) => ({
        query: `${not}${a.query})`,
        passes: (...of: Parameters<Case["passes"]>) => !a.passes(...of),
      })),
    },
  ),
}));

/** Texts of English words and Chinese characters, which stand together or apart by a comma. */
const text = fc.array(fc.constantFrom(...ENGLISH.map((word) => ` ${word} `), ..."预算成本预算", "，"), {
  maxLength: 8,
})
  .map((pieces) => pieces.join("").replace(/(?<=\p{Script=Han})，+(?=\p{Script=Han})/gu, "，和，"));

const corpus: fc.Arbitrary<TestFile[]> = fc.array(
  fc.record({
    title: text,
    chunks: fc.array(fc.record({ text, section: fc.array(text, { maxLength: 2 }) }), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  { minLength: 1, maxLength: 3 },
).map((files) =>
  files.map(({ title, chunks }, number) => ({
    path: `${number}`,
    title,
    chunks: chunks.map(({ text, section }, i) =>
      chunk(`${text}.`, { start: i * 1000, section, context: [...section, title, `${number}`].join("\n\n") })
    ),
  }))
);

Deno.test("any boolean query finds the chunks that a plain scan finds", async () => {
  await fc.assert(
    fc.asyncProperty(corpus, fc.array(expression, { minLength: 1, maxLength: 12 }), async (files, cases) => {
      using reader = await buildIndex(files);
      for (const { query, passes } of cases) {
        // `zero` makes every query boolean and gives it a word to rank by; no text has it.
        const wanted = files.flatMap(({ title, path, chunks }) =>
          chunks.map(({ text, section }) => passes([text, ...section, title!, path], title!, section) ? 1 : 0)
        ).join("");
        equal(mask(reader, `${query} OR zero`), wanted, query);
      }
    }),
    fuzz(150),
  );
});
