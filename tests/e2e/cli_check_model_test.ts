import { deepEqual, equal, match } from "node:assert/strict";
import { makeIndexed } from "./_program.ts";
import { KEY, LanguageServer } from "../models/language/_servers/mod.ts";

const CYCLISTS = "Cyclists may use the western side only.";
const FILES = {
  "bridge.md": `# Harbour Bridge\n\nIt was opened on 19 March 1932.\n\nIt has eight lanes.\n\n${CYCLISTS}\n`,
};

const ANSWER = "The Harbour Bridge has eight lanes. Bicycles are kept to its west. " +
  "It was opened on 19 March 1923. Its colour is green. Bicycles can cross on either pavement.";

/** The verdicts and reasons without a model. */
const OFFLINE = [
  ["supported", "coverage"],
  ["not_found", "coverage"],
  ["conflicting", "date"],
  ["not_found", "coverage"],
  ["not_found", "coverage"],
];

/** A model that says yes to everything, but for the last sentence, and invents a quotation for the fourth. */
const STATEMENTS = [
  { sentence: 1, verdict: "not_found", passage: null, quote: "" },
  { sentence: 2, verdict: "supported", passage: 1, quote: "Cyclists may use the western  side only" },
  { sentence: 3, verdict: "supported", passage: 1, quote: "It was opened on 19 March 1932." },
  { sentence: 4, verdict: "supported", passage: 1, quote: "The bridge is painted green." },
  { sentence: 5, verdict: "conflicting", passage: 1, quote: "western side only." },
].map((statement) => ({ text: `Statement ${statement.sentence}`, ...statement }));

/** The program with an index, and a server that answers as {@linkcode STATEMENTS}. */
async function work() {
  const server = await LanguageServer.start("openai");
  server.reply = () => ({ statements: STATEMENTS });
  const place = await makeIndexed(FILES, {
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      ...server.environment(),
      MUXUE_RAG_LLM_API_KEY: "env:KEY_OF_THE_SERVER",
      MUXUE_RAG_LLM_TIMEOUT_SECONDS: "2",
      KEY_OF_THE_SERVER: KEY,
    },
  });
  return {
    place,
    server,
    async check(tasks: string, ...more: string[]) {
      const { code, stdout, stderr } = await place.runIn({ env: { MUXUE_RAG_LLM_TASKS: tasks } })`${[
        "check-answer",
        ANSWER,
        "--json",
        "--dir",
        place.folder,
        ...more,
      ]}`;
      const { data } = JSON.parse(stdout);
      const verdicts = data.sentences.map((each: { verdict: string; reason: string }) => [
        each.verdict,
        each.reason,
      ]);
      return { code, stderr, data, verdicts };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a model decides on other words, if it quotes a passage; the built-in check on values and sentences of passages", async () => {
  await using at = await work();
  const offline = await at.check("enrich");
  deepEqual([offline.verdicts, offline.data.checked_by, at.server.raw.length], [OFFLINE, undefined, 0]);
  const { verdicts, data } = await at.check("verify");
  deepEqual(verdicts, [
    OFFLINE[0],
    ["supported", "model"],
    OFFLINE[2],
    OFFLINE[3],
    ["conflicting", "model"],
  ]);
  deepEqual([data.sentences[1].quote, data.sentences[1].source.lines, data.checked_by], [
    "Cyclists may use the western side only",
    "7",
    "openai/small-1",
  ]);
  equal(at.server.heard().includes(at.place.cwd), false, "no path is sent");
});

for (const fault of ["hang", "wrong schema"] as const) {
  Deno.test(`a model that fails (${fault}) leaves the built-in check`, async () => {
    await using at = await work();
    at.server.rule = () => fault;
    const { verdicts, data } = await at.check("verify");
    deepEqual(verdicts, OFFLINE);
    match(data.notices.at(-1), /^The model has not judged some or all sentences/);
  });
}
