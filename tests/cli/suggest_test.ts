import { equal } from "node:assert/strict";
import { suggest } from "../../lib/cli/suggest.ts";

Deno.test("suggest() finds the nearest word, and none where all are far", () => {
  const words = ["search", "serve", "status", "clean"];
  equal(suggest("serch", words), "search");
  equal(suggest("stat", words), "status");
  equal(suggest("claen", words), "clean");
  equal(suggest("xyz", words), undefined);
  equal(suggest("docs", words), undefined);
  equal(suggest("", words), undefined);
});
