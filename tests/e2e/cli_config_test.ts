import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { folderOfNotes, muxueRag, sandbox } from "../cli/_muxue_rag.ts";

Deno.test("a bad configuration stops every command with exit code 2 and the position of each problem", async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  await Deno.writeTextFile(
    join(place.path, "my.yaml"),
    "language: en\nsearch:\n  top_k: many\n  fuson: rrf\n",
  );
  for (const args of [["--dir", dir], ["search", "soup", "--dir", dir], ["config", "check"]]) {
    const run = await muxueRag(place, [...args, "--config", "my.yaml"]);
    deepEqual([run.code, run.stdout], [2, ""]);
    match(run.stderr, /^Error: The configuration has 2 problems:\nmy\.yaml:3:10 search\.top_k: /);
    match(run.stderr, /\nmy\.yaml:4:3 search\.fuson: unknown key; did you mean search\.fusion\?/);
  }
  const json = await muxueRag(place, ["config", "check", "--json", "-c", "my.yaml"]);
  equal(json.code, 2);
  equal(JSON.parse(json.stdout).data.problems.length, 2);
});

Deno.test("a missing configuration file is a usage error", async () => {
  await using place = await sandbox();
  const run = await muxueRag(place, ["config", "check", "--config", "none.yaml"]);
  deepEqual([run.code, run.stdout], [2, ""]);
  match(run.stderr, /^错误：配置文件 none\.yaml 不存在/);
});

Deno.test("config check shows the values in effect (flag over environment over file) and masks secrets", async () => {
  await using place = await sandbox();
  await Deno.writeTextFile(
    join(place.path, "config.yaml"),
    "search:\n  top_k: 3\n  alpha: 0.5\nembedding:\n  api_key: sk-very-secret-key\n",
  );
  const env = { MUXUE_RAG_SEARCH_TOP_K: "7" };
  const run = await muxueRag(place, ["config", "check", "--json", "--language", "en"], { env });
  equal(run.code, 0, run.stderr);
  const { message, data } = JSON.parse(run.stdout);
  const { language, search, embedding } = data.config;
  deepEqual([language, search.top_k, search.alpha, embedding.api_key], ["en", 7, 0.5, "****"]);
  equal(message, `The configuration is valid. Source: ${join(place.path, "config.yaml")}`);
  const text = await muxueRag(place, ["config", "check"], { env });
  match(text.stdout, /\n {2}top_k: 7\n/);
  equal((run.stdout + run.stderr + text.stdout + text.stderr).includes("very-secret"), false);
});

Deno.test("config init writes the commented defaults once, and again with --force", async () => {
  await using place = await sandbox();
  const path = join(place.path, "config.yaml");
  const first = await muxueRag(place, ["config", "init"]);
  deepEqual(first, { code: 0, stdout: `已写入默认配置：${path}\n`, stderr: "" });
  equal(
    await Deno.readTextFile(path),
    await Deno.readTextFile(new URL("../../config.yaml", import.meta.url)),
  );
  equal((await muxueRag(place, ["config", "check", "--quiet"])).code, 0);

  await Deno.writeTextFile(path, "language: en\n");
  const second = await muxueRag(place, ["config", "init"]);
  deepEqual([second.code, await Deno.readTextFile(path)], [1, "language: en\n"]);
  equal((await muxueRag(place, ["config", "init", "--force"])).code, 0);
  match(await Deno.readTextFile(path), /#/);
});
