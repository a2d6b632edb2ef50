import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { striped } from "../library/ingest/generation/_captioned_folder.ts";
import { type Asked, LanguageServer, type Speech } from "../models/language/_servers/mod.ts";
import { type Files, makeSandbox, type Sandbox, writeFiles } from "./_program.ts";

const GUIDE = fileURLToPath(new URL("../../examples/docs/", import.meta.url));

/** A page of the guide. */
const page = (path: string) => Deno.readTextFile(join(GUIDE, path));

/** Answers about a passage in its own words. */
function described({ prompt }: Asked): unknown {
  const passage = /<text-\w+>\n([\s\S]*)\n<\/text-/.exec(prompt)?.[1] ?? "";
  const sentence = passage.split(/[.。\n]/).find((part) => part.trim().length > 8) ?? passage;
  const words = sentence.match(/[\p{L}\p{N}]+/gu) ?? [];
  return {
    title: sentence.trim().slice(0, 60),
    summary: passage.slice(0, 240),
    tags: words.slice(0, 4),
    questions: [sentence.trim().slice(0, 80), words.slice(-4).join(" ")],
  };
}

type Task = "refine" | "enrich" | "caption";

interface TaskEstimate {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly images: number;
  readonly kept: number;
  readonly price?: number;
}

interface Job extends AsyncDisposable {
  readonly place: Sandbox;
  readonly server: LanguageServer;
  readonly index: (line?: string, env?: Record<string, string>) => Promise<Record<string, never> & IndexData>;
}

interface IndexData {
  readonly chunks: number;
  readonly generated?: {
    readonly tasks: Readonly<
      Record<Task, { readonly total: number; readonly done: number; readonly made: number }>
    >;
    readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly calls: number };
    readonly failures: Readonly<Record<string, number>>;
  };
  readonly estimate?: readonly {
    readonly host: string;
    readonly consent: boolean;
    readonly tasks: Readonly<Record<Task, TaskEstimate>>;
  }[];
}

/** A folder and a server for a task, which answers as `reply` says. */
async function work(
  files: Files,
  { task = "enrich", speech = "openai-compatible", reply = described }: {
    readonly task?: Task;
    readonly speech?: Speech;
    readonly reply?: (asked: Asked) => unknown;
  } = {},
): Promise<Job> {
  const server = await LanguageServer.start(speech);
  server.reply = reply;
  const place = await makeSandbox(files, {
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      ...server.environment(task === "caption" ? "VISION_LLM" : "LLM"),
      MUXUE_RAG_LLM_TASKS: task,
    },
  });
  return {
    place,
    server,
    index: async (line = "", env = {}) => {
      const words = line.split(" ").filter((word) => word !== "");
      const { code, stdout, stderr } = await place.runIn({ env })`index ${place.folder} --json ${words}`;
      equal(code, 0, stderr + stdout);
      return JSON.parse(stdout).data;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** Checks that an estimate is within 15 % of the tokens that a run took: those of the requests, and all. */
function isNear(estimate: TaskEstimate, usage: NonNullable<IndexData["generated"]>["usage"]): void {
  const { inputTokens: input, outputTokens: output } = estimate;
  const figures = `input ${input} of ${usage.inputTokens}, output ${output} of ${usage.outputTokens}`;
  const share = (one: number, other: number) => Math.abs(one - other) / other;
  ok(share(input, usage.inputTokens) <= 0.15, figures);
  ok(share(input + output, usage.inputTokens + usage.outputTokens) <= 0.15, figures);
}

/** Joins passages that break off, and takes their first line for the heading. */
function refined({ prompt }: Asked): unknown {
  const isWhole = /[.。:：`|]\n?<\/line/.test(prompt);
  return { drop_lines: [], heading: 1, merge_with_next: !isWhole };
}

const CAPTIONS = {
  en:
    "A bar chart with vertical bars of equal width that reach from the lower to the upper edge. Dark and light bars take turns. " +
    "No axis is labelled and there is no legend. It looks like a test pattern for a printer or a scanner.",
  zh:
    "图中是一组宽度相同的竖直条纹，从下边缘一直延伸到上边缘，深色与浅色交替出现。没有坐标轴标签，也没有图例，看上去像打印机或扫描仪使用的测试图案。",
};

for (const language of ["en", "zh"] as const) {
  Deno.test(`the estimate of refine is within 15 % of what the run then uses (${language})`, async () => {
    const files = {
      "privacy.md": await page(`${language}/privacy.md`),
      "faq.txt": await page(`${language}/faq.txt`),
    };
    await using job = await work(files, { task: "refine", reply: refined });
    const [estimate] = (await job.index("--estimate")).estimate!;
    equal(job.server.raw.length, 0);
    const { usage, failures } = (await job.index()).generated!;
    deepEqual([usage.calls, failures], [estimate!.tasks.refine.calls, {}]);
    isNear(estimate!.tasks.refine, usage);
    equal((await job.index()).generated!.usage.calls, 0);
  });

  for (const speech of ["openai", "anthropic", "ollama"] as const) {
    Deno.test(`the estimate of caption counts pictures by their size as ${speech} does (${language})`, async () => {
      const files = {
        "page.html": `<!doctype html>${await page(`${language}/faq.txt`)}<img src="data:image/png;base64,${
          striped(11).toBase64()
        }">`,
        "small.png": striped(7, 300, 200),
        "tall.png": striped(5, 320, 900),
        "large.png": striped(13, 1600, 1200),
      };
      const reply = () => ({ seen: true, caption: CAPTIONS[language] });
      await using job = await work(files, { task: "caption", speech, reply });
      const env = { MUXUE_RAG_LANGUAGE: language };
      const [estimate] = (await job.index("--estimate", env)).estimate!;
      const { usage, failures } = (await job.index("", env)).generated!;
      deepEqual([estimate!.tasks.caption.images, usage.calls, failures], [4, 4, {}]);
      isNear(estimate!.tasks.caption, usage);
    });
  }

  Deno.test(`index --estimate sends nothing, and is within 15 % of what the run then uses (${language})`, async () => {
    const files = {
      "privacy.md": await page(`${language}/privacy.md`),
      "faq.txt": await page(`${language}/faq.txt`),
    };
    await using job = await work(files);
    const prices = { MUXUE_RAG_LLM_BUDGET_INPUT_PRICE: "2", MUXUE_RAG_LLM_BUDGET_OUTPUT_PRICE: "8" };
    const [estimate] = (await job.index("--estimate", prices)).estimate!;
    equal(job.server.raw.length, 0);
    const { calls, inputTokens, outputTokens, kept, price } = estimate!.tasks.enrich;
    const { generated } = await job.index();
    const { usage, tasks, failures } = generated!;
    deepEqual([tasks.enrich.done, failures, kept], [tasks.enrich.total, {}, 0]);
    deepEqual([usage.calls, job.server.requests.length], [calls, calls]);
    isNear(estimate!.tasks.enrich, usage);
    equal(price, (inputTokens * 2 + outputTokens * 8) / 1e6);
    const [after] = (await job.index("--estimate")).estimate!;
    deepEqual([after!.tasks.enrich.calls, after!.tasks.enrich.kept], [0, 0]);
    equal((await job.index()).generated!.usage.calls, 0);
    const { stdout } = await job.place.run`status --dir ${job.place.folder} --json`;
    const host = new URL(job.server.url).host;
    const { total } = tasks.enrich;
    const expected = {
      task: "enrich",
      host,
      model: "openai-compatible/small-1",
      consent: true,
      total,
      done: total,
    };
    deepEqual(JSON.parse(stdout).data.folders[0].generated, [expected]);
    const verified = await job.place.run`verify --dir ${job.place.folder} --json`;
    deepEqual(JSON.parse(verified.stdout).data.folders[0].generated, { results: calls, damaged: 0 });
  });
}

