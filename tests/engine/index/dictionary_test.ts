import { deepEqual, equal } from "node:assert/strict";
import * as fc from "fast-check";
import { buildDictionary, Dictionary } from "#engine/index/dictionary.ts";

Deno.test("find() returns the index of each term and -1 for others, and terms() yields them in order", () => {
  const terms = fc.uniqueArray(fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }), {
    maxLength: 200,
  });
  fc.assert(fc.property(terms, fc.string({ maxLength: 3 }), (terms, other) => {
    const dictionary = new Dictionary(buildDictionary(terms.length, (id) => terms[id]!));
    equal(dictionary.size, terms.length);
    deepEqual(terms.map((term) => dictionary.find(term)), terms.map((_, id) => id));
    deepEqual([...dictionary.terms()], terms);
    equal(dictionary.find(other), terms.indexOf(other));
  }));
});
