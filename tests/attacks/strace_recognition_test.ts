import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { modelsWithOcr } from "../documents/recognition/_language_data.ts";
import { sample } from "../documents/recognition/_samples.ts";
import { scanPdf } from "../documents/recognition/_scan_pdf.ts";
import { makeArena } from "./_arena.ts";
import { attack } from "./_attack.ts";
import { callsOfProgram, DATA, deedsOf, deedsOfExtractors, KEY, LOGS, named, REGISTRY } from "./_deeds.ts";
import { hasStrace, traced } from "./_strace.ts";

const available = await hasStrace();
if (!available) {
  Deno.test.ignore("skipped: strace is not installed, so text recognition is not watched", () => {});
}

const TEXTS = ["recognised", "recognised/ID", "recognised/ID.tmp"].map((name) => `DIR/.muxue_rag/${name}`);

attack(
  "under strace, text recognition reads the data of its languages alone, and connects to nothing",
  async (start, context) => {
    await using arena = await makeArena(start, { "tea.md": "green tea\n" });
    const { folder } = arena;
    const image = { dictionary: "/Width 620 /Height 125 /Filter /JPXDecode", data: sample("en.jp2") };
    await Deno.writeFile(arena.at("contract.pdf"), scanPdf([{ width: 595, height: 120 }], [image]));
    await Deno.writeFile(arena.at("move.png"), sample("zh.png"));
    const models = await modelsWithOcr();
    const data = ["", "eng.traineddata", "chi_sim.traineddata"].map((name) => join(models, "ocr", name));
    Object.assign(arena.env, { "MUXUE_RAG_MODELS_DIR": models, "MUXUE_RAG_FILES_OCR": "tesseract" });
    const extractor = { program: true, argument: "__extract", touched: [], network: 0 };

    /** Runs a command as a step. It may write `may`. `starts`: whether it starts a process for documents. */
    const watch = async (name: string, may: readonly string[], args: readonly string[], starts: boolean) => {
      let output = "";
      await context.step(name, async () => {
        const { calls, code, stdout, stderr } = await traced(arena, args);
        equal(code, 0, stderr);
        const extractors = deedsOfExtractors(arena, calls);
        deepEqual(extractors, extractors.map(() => extractor));
        equal(extractors.length > 0, starts);
        const { written, read, ports, started } = deedsOf(arena, callsOfProgram(calls));
        const outside = named(arena, written).filter((path) => !may.includes(path));
        deepEqual({ outside, ports, started }, { outside: [], ports: [], started: 0 });
        deepEqual(read.filter((path) => !data.includes(path) && path !== join(models, "ocr")), []);
        output = stdout;
      });
      return output;
    };
    const index = await watch(
      "index",
      [...LOGS, ...DATA, ...REGISTRY, ...KEY, ...TEXTS],
      ["--dir", folder],
      true,
    );
    match(index, /识别文字 +2 页/);
    const search = ["search", "claims must be filed in writing", "--dir", folder, "--no-update"];
    match(await watch("search", LOGS, search, false), /contract\.pdf/);
    await context.step("extract", async () => {
      const { calls, stdout } = await traced(arena, ["extract", arena.at("move.png")]);
      match(stdout, /保修期/);
      deepEqual(deedsOfExtractors(arena, calls), [extractor]);
      deepEqual(calls.filter(({ name }) => name === "connect" || name === "bind"), []);
    });
  },
  { ignore: !available },
);