Deno.test("a run stops at its budget, says so, and the next one goes on; the day's budget counts all runs", async () => {
  const files = { "privacy.md": await page("en/privacy.md") };
  await using job = await work(files);
  const one = await job.index("", { MUXUE_RAG_LLM_BUDGET_RUN_TOKENS: "4000" });
  const { usage, tasks, failures } = one.generated!;
  ok(usage.inputTokens + usage.outputTokens <= 4000, JSON.stringify(usage));
  ok(tasks.enrich.made > 0 && tasks.enrich.done < tasks.enrich.total, JSON.stringify(tasks));
  deepEqual(Object.keys(failures), ["llm_budget_run"]);
  const two = await job.index("", { MUXUE_RAG_LLM_BUDGET_DAY_TOKENS: "4000" });
  const three = await job.index("", { MUXUE_RAG_LLM_BUDGET_DAY_TOKENS: "4000" });
  const used = [two, three].map(({ generated }) =>
    generated!.usage.inputTokens + generated!.usage.outputTokens
  );
  ok(used[0]! > 0 && used[0]! + used[1]! <= 4000, `${used}`);
  deepEqual(Object.keys(three.generated!.failures), ["llm_budget_day"]);
  const rest = await job.index();
  deepEqual([rest.generated!.tasks.enrich.done, rest.generated!.failures], [tasks.enrich.total, {}]);
  equal(job.server.requests.length, rest.generated!.tasks.enrich.total, "nothing was asked twice");
});

Deno.test("an own prompt takes the place of the program's, and a wrong placeholder is named with its line", async () => {
  await using job = await work({
    "tea.md": "# Tea\n\nGreen tea is made with water of 80 degrees, for two minutes.\n",
  });
  const env = { MUXUE_RAG_LLM_PROMPTS: join(job.place.cwd, "prompts") };
  const prompt =
    "version: 7\n\n# instructions\nDescribe it in json, in plain words.\n\n# request\n{{text}}\n";
  await writeFiles(job.place.cwd, { "prompts/enrich.en.md": prompt });
  await job.index("", env);
  ok(job.server.heard().includes("Describe it in json, in plain words."));
  await writeFiles(job.place.cwd, { "prompts/enrich.en.md": `${prompt}{{txt}}\n` });
  const { code, stderr } = await job.place.runIn({ env })`index ${job.place.folder}`;
  deepEqual([code, stderr.includes("line 8: there is no placeholder {{txt}}")], [1, true], stderr);
});
