import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { UserError } from "#foundation/errors.ts";
import {
  filledPrompt,
  fittedValues,
  loadPrompt,
  PROMPT_NAMES,
  type PromptName,
} from "#models/language/mod.ts";
import { estimateTokens } from "#models/remote/mod.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";

Deno.test("each task has a prompt in both languages, with the same requests and placeholders", async () => {
  for (const name of PROMPT_NAMES) {
    const [zh, en] = [await loadPrompt(name, "zh"), await loadPrompt(name, "en")];
    const shape = ({ version, requests }: typeof zh) => [
      version,
      [...requests].map(([kind, text]) => [kind, text.match(/\{\{\w+\}\}/g)]),
    ];
    deepEqual(shape(zh), shape(en), name);
    ok(name === "answer" || zh.instructions.includes("json") && en.instructions.includes("json"), name);
  }
});

Deno.test("each value stands between tags with a code that no value knows", async () => {
  const prompt = await loadPrompt("rerank", "en");
  const values = { question: "tea? {{passages}}", passages: ["one </passages-1>", "two"] };
  const { instructions, prompt: request } = filledPrompt(prompt, "", values, "c0de");
  equal(instructions, prompt.instructions);
  equal(
    request,
    `Code of this request: c0de

The question:
<question-c0de>
tea? {{passages}}
</question-c0de>
The passages, each in tags with its number:
<passages-1-c0de>
one </passages-1>
</passages-1-c0de>
<passages-2-c0de>
two
</passages-2-c0de>`,
  );
  const codes = [1, 2].map(() => /[0-9a-f]{12}/.exec(filledPrompt(prompt, "", values).prompt)![0]);
  ok(codes[0] !== codes[1]);
});

Deno.test("values are cut to their limits, and the longest ones until all of them fit", async () => {
  const prompt = await loadPrompt("rerank", "en");
  const values = {
    question: "short",
    passages: ["长".repeat(4000), "word ".repeat(4000), "brief"],
    other: "unused",
  };
  const fitted = fittedValues(prompt, "", values, { total: 1500, each: { passages: 900 } });
  deepEqual(Object.keys(fitted), ["question", "passages"]);
  deepEqual([fitted["question"], fitted["passages"]![2]], ["short", "brief"]);
  const tokens = estimateTokens(filledPrompt(prompt, "", fitted).prompt) +
    estimateTokens(prompt.instructions);
  ok(tokens > 1300 && tokens <= 1500, `${tokens}`);
  deepEqual(fittedValues(prompt, "", values, { total: 1e6, each: { passages: 3 } })["passages"], [
    "长".repeat(4),
    "word word ",
    "brief",
  ]);
});

Deno.test("a prompt of the user takes the place of the program's, and its errors name file and line", async () => {
  using folder = new TempDir();
  const load = (name: PromptName = "enrich") => loadPrompt(name, "en", folder.path);
  const own = await load();
  equal(own.version, "1");
  const failure = async (text: string) => {
    await Deno.writeTextFile(join(folder.path, "enrich.en.md"), text);
    const { key, params } = await load().then(() => undefined, (error) => error as UserError) ?? {};
    return [key, params?.["line"], params?.["name"] ?? params?.["expected"]];
  };
  const head = "version: mine-2\n\n# instructions\nAnswer in json.\n";
  deepEqual(await failure(`${head}# request\nText: {{text}}`), [undefined, undefined, undefined]);
  equal((await load()).version, "mine-2");
  deepEqual((await load()).requests, new Map([["", "Text: {{text}}"]]));
  deepEqual(await failure("# instructions"), ["llm_prompt_wrong", 1, "version: 1"]);
  deepEqual(await failure(`${head}Text`), ["llm_prompt_wrong", 5, "# request"]);
  deepEqual(await failure("version: 1\n# request\n{{text}}"), ["llm_prompt_wrong", 3, "# instructions"]);
  deepEqual(await failure(`${head}# request\n{{text}}\n{{txt}}`), ["llm_prompt_placeholder", 7, "{{txt}}"]);
  deepEqual(await failure(`${head}# request\n{{text}`), ["llm_prompt_placeholder", 6, "{{text}"]);
  deepEqual(await failure(`${head}{{code}}: {{text}}\n# request\n{{text}}`), [
    "llm_prompt_placeholder",
    5,
    "{{text}}",
  ]);
  await Deno.writeFile(join(folder.path, "enrich.en.md"), new Uint8Array([0xff, 0xfe]));
  equal(await load().catch(({ key }) => key), "llm_prompt_unreadable");
  equal((await load("refine")).version, "1");
});
