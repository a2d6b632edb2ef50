import { deepEqual, equal, match, ok } from "node:assert/strict";
import { basename, join } from "node:path";
import { testModel } from "../models/neural/_models.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { makeSandbox, type Sandbox, smokeTest, type Start, writeFiles } from "./_program.ts";

const FILES = {
  "garage.md": "# Garage\n\nMy automobile refuses to start when the temperature drops below zero.\n",
  "kitchen.md": "# Kitchen\n\nLet the dough rest for an hour before you bake the loaf.\n",
  "health.md": "# Health\n\nThe physician prescribed tablets against hypertension.\n",
  "旅行.md": "# 旅行\n\n飞机晚点三个小时，我们在候机楼里等到半夜。\n",
  "天气.md": "# 天气\n\n明天有雷阵雨，出门请带伞。\n",
};
/** A question that shares no word with the text it is about. */
const QUESTION = "what medicine did the doctor give for high blood pressure";

/** A sandbox whose configuration names local models. */
async function withModels(languages: readonly ("zh" | "en")[], start?: Start): Promise<Sandbox> {
  const sandbox = await makeSandbox(FILES, start && { start });
  const local: Record<string, object> = {};
  for (const language of languages) {
    const path = await testModel(language);
    local[language] = language === "zh" ? { path, pooling: "cls" } : { path };
  }
  await configure(sandbox, { provider: "local", local });
  return sandbox;
}

function configure({ cwd }: Sandbox, embedding: object): Promise<void> {
  return writeFiles(cwd, { "config.json": JSON.stringify({ language: "en", embedding }) });
}

const flagsFor = ({ cwd, folder }: Sandbox) => ["--dir", folder, "--config", join(cwd, "config.json")];

smokeTest(
  "index --wait makes the vectors of local models, and searches understand questions",
  async (start, t) => {
    await using sandbox = await withModels(["zh", "en"], start);
    const flags = flagsFor(sandbox);

    await t.step("an index without them answers, and says that they are missing", async () => {
      const { code, stdout, stderr } = await sandbox.run`${flags}`;
      deepEqual([code, stderr.includes("index ") && stderr.includes("--wait")], [0, true], stderr);
      match(stdout, /Indexed: /);
      const again = await sandbox.run`${flags}`;
      match(again.stdout, /The index is up to date/);
      match(again.stderr, /to make them now, run: muxue_rag index .* --wait/);
      const asked = await sandbox.run`search ${QUESTION} ${flags} --json`;
      match(asked.stdout, /Vectors of the local model for .*: 0 %/);
    });
    await t.step("--wait makes all of them", async () => {
      const { code, stdout, stderr } = await sandbox.run`index --wait ${flags}`;
      equal(code, 0, stderr);
      match(stdout, /Vectors of the model: (\d+) of \1\n/);
      match(stderr, /Making \d+ vectors of the local models for /);
      const { data } = JSON.parse((await sandbox.run`index --wait ${flags} --json`).stdout);
      deepEqual([data.vectors.embedded, data.vectors.done], [0, data.vectors.total]);
      equal((await sandbox.run`${flags}`).stderr.includes("--wait"), false);
    });
    await t.step("status counts them", async () => {
      const { stdout } = await sandbox.run`status ${flags}`;
      const names = (await Promise.all((["zh", "en"] as const).map(testModel))).map((path) => basename(path));
      equal(/Model vectors +(.*): (\d+)\/\2 \(100 %\)/.exec(stdout)?.[1], names.join(", "));
    });
    await t.step("questions find texts that share no word with them, in both languages", async () => {
      const questions = { [QUESTION]: "health.md", "航班延误": "旅行.md", "vehicle in winter": "garage.md" };
      for (const [query, file] of Object.entries(questions)) {
        const { stdout, code } = await sandbox.run`search ${query} ${flags} --json`;
        const { data, message } = JSON.parse(stdout);
        equal(code, 0);
        ok(data.match_content[0].file_path.endsWith(file), `${query}: ${stdout.slice(0, 400)}`);
        ok(!message.includes("local model"), message);
      }
    });
    await t.step("reembed makes them again", async () => {
      const { data } = JSON.parse((await sandbox.run`reembed ${flags} --json`).stdout);
      equal(data.vectors.embedded, data.vectors.total);
    });
    await t.step("doctor tries each model", async () => {
      const { code, stdout } = await sandbox.run`doctor ${flags}`;
      equal(code, 0, stdout);
      match(stdout, /local/);
    });
  },
);

Deno.test("a server makes the vectors of local models in the background, also for files that come later", async () => {
  await using sandbox = await withModels(["en"]);
  await using pipe = await openPipe(sandbox, flagsFor(sandbox));
  const isComplete = (file: string) => (text: string) =>
    text.split("\n").some((line) => line.includes(file)) && !text.includes("Vectors of the local model");
  await pipe.searchUntil(QUESTION, isComplete("health.md"));
  await Deno.writeTextFile(join(sandbox.folder, "sea.md"), "# Sea\n\nThe vessel was moored at the quay.\n");
  await pipe.searchUntil("ship tied up in the harbour", isComplete("sea.md"));
  const { code, stderr } = await pipe.end();
  equal(code, 0, stderr);
});

Deno.test("without a model the program works as without the setting, and says how to get one", async () => {
  await using sandbox = await makeSandbox(FILES);
  await configure(sandbox, { provider: "local" });
  const { code, stdout, stderr } = await sandbox.run`search automobile ${flagsFor(sandbox)}`;
  equal(code, 0, stderr);
  match(stdout, /garage\.md/);
  match(stderr, /muxue_rag model install/);
});
