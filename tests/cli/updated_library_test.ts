import { deepEqual, rejects } from "node:assert/strict";
import { updatedLibrary } from "../../lib/cli/commands/serve/updated_library.ts";
import { UserError } from "../../lib/errors.ts";
import type { Library, SearchAnswer } from "../../lib/search/mod.ts";

const ANSWER: SearchAnswer = { hits: [], seconds: 0, notices: ["as before"] };

/** A library of one folder whose search gives this result. */
function library(search: () => SearchAnswer): Library {
  return {
    roots: ["/notes"],
    search: () => Promise.try(search),
    readRawFile: () => Promise.reject(new Error("not asked for")),
    readDocument: () => Promise.reject(new Error("not asked for")),
    readOriginal: () => Promise.reject(new Error("not asked for")),
    close: () => {},
  };
}

const NOTICE =
  "Indexing is in progress; if something is missing, search again later: /notes (37 %), /docs (0 %)";

Deno.test("answers name the folders that are being updated, not those that were not checked yet", async () => {
  const updates = {
    underWay: ["/notes (37 %)", "/docs (0 %)"],
    pending: ["/notes (37 %)", "/docs (0 %)", "/new (0 %)"],
    isCurrent: false,
  };
  const updated = updatedLibrary(library(() => ANSWER), updates, "en");
  deepEqual(updated.roots, ["/notes"]);
  deepEqual(await updated.search({ query: "x" }), { ...ANSWER, notices: ["as before", NOTICE] });
  updates.underWay = [];
  deepEqual(await updated.search({ query: "x" }), ANSWER);
});

Deno.test("the error index_not_ready keeps its text and names the folders to be updated", async () => {
  const updates = { underWay: [] as string[], pending: ["/notes (37 %)", "/docs (0 %)"], isCurrent: false };
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
  await rejects(updated.search({ query: "x" }), found(NOTICE));
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
    const updated = updatedLibrary(library(() => answer), { underWay, pending: underWay, isCurrent }, "en");
    return (await updated.search({ query: "x" })).freshness;
  };
  deepEqual(await stateOf([], true), { indexedAt, state: "current" });
  deepEqual(await stateOf([], false), { indexedAt, state: "unknown" });
  deepEqual(await stateOf([], true, "outdated"), { indexedAt, state: "outdated" });
  deepEqual(await stateOf(["/notes (0 %)"], false, "outdated"), { indexedAt, state: "updating" });
});
