// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Shows how far the match degrees can be trusted: on questions that were not used to fit them, how many hits of each degree are right,
 * and how many questions without an answer have a hit of the degree high. Prints the tables of RANKING.md and draws its picture.
 *
 *     deno run -A --config deno.dev.json research/calibrate_degrees.ts EVAL [--models FOLDER] [--every 3] [--fit] [--hits FILE]
 *
 * EVAL has `xquad-en`, `xquad-zh`, `cmrc2018-zh` and `cranfield` in BEIR layout. `--models`: the folder of installed models; without it,
 * local models are left out. `--every`: only every so many-th question. `--fit` fits the chances to the other half of the questions first
 * and writes them. `--hits` keeps the hits, and reads them if the file exists: fitting changes no order.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Config, loadConfig } from "#foundation/configuration/mod.ts";
import { LocalModels } from "#models/embedding/mod.ts";
import { temporaryCorpus } from "#library/evaluate/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { openLibrary } from "#library/search/mod.ts";
import { FORMULAS } from "#engine/rank/chance_formulas.ts";
import {
  type Asked,
  type CalibrationSet,
  calibrationSets,
  holds,
  isForFitting,
} from "./degrees/collections.ts";
import { fittedFormulas, formulasText } from "./degrees/fitted_formulas.ts";
import { type Answered, claimsOf, degreeTable, setTable } from "./degrees/tables.ts";
import { reliabilitySvg } from "./degrees/picture.ts";
import { rememberedModels } from "./degrees/remembered_models.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const PICTURE = join(ROOT, "examples", "pictures", "degrees.svg");
const FILE = join(ROOT, "lib", "engine", "rank", "chance_formulas.ts");
const KEY = new Uint8Array(32);
/** Hits of an answer. */
const DEPTH = 5;
/** More than all hits have, so that none is cut. */
const MAX_CHARS = 1_000_000;

const { values, positionals: [folder] } = parseArgs({
  options: {
    models: { type: "string" },
    every: { type: "string", default: "3" },
    fit: { type: "boolean", default: false },
    hits: { type: "string" },
  },
  allowPositionals: true,
});
if (folder === undefined) {
  console.error("usage: calibrate_degrees.ts EVAL [--models FOLDER] [--every 3] [--fit] [--hits FILE]");
  Deno.exit(2);
}
const all = await kept(values.hits) ?? await askAll(folder);
if (values.hits !== undefined) {
  await Deno.writeTextFile(
    values.hits,
    all.map((one) => JSON.stringify(one)).join("\n"),
  );
}
const formulas = values.fit ? fittedFormulas(all.filter(({ id }) => isForFitting(id))) : FORMULAS;
if (values.fit) await Deno.writeTextFile(FILE, formulasText(formulas));
const claims = claimsOf(all.filter(({ id }) => !isForFitting(id)), formulas);
console.log(`${degreeTable(claims)}\n\n${setTable(claims)}`);
await Deno.writeTextFile(PICTURE, reliabilitySvg(claims));

async function kept(path: string | undefined): Promise<Answered[] | undefined> {
  const text = path === undefined ? undefined : await Deno.readTextFile(path).catch(() => undefined);
  return text?.split("\n").map((line) => JSON.parse(line) as Answered);
}

/** Asks all questions with all systems. */
async function askAll(folder: string): Promise<Answered[]> {
  const { config } = await loadConfig({ cwd: await Deno.makeTempDir(), env: {}, flags: { language: "en" } });
  const { models: modelsDir } = values;
  using local = modelsDir === undefined
    ? undefined
    : await LocalModels.open(config.embedding.local, { modelsDir, workers: 1 });
  const models = local && rememberedModels(local, join(tmpdir(), "muxue_rag-calibration"));
  const systemOf = (name: string, provider: "builtin" | "local"): Config => ({
    ...config,
    embedding: { ...config.embedding, provider },
    search: { ...config.search, mode: name === "keyword" ? "keyword" : "hybrid", "max_chars": MAX_CHARS },
  });
  const systems = [
    ["keyword", systemOf("keyword", "builtin")],
    ["built-in", systemOf("built-in", "builtin")],
    ...(models === undefined ? [] : [["local", systemOf("local", "local")]] as const),
  ] as const;
  const answered: Answered[] = [];
  for (const set of await calibrationSets(folder, Number(values.every))) {
    await using corpus = await temporaryCorpus(set.files, { log: NO_LOG, version: "0", indexKey: KEY }, {
      models: ({ embedding }) => Promise.resolve(embedding.provider === "local" ? models : undefined),
    });
    for (const [system, config] of systems) {
      await corpus.index(config, {});
      const library = openLibrary([corpus.root], config, { key: KEY, models: await corpus.models(config) });
      for (const question of set.questions) answered.push(await ask(library, question, set, system));
      library.close();
      console.error(`${set.name}, ${system}: ${set.questions.length} questions`);
    }
  }
  return answered;
}

async function ask(
  library: ReturnType<typeof openLibrary>,
  { text, answers, ...question }: Asked,
  { name }: CalibrationSet,
  system: string,
): Promise<Answered> {
  const { hits, explanation } = await library.search({ query: text, topK: DEPTH, explain: true });
  const chunks = new Map(explanation!.chunks.map((chunk) => [chunk.chunkId, chunk]));
  return {
    ...{ ...question, set: name, system },
    hits: hits.map(({ chunkId, content }) => ({
      isRight: holds(content, answers),
      signs: chunks.get(chunkId)!.signs,
    })),
  };
}
