import { deepEqual, ok } from "node:assert/strict";
import { join } from "node:path";
import { LanguageServer } from "../models/language/_servers/mod.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { makeSandbox } from "./_program.ts";

const KETTLE =
  "# Kettle\n\nFill it with two spoons of citric acid and water, boil it twice, wait for ten minutes, and rinse it well.\n";
const LIFT =
  "# Lift\n\nIt stops at every floor of the house, needs little power, and is looked after by the owner once in a year.\n";

Deno.test("serve makes the texts of a model in the background, also of files that come later, and asks for each once", async () => {
  await using server = await LanguageServer.start("openai-compatible");
  server.reply = ({ prompt }) => ({
    title: "",
    summary: "",
    tags: [prompt.includes("citric acid") ? "limescale removal" : "quokka"],
    questions: [],
  });
  await using place = await makeSandbox({ "kettle.md": KETTLE }, {
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      ...server.environment(),
      MUXUE_RAG_LLM_TASKS: "enrich",
    },
  });
  {
    await using pipe = await openPipe(place);
    const found = await pipe.searchUntil("limescale", (text) => text.includes("kettle.md"));
    ok(found.includes("found only by a text that a model wrote"), found);
    await Deno.writeTextFile(join(place.folder, "lift.md"), LIFT);
    await pipe.searchUntil("quokka", (text) => text.includes("lift.md"));
    const { code, stderr } = await pipe.end();
    deepEqual([code, stderr.split("\n").length], [0, 2], stderr);
  }
  deepEqual(server.requests.map(({ prompt }) => prompt.includes("citric acid")), [true, false]);
});
