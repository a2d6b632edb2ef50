import { deepEqual, equal, throws } from "node:assert/strict";
import { join } from "node:path";
import { localDay, openLanguageModel, TokenBudget, usedToday } from "#models/language/mod.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";
import { llmConfig, outcome, REQUEST } from "./_model.ts";
import { LanguageServer } from "./_servers/mod.ts";

const NO_LIMITS = { "run_tokens": null, "day_tokens": null, "input_price": null, "output_price": null };
const usage = (inputTokens: number, outputTokens: number) => ({
  ...{ inputTokens, outputTokens },
  ...{ isEstimated: false, calls: 1 },
});

Deno.test("a run takes no more tokens than its limit: what was reserved counts until it is settled", () => {
  using folder = new TempDir();
  const budget = new TokenBudget({ ...NO_LIMITS, "run_tokens": 1000 }, folder.path);
  budget.reserve(600);
  throws(() => budget.reserve(500), { key: "llm_budget_run", params: { limit: 1000 } });
  budget.settle(600, usage(300, 100));
  budget.reserve(500);
  budget.settle(500, usage(500, 100));
  throws(() => budget.reserve(1), { key: "llm_budget_run" });
  deepEqual([...Deno.readDirSync(folder.path)], [], "no ledger without a limit of a day");
});

Deno.test("processes share the limit of a day, and one that ends before its answer has used what it reserved", () => {
  using folder = new TempDir();
  const path = join(folder.path, "usage");
  const limits = { ...NO_LIMITS, "day_tokens": 1000 };
  const [one, two] = [new TokenBudget(limits, path), new TokenBudget(limits, path)];
  one.reserve(400);
  two.reserve(400);
  throws(() => one.reserve(300), { key: "llm_budget_day", params: { limit: 1000 } });
  two.settle(400, usage(50, 50));
  one.reserve(300);
  equal(usedToday(path), 800);
  throws(() => new TokenBudget(limits, path).reserve(201), { key: "llm_budget_day" });
  new TokenBudget(limits, path).reserve(200);
});

Deno.test("the ledgers of other days do not count and are removed; lines that are no numbers do not count", () => {
  using folder = new TempDir();
  const today = localDay();
  Deno.writeTextFileSync(join(folder.path, "2020-01-01.txt"), "1000\n");
  Deno.writeTextFileSync(join(folder.path, "notes.txt"), "1000\n");
  const budget = new TokenBudget({ ...NO_LIMITS, "day_tokens": 1000 }, folder.path);
  budget.reserve(500);
  deepEqual([...Deno.readDirSync(folder.path)].map(({ name }) => name).sort(), [`${today}.txt`, "notes.txt"]);
  Deno.writeTextFileSync(join(folder.path, `${today}.txt`), "x\n9e9\n\n-50\n100", { append: true });
  equal(usedToday(folder.path), 450);
});

Deno.test("the day is that of the local time", () => {
  equal(localDay(new Date(2026, 0, 5, 0, 0, 1)), "2026-01-05");
  equal(localDay(new Date(2026, 11, 31, 23, 59, 59)), "2026-12-31");
});

Deno.test("a request whose answer never arrives has used what it might have", async () => {
  using folder = new TempDir();
  await using server = await LanguageServer.start("openai-compatible");
  server.rule = () => "hang";
  const budget = new TokenBudget({ ...NO_LIMITS, "run_tokens": 500 }, folder.path);
  const model = await openLanguageModel(llmConfig(server, { "timeout_seconds": 0.2 }), budget);
  equal(await outcome(model.text({ ...REQUEST, maxOutputTokens: 300 })), "llm_timeout");
  equal(await outcome(model.text({ ...REQUEST, maxOutputTokens: 300 })), "llm_budget_run");
  equal(server.requests.length, 1);
});
