import { deepEqual, equal } from "node:assert/strict";
import { Segments } from "#engine/segments.ts";
import { OramaLegs } from "#engine/orama/legs.ts";
import { documents, queries } from "../index/_fixture.ts";
import { indexOf, meaning, withoutFile } from "../rank/_collection.ts";

const termsOf = (text: string) => meaning.tokenizer.queryTerms(text);
const vectorOf = (text: string) => ({ vector: meaning.analyzer.analyze(text).vector.slice(), model: "test" });

/** Two indexes of the fixture's texts. */
async function segmentsOf(count = 300): Promise<Segments> {
  const files = documents().slice(0, count).map((text, i) => [`${i}.txt`, text] as const);
  const halves = [files.slice(0, count >> 1), files.slice(count >> 1)];
  return new Segments(await Promise.all(halves.map((half) => indexOf(Object.fromEntries(half)))));
}

Deno.test("OramaLegs finds the same chunks as the collection, in the same order with the same scores", async () => {
  const segments = await segmentsOf();
  const legs = new OramaLegs().of(segments);
  let hits = 0;
  for (const query of queries().slice(0, 40)) {
    const terms = await segments.lookUp(termsOf(query));
    const filter = withoutFile(3);
    for (const wanted of [{ limit: 10 }, { limit: 1000 }, { limit: 10, filter }]) {
      deepEqual(await legs.byTerms(terms, wanted), await segments.byTerms(terms, wanted), query);
      const vector = vectorOf(query);
      const byVector = await legs.byVector(vector, wanted);
      deepEqual(byVector, await segments.byVector(vector, wanted), query);
      hits += byVector.length;
    }
  }
  equal(hits > 1000, true, String(hits));
});

Deno.test("OramaLegs separates concurrent searches", async () => {
  const segments = await segmentsOf();
  const legs = new OramaLegs().of(segments);
  const asked = await Promise.all(queries().slice(0, 30).map((query) => segments.lookUp(termsOf(query))));
  const wanted = { limit: 20 };
  const found = await Promise.all(asked.map((terms) => legs.byTerms(terms, wanted)));
  deepEqual(found, await Promise.all(asked.map((terms) => segments.byTerms(terms, wanted))));
});

Deno.test("OramaLegs finds nothing without an index, or by a vector with other dimensions than all indexes", async () => {
  const empty = new Segments([]);
  const legs = new OramaLegs();
  const terms = await empty.lookUp(termsOf("apple"));
  deepEqual(await legs.of(empty).byTerms(terms, { limit: 10 }), []);
  const segments = await segmentsOf(4);
  const query = { vector: Float32Array.of(1, 0), model: undefined };
  deepEqual(await legs.of(segments).byVector(query, { limit: 10 }), []);
  deepEqual(await legs.of(segments).byTerms(await segments.lookUp([]), { limit: 10 }), []);
});
