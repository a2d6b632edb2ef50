import { create, insertMultiple, load, save, search } from "@orama/orama";
import type { Engine } from "./engine.ts";

/** Unmodified Orama, saved as JSON. Its tokenizer finds no words in Chinese, so Chinese text is given as bigrams. */
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

/** Returns the bigrams as Latin letters, because the English tokenizer drops all other characters. */
function spaced(text: string): string {
  return text.replace(/\p{Script=Han}+/gu, (run) => {
    const pairs: string[] = [];
    for (let i = 0; i + 1 < run.length; i++) {
      pairs.push(`z${run.charCodeAt(i).toString(36)}q${run.charCodeAt(i + 1).toString(36)}`);
    }
    return ` ${pairs.join(" ")} `;
  });
}
