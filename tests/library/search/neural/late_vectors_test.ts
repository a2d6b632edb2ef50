import { deepEqual } from "node:assert/strict";
import { LazyBudget, LazyVectors } from "#library/search/neural_search.ts";
import { TopicModel } from "../../../models/embedding/_topic_models.ts";

const textOf = (text: string) => ({
  hash: new TextEncoder().encode(text),
  text: () => Promise.resolve(text),
});

Deno.test("calls share a budget, and remembered vectors cost nothing of it", async () => {
  const model = new TopicModel("local:en");
  const late = new LazyVectors(model);
  const budget = new LazyBudget();
  const made = async (...texts: string[]) =>
    (await late.of(texts.map(textOf), budget)).map((vector) => vector !== undefined);
  budget.texts = 2;
  deepEqual(await made("cat"), [true]);
  deepEqual(await made("cat", "car", "bread"), [true, true, false]);
  deepEqual(await made("cat", "bread"), [true, false]);
  budget.texts = 2;
  budget.ms = 0;
  deepEqual(await made("cat", "bread"), [true, false]);
  deepEqual(model.texts, ["cat", "car"]);
});
