import { bigrams } from "./bigrams.ts";
import type { Engine } from "./engine.ts";
import { packaged } from "./packages.ts";

interface Index {
  addAll(documents: readonly { id: number; text: string }[]): void;
  search(query: string): readonly unknown[];
}
interface Package {
  new (options: object): Index;
  loadJSON(json: string, options: object): Index;
}

const OPTIONS = { fields: ["text"], storeFields: ["text"] };

/** MiniSearch in memory, saved as JSON: BM25+, OR of the query's words, no stemmer, Chinese as bigrams. */
export const minisearch: Engine = {
  async build(path, chunks) {
    const MiniSearch = packaged<Package>("minisearch");
    const index = new MiniSearch(OPTIONS);
    index.addAll(Array.from(chunks, (text, id) => ({ id, text: bigrams(text) })));
    await Deno.writeTextFile(path, JSON.stringify(index));
    return Deno.statSync(path).size;
  },
  async open(path) {
    const MiniSearch = packaged<Package>("minisearch");
    const index = MiniSearch.loadJSON(await Deno.readTextFile(path), OPTIONS);
    return (query) => Math.min(10, index.search(bigrams(query)).length);
  },
};
