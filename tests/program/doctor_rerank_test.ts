import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { RerankServer } from "../models/rerank/_rerank_server.ts";
import { tinyModel } from "../models/rerank/_tiny_model.ts";
import { place } from "./_doctor_place.ts";

Deno.test("doctor has a local reranker judge two passages, and names a file that is missing", async () => {
  await using work = await place();
  await using model = await tinyModel(["tea", "green"]);
  Object.assign(work.env, {
    MUXUE_RAG_EMBEDDING_PROVIDER: "none",
    MUXUE_RAG_RERANK_PROVIDER: "local",
    MUXUE_RAG_RERANK_PATH: model.file,
  });
  const { code, stdout } = await work.run();
  deepEqual(stdout.split("\n").slice(4, 7), [
    "  Reranker       local",
    `  Model          ${model.file}`,
    "  Reranking      ✓ works, T",
  ]);
  equal(code, 0);
  await Deno.remove(join(model.folder, "tokenizer.json"));
  const text = `There is no model at ${model.file} (tokenizer.json is missing). `;
  const failed = await work.run();
  equal(failed.code, 1);
  equal(failed.stdout.split("\n")[6]!.startsWith(`  Reranking      ✗ ${text}`), true, failed.stdout);
  work.env["MUXUE_RAG_LANGUAGE"] = "zh";
  match((await work.run()).stdout, /\n发现问题：重排不可用：.*中没有模型（tokenizer\.json）.*\n$/);
  work.env["MUXUE_RAG_SEARCH_RERANK"] = "false";
  equal((await work.run()).code, 0);
});

Deno.test("doctor asks the reranking server once, and explains a failure", async () => {
  await using work = await place();
  for (const speech of ["jina", "chat"] as const) {
    await using server = await RerankServer.start(speech);
    server.reply = () => '{"1": 9, "2": 1}';
    const { provider, base_url: url, model } = server.config();
    Object.assign(work.env, {
      MUXUE_RAG_EMBEDDING_PROVIDER: "none",
      MUXUE_RAG_RERANK_PROVIDER: provider,
      MUXUE_RAG_RERANK_BASE_URL: url,
      MUXUE_RAG_RERANK_MODEL: model ?? "some-model",
      MUXUE_RAG_RERANK_TIMEOUT_SECONDS: "1",
      MUXUE_RAG_RERANK_API_KEY: "sk-very-secret-0123456789",
    });
    const { code, stdout } = await work.run();
    deepEqual(stdout.split("\n").slice(4, 9), [
      `  Reranker       ${provider}`,
      `  Address        ${url}`,
      `  Model          ${model ?? "some-model"}`,
      "  Key            set",
      "  Reranking      ✓ works, T",
    ]);
    deepEqual([code, server.requests.length], [0, 1]);
    const { data } = JSON.parse((await work.run("--json")).stdout);
    delete data.rerank.milliseconds;
    deepEqual(data.rerank, {
      ...{ provider, ok: true },
      server: { address: url, model: model ?? "some-model", keySet: true },
    });
    server.faults.push("hang", { status: 401, body: "no sk-very-secret-0123456789" });
    match((await work.run()).stdout, /✗ The reranker did not answer within 1 s\. Check it\./);
    const refused = await work.run("--json");
    equal(refused.code, 1);
    match(JSON.parse(refused.stdout).message, /rejected the key \(HTTP 401\)/);
    equal(refused.stdout.includes("very-secret"), false);
  }
});
