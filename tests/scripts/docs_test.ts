import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { pagesOf, stalePages, tablesIn, tablesOf, withTables } from "../../scripts/docs.ts";

Deno.test("the tables of the guide are those of the code", async () => {
  const stale = (await stalePages()).map(({ path }) => path);
  deepEqual(stale, [], "write them again: npx -y deno@2.9.6 task docs");
});

for (const language of ["en", "zh"] as const) {
  Deno.test(`each table stands in one page of the guide (${language})`, async () => {
    const standing = pagesOf(language).flatMap(({ text }) => tablesIn(text));
    deepEqual(standing.sort(), [...(await tablesOf(language)).keys()].sort());
  });
}

Deno.test("a table is written between its marks, and the text around it stays", () => {
  const tables = new Map([["pears", "| a |\n|---|\n| 1 |\n"]]);
  const page = "# Pears\n\n<!-- table: pears -->\nold\n<!-- /table -->\n\nRipe in autumn.\n";
  const fresh = withTables(page, tables);
  equal(
    fresh,
    "# Pears\n\n<!-- table: pears -->\n| a |\n|---|\n| 1 |\n<!-- /table -->\n\nRipe in autumn.\n",
  );
  equal(withTables(fresh, tables), fresh);
});

Deno.test("the name of a table that does not exist is an error that lists the tables", () => {
  const page = "<!-- table: apples -->\n<!-- /table -->\n";
  throws(() => withTables(page, new Map([["pears", ""]])), /There is no table apples. The tables are: pears/);
});

Deno.test("a setting's row has its default, its values and the comment of the configuration file", async () => {
  const search = (await tablesOf("en")).get("settings search")!;
  ok(search.includes("\n| `search.top_k` | `10` | 1 to 100 | "), search);
});

Deno.test("a command's row has its own options, and an option's row what it means with other commands", async () => {
  const tables = await tablesOf("en");
  ok(tables.get("commands")!.includes("\n| `muxue_rag extract <file...>` | "));
  ok(tables.get("commands")!.includes(" | `--page`, `--json` |\n"));
  ok(tables.get("options")!.includes("; `restore`: "));
});
