import { equal } from "node:assert/strict";
import { nearest } from "#foundation/configuration/mod.ts";

Deno.test("nearest() returns the most similar word, or undefined", () => {
  const words = ["search", "serve", "status", "clean"];
  equal(nearest("serch", words), "search");
  equal(nearest("stat", words), "status");
  equal(nearest("claen", words), "clean");
  equal(
    nearest("dosc", ["desk", "docs"]),
    "docs",
    "two neighbouring letters that changed places are one mistake",
  );
  equal(nearest("xyz", words), undefined);
  equal(nearest("docs", words), undefined);
  equal(nearest("", words), undefined);
});

Deno.test("nearest() ignores case style and prefers an exact match to a longer name", () => {
  equal(nearest("topK", ["top_n", "top_k"]), "top_k");
  equal(nearest("--TOP_K", ["--top-n", "--top-k"]), "--top-k");
  equal(nearest("model", ["model_name", "model"]), "model");
});
