// deno-lint-ignore-file no-console -- a program writes to its terminal
/**
 * Opens the index of a folder as an Orama database and searches it with plain Orama calls.
 *
 * Index the folder first (`muxue_rag --dir FOLDER`), then: `deno run -A examples/orama.ts FOLDER "how do I descale it"`.
 */
import { count, create, getByID, type Results, search } from "@orama/orama";
import { indexKeyIn, loadConfig, stateDir } from "#foundation/configuration/mod.ts";
import { BuiltinProvider, loadTable } from "#models/embedding/mod.ts";
import { oramaComponents, type OramaDocument, oramaSchema } from "#engine/orama/mod.ts";
import { openStore } from "#library/store/mod.ts";

const [folder = ".", question = "coffee machine"] = Deno.args;

const env = Deno.env.toObject();
const indexKey = await indexKeyIn(stateDir(env, Deno.build.os)!, { create: false });
const { config } = await loadConfig({ cwd: folder, env });
const loaded = await openStore(config, await Deno.realPath(folder), { indexKey }).open();
if (loaded.state !== "ready") throw new Error(`${folder} has no index that can be searched: ${loaded.state}`);
using index = loaded.index;

// the built-in table of word vectors turns a term into a vector; an index of another model needs that model here
const provider = new BuiltinProvider(loadTable());
const embed = async (term: string) => (await provider.embed([term], "query"))[0]!;

const db = create({ schema: oramaSchema(index), components: oramaComponents(index, { embed }) });
console.log(`${count(db)} documents`);

const byWords = await find({ term: question, limit: 3 });
print("by words", byWords);
print("by meaning", await find({ mode: "vector", term: question, limit: 3 }));
print("both", await find({ mode: "hybrid", term: question, limit: 3 }));
print("Markdown only", await find({ term: question, limit: 3, where: { type: { eq: "md" } } }));
print("one hit a file", await find({ term: question, limit: 3, distinctOn: "path" }));

const [first] = byWords.hits;
if (first !== undefined) console.log(`${(await getByID(db, first.id))!.content.slice(0, 60)} …`);

/** Orama's types want a vector in a vector search; `embed` makes it here. */
async function find(params: object): Promise<Results<OramaDocument>> {
  return await search(db, params as never) as unknown as Results<OramaDocument>;
}

function print(title: string, { hits }: Results<OramaDocument>): void {
  console.log(`${title}:`);
  for (const { score, document: { path, startLine } } of hits) {
    console.log(`  ${score.toFixed(2)} ${path}:${startLine}`);
  }
}
