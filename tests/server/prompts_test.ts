import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { ROOT, type SessionOptions, startSession } from "./_session.ts";
import { file, libraryOf } from "./resources/_documents.ts";

const NAMES = ["answer_with_citations", "compare_documents", "summarise_folder"];

for (const language of ["zh", "en"] as const) {
  Deno.test(`prompts/list describes the prompts and their arguments in ${language}`, async () => {
    await using session = await startSession({ language });
    const { prompts } = (await session.request("prompts/list")).result;
    const inLanguage = language === "zh" ? /\p{Script=Han}/u : /^[^\p{Script=Han}]+$/u;
    for (const prompt of prompts) {
      match(prompt.title, inLanguage);
      match(prompt.description, inLanguage);
      for (const argument of prompt.arguments) match(argument.description, inLanguage);
    }
    deepEqual(
      // deno-lint-ignore no-explicit-any
      prompts.map((prompt: any) => [
        prompt.name,
        // deno-lint-ignore no-explicit-any
        prompt.arguments.map((argument: any) => [argument.name, argument.required]),
      ]),
      [
        ["answer_with_citations", [["question", true], ["collection", false]]],
        ["compare_documents", [["first", true], ["second", true], ["focus", false]]],
        ["summarise_folder", [["folder", true], ["focus", false]]],
      ],
    );
  });
}

Deno.test("prompts/get gives a message of the user in the user's language, with tools that the client has", async () => {
  const args = { question: " How hot is {read}? ", collection: "notes" };
  const textOf = async (options?: SessionOptions) => {
    await using session = await startSession(options);
    const { result } = await session.request("prompts/get", { name: NAMES[0], arguments: args });
    deepEqual(result.messages.map(({ role }: { role: string }) => role), ["user"]);
    return result.messages[0].content.text as string;
  };
  match(
    await textOf(),
    /^Answer this question from my files:\n\nHow hot is \{read\}\?\n\nSearch in: notes\./,
  );
  match(await textOf(), /Search with search_rag\..* with get_document_content and/s);
  match(await textOf({ language: "zh" }), /用 search_rag 检索/);
  const tools = ["search_by_keyword", "read_raw_file"] as const;
  match(
    await textOf({ config: { tools: [...tools] } }),
    /Search with search_by_keyword\..* with read_raw_file and/s,
  );
});

Deno.test("every prompt fills in all of its text", async () => {
  const all: Record<string, Record<string, string>> = {
    "answer_with_citations": { question: "Q" },
    "compare_documents": { first: "a.md", second: "b.md" },
    "summarise_folder": { folder: "notes" },
  };
  for (const language of ["zh", "en"] as const) {
    await using session = await startSession({ language });
    for (const name of NAMES) {
      const { result } = await session.request("prompts/get", { name, arguments: all[name]! });
      equal(/\{\w+\}/.test(result.messages[0].content.text), false);
    }
  }
});

Deno.test("an unknown prompt and wrong arguments are named in a sentence", async () => {
  await using session = await startSession();
  const problem = async (name: string, args?: Record<string, string>) =>
    (await session.request("prompts/get", { name, ...(args && { arguments: args }) })).error;
  deepEqual(await problem("write_poem"), {
    code: -32602,
    message: `There is no prompt called write_poem. The prompts are: ${NAMES.join(", ")}`,
  });
  deepEqual(await problem("compare_documents", { first: "a.md", second: " ", colour: "red" }), {
    code: -32602,
    message: "Invalid arguments of compare_documents: second is required; colour is not an argument",
  });
  deepEqual(await problem("summarise_folder"), {
    code: -32602,
    message: "Invalid arguments of summarise_folder: folder is required",
  });
});

const TEMPLATE = { type: "ref/resource", uri: "muxue://{collection}/{+path}{?lines}" };
const prompt = (name: string) => ({ type: "ref/prompt", name });

async function complete(ref: object, name: string, value: string, more = {}) {
  const library = libraryOf({
    [ROOT]: [file("tea.md"), file("guide/green tea.md"), file("guide/100% cocoa?.md")],
    [`${ROOT}2/Work`]: [file("tea.md"), file("steam.md")],
  });
  await using session = await startSession({ library });
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
    join(ROOT, "guide"),
  ]);
  deepEqual(
    (await complete(prompt("compare_documents"), "first", "tea")).values,
    [
      join(ROOT, "tea.md"),
      "guide/green tea.md",
      join(`${ROOT}2`, "Work", "tea.md"),
      "steam.md",
    ].sort((a, b) => Number(!/[\\/]tea/.test(a)) - Number(!/[\\/]tea/.test(b))),
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
