import { equal } from "node:assert/strict";
import { nearest } from "../../lib/config/mod.ts";

Deno.test("nearest() finds the nearest word, and none where all are far", () => {
  const words = ["search", "serve", "status", "clean"];
  equal(nearest("serch", words), "search");
  equal(nearest("stat", words), "status");
  equal(nearest("claen", words), "clean");
  equal(nearest("xyz", words), undefined);
  equal(nearest("docs", words), undefined);
  equal(nearest("", words), undefined);
});

Deno.test("nearest() takes the ways of writing a name for one, and the name itself before one that begins with it", () => {
  equal(nearest("topK", ["top_n", "top_k"]), "top_k");
  equal(nearest("--TOP_K", ["--top-n", "--top-k"]), "--top-k");
  equal(nearest("model", ["model_name", "model"]), "model");
});
