import { equal } from "node:assert/strict";
import * as fc from "fast-check";
import porter2 from "wink-porter2-stemmer";
import { stem } from "#engine/index/text/porter2.ts";
import { loadTable } from "#models/embedding/mod.ts";
import { fuzz } from "../../../_fuzz.ts";

const plain: (word: string) => string = porter2;

Deno.test("stem() returns the stems of Snowball's algorithm", () => {
  const stems = {
    ...{ running: "run", ponies: "poni", ties: "tie", caresses: "caress", agreed: "agre", hoping: "hope" },
    ...{ relational: "relat", generically: "generic", communism: "communism", skies: "sky" },
    "users'": "user",
  };
  for (const [word, expected] of Object.entries(stems)) equal(stem(word), expected, word);
});

Deno.test("stem() equals the package on every English word of the table", () => {
  const { words, englishCount } = loadTable();
  for (let id = 0; id < englishCount; id++) {
    const word = words.word(id);
    if (/^[a-z']{3,}$/.test(word)) equal(stem(word), plain(word), word);
  }
});

Deno.test("stem() equals the package on made-up words with any suffixes", () => {
  const parts = fc.constantFrom(
    ..."y ay by e o b tt l gener commun arsen str at bl iz x w ' 's sses ied ies us ss s eed".split(" "),
    ..."eedly ed edly ing ingly ational ization fulness biliti lessli entli aliti ogi li".split(" "),
    ..."alize icate ative ical ness ful ement ance ible ent ism ion ous al er ic ll le ator".split(" "),
    ..."izer enci abli".split(" "),
  );
  const made = fc.array(parts, { minLength: 1, maxLength: 5 }).map((all) => all.join(""));
  const letters = fc.string({ unit: fc.constantFrom(..."aeiouybcdfglmnrstx'"), minLength: 3, maxLength: 9 });
  const property = fc.property(fc.oneof(made, letters), (word) => {
    if (word.length > 2) equal(stem(word), plain(word), word);
  });
  fc.assert(property, fuzz(30_000));
});
