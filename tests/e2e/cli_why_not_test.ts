import { deepEqual, equal, match, ok } from "node:assert/strict";
import { makeIndexed } from "./_program.ts";

const FILES = {
  "service.md": "# Service\n\nThe cooling pump is serviced every six months by the plant team.\n",
  "garden.md": "# Garden\n\nTomatoes like compost.\n",
  "水泵.md": "# 水泵\n\n冷却水泵每六个月由维护小组保养一次。\n",
  "damaged.docx": Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0, 0),
  ".gitignore": "notes/\n",
  "notes/pump.md": "The cooling pump of the notes.\n",
};

Deno.test("why-not prints the gates in the user's language, the one that stopped the file, and what to do", async () => {
  await using place = await makeIndexed(FILES);
  const at = { cwd: place.folder, env: { MUXUE_RAG_LANGUAGE: "en" } };
  const en = await place.runIn(at)`why-not ${"cooling pump"} garden.md`;
  deepEqual([en.code, en.stderr], [1, ""]);
  match(
    en.stdout,
    /^garden\.md:1-3\n {2}✓ found\n {2}✓ read\n {2}✓ indexed {2}1 chunk, [-\d :]+\n {2}✗ words {4}It has no word/,
  );
  match(
    en.stdout,
    /cooling: not there \(elsewhere in 1\); pump: not there \(elsewhere in 1\)\n→ Ask with words of the document/,
  );
  const zh = await place.runIn({ cwd: place.folder })`why-not 水泵 garden.md`;
  match(zh.stdout, /✗ 词语 {2}没有问题中的词，也没有相近的词：水泵：无（别处 1 处）\n→ 用文档中的词提问/);
  const ignored = await place.runIn(at)`why-not pump notes/pump.md:1`;
  match(
    ignored.stdout,
    /✗ found {2}An ignore file leaves it out: notes\/ in line 1 of \.gitignore\n→ Remove or change the rule, or add !notes after it/,
  );
  const read = await place.runIn(at)`why-not pump damaged.docx`;
  match(read.stdout, /✓ found\n {2}✗ read {3}It could not be read: .*damaged/);
});

Deno.test("why-not: a sentence, a mode, a filter, JSON, and a file that is shown", async () => {
  await using place = await makeIndexed(FILES);
  const run = place.runIn({ env: { MUXUE_RAG_LANGUAGE: "en" } });
  const dir = ["--dir", place.folder];
  const shown = await run`why-not ${"cooling pump"} --text ${"is serviced every six months"} ${dir}`;
  deepEqual([shown.code, shown.stderr], [0, ""]);
  match(shown.stdout, /✓ shown .*It is in the answer: hit 1\n$/);
  const json =
    await run`why-not ${"cooling pump"} service.md --filter ${'{"type": "pdf"}'} --mode semantic --json ${dir}`;
  const { code, message, data } = JSON.parse(json.stdout);
  deepEqual([json.code, code, data.gate, data.by, data.hint], [1, 200, "filter", {
    conditions: ["type: pdf"],
  }, "Remove the condition and try again"]);
  equal(message, "conditions: It does not meet: type: pdf");
  ok(data.passed.every(({ name }: { name: string }) => name !== ""));
});

Deno.test("why-not without a file, and with two, is a wrong command line", async () => {
  await using place = await makeIndexed(FILES, { env: { MUXUE_RAG_LANGUAGE: "en" } });
  const dir = ["--dir", place.folder];
  const none = await place.run`why-not pump ${dir}`;
  deepEqual([none.code, none.stdout], [2, ""]);
  match(none.stderr, /Name a file, a chunk or a sentence/);
  const two = await place.run`why-not pump a.md b.md ${dir}`;
  deepEqual(two.code, 2);
  match(two.stderr, /one question and one file/);
});
