import { deepEqual, equal, rejects } from "node:assert/strict";
import { LateLibrary } from "#program/commands/serve/lazy_library.ts";
import type { Library } from "#library/search/mod.ts";

/** A library that counts how often it was closed. */
function fakeLibrary(): Library & { closed: number } {
  return {
    closed: 0,
    roots: ["/notes"],
    collections: [{ name: "notes", root: "/notes" }],
    search: () => Promise.resolve({ hits: [], seconds: 0, notices: [] }),
    readRawFile: () => Promise.reject(new Error("not asked for")),
    readDocument: () => Promise.reject(new Error("not asked for")),
    readOriginal: () => Promise.reject(new Error("not asked for")),
    catalog: () => Promise.reject(new Error("not asked for")),
    close() {
      this.closed++;
    },
  };
}

Deno.test("LateLibrary opens its library once, on first use, and closes it", async () => {
  const inner = fakeLibrary();
  let openings = 0;
  const late = new LateLibrary([{ name: "notes", root: "/notes" }], () => {
    openings++;
    return Promise.resolve(inner);
  });
  deepEqual(late.roots, ["/notes"]);
  late.close();
  equal(openings, 0);
  await Promise.all([late.open(), late.search({ query: "x" })]);
  equal(openings, 1);
  late.close();
  await late.open();
  equal(inner.closed, 1);
});

Deno.test("LateLibrary opens its library again after a failure", async () => {
  let openings = 0;
  const late = new LateLibrary([{ name: "notes", root: "/notes" }], () => {
    openings++;
    return openings < 3 ? Promise.reject(new Error(`failed ${openings}`)) : Promise.resolve(fakeLibrary());
  });
  await rejects(late.open(), { message: "failed 1" });
  await rejects(late.search({ query: "x" }), { message: "failed 2" });
  deepEqual(await late.search({ query: "x" }), { hits: [], seconds: 0, notices: [] });
  equal(openings, 3);
});
