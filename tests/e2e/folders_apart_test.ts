import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { loadPrompt, PROMPT_NAMES } from "#models/language/mod.ts";
import { striped } from "../library/ingest/generation/_captioned_folder.ts";
import { type Asked, LanguageServer, sampleOf } from "../models/language/_servers/mod.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { makeSandbox, writeFiles } from "./_program.ts";

const SIDES = ["north", "south"] as const;
type Side = typeof SIDES[number];

/** Words by which it is seen where texts, questions and paths of a folder get to. */
const TEXTS = { north: ["nurpelt", "norsagov"], south: ["surpelt", "sorsagov"] } as const;
const QUESTIONS = { north: "nurfrage", south: "surfrage" } as const;
const PATHS = {
  north: ["nordach", "nordatei", "norbild"],
  south: ["surdach", "surdatei", "surbild"],
} as const;

/** Secrets of the program: the keys of the servers, and a variable that is none of its own. */
const KEYS = { llm: "sk-canary-llm-0123456789", vision: "sk-canary-vision-0123456789" };
const FOREIGN = "canary-variable-0123456789";

const filesOf = (side: Side, stripe: number) => {
  const [text, secret] = TEXTS[side], [folder, file, picture] = PATHS[side];
  return {
    [`${folder}/${file}.md`]:
      `# The ${text} bridge\n\nThe ${text} bridge was opened in 1932, and it has eight lanes.\n\n` +
      `The password of the ${text} office is ${secret}, which is changed every month.\n`,
    [`${folder}/${file}2.md`]:
      `# Tickets\n\nTickets of the ${text} bridge cost five euros, and children cross it for nothing.\n`,
    [`${folder}/${picture}.png`]: striped(stripe),
  };
};

/** The tasks of the requests, by the words of their prompts. */
async function tasksOf(requests: readonly Asked[]): Promise<string[]> {
  const prompts = await Promise.all(PROMPT_NAMES.map((name) => loadPrompt(name, "en", null)));
  const names = requests.map(({ instructions }) =>
    prompts.find((prompt) => instructions.includes(prompt.instructions.slice(0, 200)))?.name ?? "?"
  );
  return [...new Set(names)].sort();
}

/** A model that repeats all that it reads, so that a text which comes back would go on from there. */
function repeated({ prompt, schema, images }: Asked): unknown {
  if (schema === undefined) return prompt.slice(-2000);
  if (images.length > 0) return { seen: true, caption: `A bridge with stripes. ${prompt.slice(0, 300)}` };
  const sample = sampleOf(schema) as Record<string, unknown>;
  const said = prompt.match(/[a-z]{5,}/g)?.slice(0, 100) ?? [];
  return Object.fromEntries(
    Object.entries(sample).map(([key, value]) => {
      if (typeof value === "string") return [key, said.join(" ").slice(0, 300)];
      return [key, Array.isArray(value) && /tags|terms|questions/.test(key) ? said.slice(0, 8) : value];
    }),
  );
}

Deno.test("texts, names and secrets of one folder are in no request about another one, and in no log", async () => {
  await using llm = await LanguageServer.start("openai-compatible", { key: KEYS.llm });
  await using vision = await LanguageServer.start("ollama");
  for (const server of [llm, vision]) server.reply = repeated;
  await using sandbox = await makeSandbox({ ...filesOf("north", 5), ...filesOf("south", 9) }, {
    env: {
      MUXUE_RAG_CONFIG: "both.yaml",
      MUXUE_RAG_MCP_TOOLS: "all",
      KEY_OF_THE_MODEL: KEYS.llm,
      KEY_OF_ANOTHER: FOREIGN,
    },
  });
  const { cwd, folder, run } = sandbox;
  const rootOf = (side: Side) => join(folder, PATHS[side][0]);
  const section = (server: LanguageServer, more: object) => JSON.stringify({ ...server.llm(), ...more });
  await writeFiles(cwd, {
    "both.yaml": [
      "language: en",
      "index: {watch: false}",
      `llm: ${
        section(llm, {
          "api_key": "env:KEY_OF_THE_MODEL",
          tasks: ["refine", "enrich", "caption", "rewrite", "rerank", "verify"],
        })
      }`,
      `vision_llm: ${section(vision, {})}`,
      "collections:",
      ...SIDES.map((side) => `  ${side}: {path: ${JSON.stringify(rootOf(side))}}`),
    ].join("\n"),
  });
  /** Takes the requests since the last call, which are about one folder, and returns their tasks. */
  const taken = async (side: Side) => {
    const other = side === "north" ? "south" : "north";
    const requests = [llm, vision].flatMap((server) => server.requests.splice(0));
    const raw = [llm, vision].flatMap((server) => server.raw.splice(0));
    const heard = raw.map(({ path, headers, text }) => `${path} ${JSON.stringify(headers)} ${text}`).join(
      "\n",
    );
    for (const word of [...TEXTS[other], QUESTIONS[other], ...PATHS[other], PATHS[side][0], cwd, FOREIGN]) {
      equal(heard.includes(word), false, `${word} in the requests about ${side}`);
    }
    equal(raw.some(({ text }) => text.includes(KEYS.llm)), false, "the key stands in a header alone");
    ok(heard.includes(TEXTS[side][0]), "the requests have texts of the folder");
    return await tasksOf(requests);
  };
  for (const side of SIDES) {
    const { code, stderr } = await run`index ${rootOf(side)}`;
    equal(code, 0, stderr);
    deepEqual(await taken(side), ["caption", "enrich", "refine"]);
  }
  await using pipe = await openPipe(sandbox, []);
  for (const side of SIDES) {
    const [text] = TEXTS[side];
    const question = `When was the bridge opened, ${QUESTIONS[side]}?`;
    for (
      const [tool, args, tasks] of [
        ["query_knowledge_hub", { query: question }, ["rerank", "rewrite"]],
        ["verify_answer", { answer: `A ${text} viaduct is crossed since the thirties.`, question }, [
          "verify",
        ]],
        ["ask", { question }, ["answer"]],
      ] as const
    ) {
      const { result } = await pipe.call(tool, { ...args, collection: side });
      equal(result.isError ?? false, false, JSON.stringify(result).slice(0, 500));
      const found = await taken(side);
      ok(tasks.every((task) => found.includes(task)), `${tool}: ${found}`);
    }
  }
  equal((await pipe.end()).code, 0);
  const logs = join(cwd, "state", "logs");
  for await (const { name } of Deno.readDir(logs)) {
    const log = await Deno.readTextFile(join(logs, name));
    const words = SIDES.flatMap((side) => [...TEXTS[side], QUESTIONS[side], PATHS[side][1], PATHS[side][2]]);
    for (const word of [...words, KEYS.llm, FOREIGN]) equal(log.includes(word), false, `${word} in the log`);
  }
});
