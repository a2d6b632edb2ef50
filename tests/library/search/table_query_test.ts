import { deepEqual, equal, throws } from "node:assert/strict";
import { readDocument } from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { queryTable, type ServedDocument, type TableQuery } from "#library/search/mod.ts";

async function served(text: string, path: string): Promise<ServedDocument> {
  const { document, format } = await readDocument(new TextEncoder().encode(text), { path });
  const sha256 = "0".repeat(64);
  return { document, format, path, name: path, sha256, size: text.length, modified: new Date(0) };
}

const PRICES = await served(
  `Part,Price,City,Since,Share\n` +
    `pump,"1,234.50",北京,2024-01-18,12%\n` +
    `hose,15,Bath,18 Mar 2023,5%\n` +
    `,,,,\n` +
    `VALVE,n/a,,2024年2月1日,\n` +
    `filter,９８,北京,2022-12-31,30%\n`,
  "prices.csv",
);

/** The first cells of the rows that a query gives, or their numbers in the sheet. */
const parts = (query: TableQuery, document = PRICES) =>
  queryTable(document, query).rows.map(({ cells }) => cells[0]).join(" ");

Deno.test("numbers and dates are compared as such, however they are written", () => {
  equal(parts({ where: { Price: { gte: 98 } } }), "pump filter");
  equal(parts({ where: { price: 1234.5 } }), "pump");
  equal(parts({ where: { Price: { lt: "1,000" } } }), "hose filter");
  equal(parts({ where: { Share: { gt: 10 } } }), "pump filter");
  equal(parts({ where: { Since: { gte: "2024-01-18" } } }), "pump VALVE");
  equal(parts({ where: { Since: "January 18, 2024" } }), "pump");
  equal(parts({ where: { Since: { gte: "2023", lt: "2024-02" } } }), "pump hose");
  for (const month of ["2024-02", "2024/2", "2024年2月", "２０２４ 年 02 月"]) {
    equal(parts({ where: { Since: month } }), "VALVE");
  }
  equal(parts({ where: { Since: { lt: "2023年" } } }), "filter");
});

Deno.test("texts are compared without case; conditions can be lists, parts of texts, and missing cells", () => {
  equal(parts({ where: { part: "valve" } }), "VALVE");
  equal(parts({ where: { City: ["北京", "Bath"] } }), "pump hose filter");
  equal(parts({ where: { City: "北京", Price: { in: [98, 99] } } }), "filter");
  equal(parts({ where: { Part: { contains: "L" } } }), "VALVE filter");
  equal(parts({ where: { City: { missing: true } } }), "VALVE");
  equal(parts({ where: { City: { ne: "北京", missing: false } } }), "hose");
});

Deno.test("rows have their numbers in the sheet, chosen columns and an order", () => {
  const { columns, rows } = queryTable(PRICES, {
    where: { City: "北京" },
    columns: ["price", "Part"],
    orderBy: "Price",
  });
  deepEqual(columns, ["Price", "Part"]);
  deepEqual(rows, [{ cells: ["９８", "filter"], line: 6, row: 6 }, {
    cells: ["1,234.50", "pump"],
    line: 3,
    row: 2,
  }]);
  equal(parts({ orderBy: "-Price" }), "pump filter hose VALVE");
  equal(parts({ orderBy: "Since" }), "filter hose pump VALVE");
});

const NOTES = await served(
  "# Stock\n\n| Part | *Count* |\n|---|---|\n| [pump](https://x) | **3** |\n\n```\n| a | b |\n|---|---|\n```\n\n" +
    "# Sales\n\nQuarter | Sum\n--- | ---\nQ1 | 5\\|6\n\n| Region | 2023 | 2023 |\n| --- | --- | --- |\n| Region | Q1 | Q2 |\n| North | 1 | 2 |\n",
  "notes.md",
);

