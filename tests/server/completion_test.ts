import { deepEqual, equal } from "node:assert/strict";
import { file, libraryOf } from "./resources/_documents.ts";
import { ROOT, startSession } from "./_session.ts";

const TEMPLATE = { type: "ref/resource", uri: "muxue://{collection}/{+path}{?lines}" };
const prompt = (name: string) => ({ type: "ref/prompt", name });

async function complete(ref: object, name: string, value: string, more = {}) {
  const library = libraryOf({
    [ROOT]: [file("tea.md"), file("guide/green tea.md"), file("guide/100% cocoa?.md")],
    [`${ROOT}2/Work`]: [file("tea.md"), file("steam.md")],
  });
  await using session = await startSession({ library, language: "en" });
  const answer = await session.request("completion/complete", { ref, argument: { name, value }, ...more });
  return answer.error ?? answer.result.completion;
}

Deno.test("collections and paths of the template are completed: first the beginning, then the file's name, then any part", async () => {
  deepEqual(await complete(TEMPLATE, "collection", "w"), { values: ["Work"], total: 1, hasMore: false });
  deepEqual((await complete(TEMPLATE, "path", "TEA")).values, [
    "tea.md",
    "tea.md",
    "guide/green tea.md",
    "steam.md",
  ]);
  const chosen = { context: { arguments: { collection: "work" } } };
  deepEqual((await complete(TEMPLATE, "path", "tea", chosen)).values, ["tea.md", "steam.md"]);
  deepEqual((await complete(TEMPLATE, "path", "guide/1")).values, ["guide/100%25 cocoa%3F.md"]);
  deepEqual((await complete(TEMPLATE, "lines", "1")).values, []);
});

Deno.test("arguments of prompts are completed with folders and documents", async () => {
  deepEqual((await complete(prompt("summarise_folder"), "folder", "")).values, [
    "notes",
    "Work",
    `${ROOT}/guide`,
  ]);
  deepEqual(
    (await complete(prompt("compare_documents"), "first", "tea")).values,
    [
      `${ROOT}/tea.md`,
      "guide/green tea.md",
      `${ROOT}2/Work/tea.md`,
      "steam.md",
    ].sort((a, b) => Number(!/\/tea/.test(a)) - Number(!/\/tea/.test(b))),
  );
  deepEqual((await complete(prompt("answer_with_citations"), "question", "a")).values, []);
});

Deno.test("at most 100 values come in one answer, with the number of all", async () => {
  const library = libraryOf({ [ROOT]: Array.from({ length: 250 }, (_, i) => file(`${i}.md`)) });
  await using session = await startSession({ library });
  const { result } = await session.request("completion/complete", {
    ref: TEMPLATE,
    argument: { name: "path", value: "" },
  });
  const { values, total, hasMore } = result.completion;
  deepEqual([values.length, total, hasMore], [100, 250, true]);
});

Deno.test("an unknown prompt or template is refused", async () => {
  equal((await complete(prompt("nothing"), "a", "")).code, -32602);
  equal((await complete({ type: "ref/resource", uri: "file:///{path}" }, "path", "")).code, -32602);
});
