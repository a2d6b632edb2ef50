// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Prints nDCG@10 of hybrid search while the vectors of local models are being made, at several shares of them, beside keyword
 * search and hybrid search without models. The vectors come in the order in which the program makes them, and no search
 * makes one itself, unless `--late` lets it, as in use. COLLECTION is a folder in BEIR layout. Each text is embedded once for all collections and shares.
 *
 *     deno run -A --config deno.dev.json research/half_built.ts COLLECTION... --models FOLDER [--every 1] [--alpha .5] [--late]
 */
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { type Config, loadConfig } from "#foundation/configuration/mod.ts";
import { type EmbeddingProvider, LocalModels, type NeuralModels } from "#models/embedding/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { readBeir, temporaryCorpus } from "#library/evaluate/mod.ts";
import { scoresAt } from "#library/evaluate/metrics.ts";
import { runSystem } from "#library/evaluate/evaluate.ts";
import { makeNeuralVectors } from "#library/ingest/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { openStore } from "#library/store/mod.ts";

const SHARES = [0.1, 0.3, 0.5, 0.7, 0.9, 1];
const KEY = new Uint8Array(32);
const DEPTH = 10;

const { values, positionals } = parseArgs({
  options: {
    models: { type: "string" },
    every: { type: "string", default: "1" },
    alpha: { type: "string" },
    late: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
if (values.models === undefined) throw new Error("--models names the folder of installed models");
const { config: given } = await loadConfig({
  cwd: await Deno.makeTempDir(),
  env: {},
  flags: { language: "en" },
});
const config: Config = {
  ...given,
  embedding: { ...given.embedding, provider: "local" },
  search: { ...given.search, ...(values.alpha === undefined ? {} : { alpha: Number(values.alpha) }) },
};
using local = await LocalModels.open(config.embedding.local, { modelsDir: values.models, workers: 2 });
const making = models((provider) => provider);
const asking = models((provider) => ({
  ...provider,
  embed: (texts, kind, signal) => {
    if (kind === "document" && !values.late) throw new UserError("neural_slow", { seconds: 0 });
    return provider.embed(texts, kind, signal);
  },
}));

for (const folder of positionals) await measure(folder);

async function measure(folder: string): Promise<void> {
  const { documents, ...all } = await readBeir(folder);
  const set = { ...all, queries: all.queries.filter((_, at) => at % Number(values.every) === 0) };
  const without = { ...config, embedding: { ...config.embedding, provider: "builtin" as const } };
  await using corpus = await temporaryCorpus(documents, { log: NO_LOG, version: "0", indexKey: KEY }, {
    models: ({ embedding }) =>
      Promise.resolve(embedding.provider === "local" && isReady ? asking : undefined),
  });
  let isReady = false;
  await corpus.index(without, {});
  const ndcg = async (system: { config: Config; mode: "keyword" | "hybrid" }) => {
    const { judged } = await runSystem({ name: system.mode, ...system }, set, corpus, {
      k: DEPTH,
      onQuery() {},
    });
    return judged.reduce((sum, each) => sum + scoresAt(each, DEPTH).ndcg, 0) / judged.length;
  };
  const shown = [
    `keyword ${(await ndcg({ config: without, mode: "keyword" })).toFixed(4)}`,
    `without ${(await ndcg({ config: without, mode: "hybrid" })).toFixed(4)}`,
  ];
  isReady = true;
  for (const share of SHARES) {
    await makeShare(corpus.root, share);
    shown.push(`${share * 100} % ${(await ndcg({ config, mode: "hybrid" })).toFixed(4)}`);
  }
  console.log(`${basename(folder)} (${set.queries.length}): ${shown.join(", ")}`);
}

/** Makes vectors until this share of the texts has one. */
async function makeShare(root: string, share: number): Promise<void> {
  const stop = new AbortController();
  try {
    await makeNeuralVectors(openStore(config, root, { indexKey: KEY }), making, {
      signal: stop.signal,
      onProgress: ({ done, total }) => done < total && done >= share * total && stop.abort(),
    });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

/** Returns the models with vectors that are remembered. */
function models(of: (provider: EmbeddingProvider) => EmbeddingProvider): NeuralModels {
  const providers = new Map(
    local.providers.entries().map(([language, provider]) => [language, of(remembering(provider))]),
  );
  return { providers, routesOf: local.routesOf };
}

function remembering(provider: EmbeddingProvider): EmbeddingProvider {
  const { id, dimensions } = provider;
  const known = new Map<string, Float32Array>();
  return {
    id,
    dimensions,
    async embed(texts, kind, signal) {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        const name = `${kind} ${text}`;
        const vector = known.get(name) ?? (await provider.embed([text], kind, signal))[0]!;
        known.set(name, vector);
        vectors.push(vector);
      }
      return vectors;
    },
  };
}