Deno.test("a table is found by number, heading or the columns that only it has; a head may have two rows", () => {
  deepEqual(queryTable(NOTES, { table: 1 }).rows, [{ cells: ["pump", "3"], line: 5 }]);
  equal(parts({ table: "stock" }, NOTES), "pump");
  deepEqual(queryTable(NOTES, { where: { Quarter: "Q1" } }).rows[0]!.cells, ["Q1", "5|6"]);
  deepEqual(queryTable(NOTES, { table: 3 }).columns, ["Region", "2023 Q1", "2023 Q2"]);
  equal(parts({ where: { "2023 Q2": { gt: 1 } } }, NOTES), "North");
});

Deno.test("of several tables with the columns the one with rows that match is meant", async () => {
  const tables = [
    "| Package | Size |\n|---|---|\n| apt | 5 |\n",
    "| Package | Size |\n|---|---|\n| isag | 106 |\n| apt | 7 |\n",
  ];
  const packages = await served(tables.join("\ntext\n\n"), "packages.md");
  deepEqual(queryTable(packages, { where: { Package: "isag" } }).number, 2);
  for (const where of [{ Package: "apt" }, { Package: "none" }]) {
    throws(() => queryTable(packages, { where }), { key: "table_not_named" });
  }
});

Deno.test("errors say which tables and columns there are", () => {
  const failing = (
    query: TableQuery,
    document: ServedDocument,
    key: string,
    params: Record<string, string>,
  ) =>
    throws(() => queryTable(document, query), (error: UserError) => {
      deepEqual([error.key, error.params], [key, params]);
      return true;
    });
  const all = '1 "Stock" (Part, Count)\x002 "Sales" (Quarter, Sum)\x003 "Sales" (Region, 2023 Q1, 2023 Q2)';
  failing({}, NOTES, "table_not_named", { tables: all });
  failing({ table: "Salse" }, NOTES, "table_unknown", { table: "Salse", tables: all, nearest: "Sales" });
  failing({ where: { Pirce: 1 } }, PRICES, "table_no_such_column", {
    column: "Pirce",
    tables: "1 (Part, Price, City, Since, Share)",
    nearest: "Price",
  });
  const known = "eq, ne, gt, gte, lt, lte, contains, in, missing";
  for (const condition of [{ above: 1 }, null, { gt: null }, { in: 1 }, { missing: "yes" }, [{}]]) {
    failing({ where: { Price: condition } }, PRICES, "table_bad_condition", { column: "Price", known });
  }
});

Deno.test("a table that goes on over pages is one; marks repeated 200,000 times take linear time", async () => {
  const pages = [1, 2, 3].map((number) => `| Nr | Name |\n|---|---|\n| ${number} | n${number} |\n`);
  const text = pages.join("\n");
  const starts = [0, pages[0]!.length + 1, pages[0]!.length + pages[1]!.length + 2];
  const document = {
    text,
    sections: [],
    pages: starts.map((start, i) => ({ number: i + 1, start, end: text.length })),
  };
  equal(parts({}, { ...NOTES, document, format: "pdf" }), "1 2 3");
  for (
    const mark of [
      "|",
      "| ",
      "|-",
      "\\|",
      "[",
      "*a ",
      "`",
      "|\n",
      "|a|\n|-|\n|b|\n\n",
      " |",
      "|-|\n",
      "[a](",
      "- |",
    ]
  ) {
    const { document } = await served(`a|b\n-|-\n${mark.repeat(200_000)}`, "a.md");
    try {
      queryTable({ ...NOTES, document }, { table: 1, where: { a: { gt: 1 } } });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
    }
  }
});

Deno.test("short rows below a head of very many columns take only the memory of their own cells", async () => {
  const count = 30_000;
  const head = `${"|a".repeat(count)}\n${"|-".repeat(count)}\n`;
  const wide = await served(`${head}${"|x|y\n".repeat(count)}`, "a.md");
  const { columns, rows } = queryTable(wide, { where: { a: "x", "a (3)": { missing: true } } });
  deepEqual([columns.length, rows.length, rows.at(-1)!.cells], [count, count, ["x", "y"]]);
  deepEqual(queryTable(wide, { columns: ["a (2)", "a (3)"] }).rows[0]!.cells, ["y", ""]);
  deepEqual((await served("|a|\n|-|\n|x|y|\n", "a.md").then((one) => queryTable(one, {}))).rows[0]!.cells, [
    "x",
  ]);
});
