import { create, insertMultiple, load, save, search } from "@orama/orama";
import type { Engine } from "./engine.ts";

/** Orama as it comes, saved as JSON. Its tokenizer finds no word in Chinese, so it gets bigrams to split. */
export const stockOrama: Engine = {
  async build(path, chunks) {
    const database = create({ schema: { text: "string" } });
    await insertMultiple(database, [...chunks].map((text) => ({ text: spaced(text) })), 1000);
    await Deno.writeTextFile(path, JSON.stringify(save(database)));
    return Deno.statSync(path).size;
  },
  async open(path) {
    const database = create({ schema: { text: "string" } });
    load(database, JSON.parse(await Deno.readTextFile(path)));
    return (query) => {
      const result = search(database, { term: spaced(query), limit: 10 });
      if (result instanceof Promise) throw new TypeError("unexpected promise");
      return result.hits.length;
    };
  },
};

/** Bigrams as Latin letters: the English tokenizer drops everything else. */
function spaced(text: string): string {
  return text.replace(/\p{Script=Han}+/gu, (run) => {
    const pairs: string[] = [];
    for (let i = 0; i + 1 < run.length; i++) {
      pairs.push(`z${run.charCodeAt(i).toString(36)}q${run.charCodeAt(i + 1).toString(36)}`);
    }
    return ` ${pairs.join(" ")} `;
  });
}
