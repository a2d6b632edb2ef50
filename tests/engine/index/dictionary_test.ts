import { deepEqual, equal, throws } from "node:assert/strict";
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

Deno.test("terms that are read in pieces are those of a dictionary in memory", () => {
  const count = 140_000;
  const termOf = (id: number) => id % 3 === 0 ? `字${id.toString(36)}` : `w${"x".repeat(id % 5)}${id}`;
  const arrays = buildDictionary(count, termOf);
  const inMemory = new Dictionary(arrays);
  const inPieces = new Dictionary({
    ...arrays,
    read: (array, from, into) => {
      const { buffer } = arrays[array];
      into.set(new Uint8Array(buffer, from, into.length));
    },
  });
  deepEqual([...inPieces.terms()], [...inMemory.terms()]);
  deepEqual([...inPieces.termsOfLength(3, 5)], [...inMemory.termsOfLength(3, 5)]);
  const found = [...inPieces.termsWithPrefix("字2r")];
  deepEqual(found, [...inMemory.termsWithPrefix("字2r")]);
  deepEqual(found.map(([id]) => termOf(id)), found.map(([, term]) => term));
});

Deno.test("a scan of a dictionary with senseless offsets throws the error that it was given", () => {
  const arrays = buildDictionary(4, (id) => `term${id}`);
  for (const damaged of [[0, 9, 4, 12, 20], [0, 5, 10, 15, 99], [9, 5, 10, 15, 4]]) {
    const offsets = Uint32Array.from(damaged);
    const read = (array: "bytes" | "offsets", from: number, into: Uint8Array) =>
      into.set(new Uint8Array(array === "bytes" ? arrays.bytes.buffer : offsets.buffer, from, into.length));
    for (const data of [{ ...arrays, offsets }, { ...arrays, offsets, read }]) {
      const dictionary = new Dictionary(data, (problem) => new RangeError(`damaged: ${problem}`));
      throws(() => [...dictionary.terms()], /damaged: place of term/);
    }
  }
});
