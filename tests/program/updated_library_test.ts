import { deepEqual, rejects } from "node:assert/strict";
import { updatedLibrary } from "#program/commands/serve/served_library.ts";
import { UserError } from "#foundation/errors.ts";
import type { Library, SearchAnswer } from "#library/search/mod.ts";

const ANSWER: SearchAnswer = { hits: [], seconds: 0, notices: ["as before"] };

/** A library of one folder whose search gives this result. */
function library(search: () => SearchAnswer): Library {
  return {
    roots: ["/notes"],
    collections: [{ name: "notes", root: "/notes" }],
    search: () => Promise.try(search),
    readRawFile: () => Promise.reject(new Error("not asked for")),
    readDocument: () => Promise.reject(new Error("not asked for")),
    readOriginal: () => Promise.reject(new Error("not asked for")),
    catalog: () => Promise.reject(new Error("not asked for")),
    close: () => {},
  };
}

const NOTICE =
  "Indexing is in progress; if something is missing, search again later: /notes (37 %), /docs (0 %)";
const FIRST = "The index is being built now, so there is nothing to start. " +
  "Search again later: /notes (37 %), /docs (0 %)";

Deno.test("answers name the folders that are being updated, not those that were not checked yet", async () => {
  let underWay = ["/notes (37 %)", "/docs (0 %)"];
  const updates = {
    underWay: () => underWay,
    pending: ["/notes (37 %)", "/docs (0 %)", "/new (0 %)"],
    isCurrent: () => false,
  };
  const updated = updatedLibrary(library(() => ANSWER), updates, "en");
  deepEqual(updated.roots, ["/notes"]);
  deepEqual(await updated.search({ query: "x" }), { ...ANSWER, notices: ["as before", NOTICE] });
  underWay = [];
  deepEqual(await updated.search({ query: "x" }), ANSWER);
});

Deno.test("the error index_not_ready keeps its text and names the folders to be updated", async () => {
  const updates = {
    underWay: () => [],
    pending: ["/notes (37 %)", "/docs (0 %)"],
    isCurrent: () => false,
  };
  const notReady = () => {
    throw new UserError("index_not_ready", { path: "/notes", problem: "" });
  };
  const found = (updating?: string) => (error: unknown) => {
    const { key, params } = error as UserError;
    const more = updating === undefined ? {} : { updating };
    deepEqual([key, params], ["index_not_ready", { path: "/notes", problem: "", ...more }]);
    return true;
  };
  const updated = updatedLibrary(library(notReady), updates, "en");
  await rejects(updated.search({ query: "x" }), found(FIRST));
  updates.pending = [];
  await rejects(updated.search({ query: "x" }), found());
  updates.pending = ["/notes (37 %)"];
  const failing = updatedLibrary(
    library(() => {
      throw new UserError("empty_query");
    }),
    updates,
    "en",
  );
  await rejects(failing.search({ query: "x" }), (error) => (error as UserError).key === "empty_query");
});

Deno.test("the freshness of an answer is current only while every folder is watched and nothing is being indexed", async () => {
  const indexedAt = new Date(0);
  const stateOf = async (
    underWay: string[],
    isCurrent: boolean,
    state: "unknown" | "outdated" = "unknown",
  ) => {
    const answer = { ...ANSWER, freshness: { indexedAt, state } };
    const updated = updatedLibrary(library(() => answer), {
      underWay: () => underWay,
      pending: underWay,
      isCurrent: () => isCurrent,
    }, "en");
    return (await updated.search({ query: "x" })).freshness;
  };
  deepEqual(await stateOf([], true), { indexedAt, state: "current" });
  deepEqual(await stateOf([], false), { indexedAt, state: "unknown" });
  deepEqual(await stateOf([], true, "outdated"), { indexedAt, state: "outdated" });
  deepEqual(await stateOf(["/notes (0 %)"], false, "outdated"), { indexedAt, state: "updating" });
});

Deno.test("an answer during which an update ends is not called current", async () => {
  let isDone = false;
  const answer = { ...ANSWER, freshness: { indexedAt: new Date(0), state: "unknown" as const } };
  const updated = updatedLibrary(
    library(() => {
      isDone = true;
      return answer;
    }),
    { underWay: () => [], pending: [], isCurrent: () => isDone },
    "en",
  );
  const stateOf = async () => (await updated.search({ query: "x" })).freshness?.state;
  deepEqual([await stateOf(), await stateOf()], ["unknown", "current"]);
});

Deno.test("notices and freshness are about the folders that were searched", async () => {
  const indexedAt = new Date(0);
  const updates = {
    underWay: (roots?: readonly string[]) => roots?.includes("/docs") === false ? [] : ["/docs (0 %)"],
    pending: ["/docs (0 %)"],
    isCurrent: (roots?: readonly string[]) => roots?.includes("/docs") === false,
  };
  const of = async (roots: string[]) => {
    const answer = { ...ANSWER, roots, freshness: { indexedAt, state: "unknown" } as const };
    const { notices, freshness } = await updatedLibrary(library(() => answer), updates, "en").search({
      query: "x",
    });
    return [notices.length, freshness?.state];
  };
  deepEqual(await of(["/notes"]), [1, "current"]);
  deepEqual(await of(["/notes", "/docs"]), [2, "updating"]);
});
