import { deepEqual, equal, rejects } from "node:assert/strict";
import { foldersSince, ServedLibrary } from "#program/commands/serve/served_library.ts";
import type { Session } from "#program/request.ts";
import { UserError } from "#foundation/errors.ts";
import { NO_LOG } from "#foundation/log.ts";
import { register } from "#foundation/registry.ts";
import { Extractor } from "#library/extract/mod.ts";
import type { Library, SearchAnswer } from "#library/search/mod.ts";
import { ON_WINDOWS, TempDir } from "../foundation/boundary/helpers.ts";
import { fakeContext, fakeRequest } from "./_fake_io.ts";

/** A session of `serve` for a folder. */
function sessionFor(root: string, stateDir = "/state"): Session {
  const { context } = fakeContext({ flags: { dir: [root] }, language: "en" });
  return {
    ...fakeRequest({ command: "serve", roots: [root], stateDir }),
    ...context,
    log: NO_LOG,
    extractor: Extractor.none(),
    models: () => Promise.resolve(undefined),
    languageModels: () => Promise.resolve(undefined),
    traces: () => Promise.resolve(undefined),
  };
}

const ANSWER: SearchAnswer = { hits: [], seconds: 0, notices: ["as before"] };

/** A library of one folder whose search gives this result. It counts how often it was closed. */
function fakeLibrary(search: () => SearchAnswer = () => ANSWER): Library & { closed: number } {
  return {
    closed: 0,
    roots: ["/notes"],
    collections: [{ name: "notes", root: "/notes" }],
    search: () => Promise.try(search),
    readRawFile: () => Promise.reject(new Error("not asked for")),
    readDocument: () => Promise.reject(new Error("not asked for")),
    readPictures: () => Promise.reject(new Error("not asked for")),
    readOriginal: () => Promise.reject(new Error("not asked for")),
    catalog: () => Promise.reject(new Error("not asked for")),
    whyNot: () => Promise.reject(new Error("not asked for")),
    checkSupport: () => Promise.reject(new Error("not asked for")),
    close() {
      this.closed++;
    },
  };
}

/** The parts of the updates that answers depend on. */
interface FakeUpdates {
  readonly underWay: (roots?: readonly string[]) => readonly string[];
  readonly pending: readonly string[];
  readonly isCurrent: (roots?: readonly string[]) => boolean;
}

/** A served library of one folder whose search gives this result while these updates are under way. */
function served(search: () => SearchAnswer, updates: FakeUpdates): ServedLibrary {
  const update = () => Promise.reject(new Error("not asked for"));
  const opened = {
    library: fakeLibrary(search),
    updates: {
      underWay: updates.underWay,
      isCurrent: updates.isCurrent,
      update,
      get pending() {
        return updates.pending;
      },
    },
  };
  return new ServedLibrary(sessionFor("/notes"), () => Promise.resolve(opened));
}

Deno.test("a served library is opened once, on first use, and closed", async () => {
  const inner = fakeLibrary();
  let openings = 0;
  const library = new ServedLibrary(sessionFor("/notes"), () => {
    openings++;
    return Promise.resolve({ library: inner });
  });
  deepEqual(library.roots, ["/notes"]);
  library.close();
  equal(openings, 0);
  await Promise.all([library.open(), library.search({ query: "x" })]);
  equal(openings, 1);
  await library[Symbol.asyncDispose]();
  equal(inner.closed, 1);
});

Deno.test("a served library is opened again after a failure", async () => {
  let openings = 0;
  await using library = new ServedLibrary(sessionFor("/notes"), () => {
    openings++;
    return openings < 3
      ? Promise.reject(new Error(`failed ${openings}`))
      : Promise.resolve({ library: fakeLibrary() });
  });
  await rejects(library.open(), { message: "failed 1" });
  await rejects(library.search({ query: "x" }), { message: "failed 2" });
  deepEqual(await library.search({ query: "x" }), ANSWER);
  equal(openings, 3);
});

Deno.test("work in the background waits for the searches of all clients, also of those with limits", async () => {
  let isBusy = () => false;
  const seen: boolean[] = [];
  const inner = fakeLibrary(() => {
    seen.push(isBusy());
    return ANSWER;
  });
  await using library = new ServedLibrary(sessionFor("/notes"), (_, host) => {
    isBusy = host.isBusy;
    return Promise.resolve({ library: inner, openLimited: () => inner });
  });
  for (
    const one of [library, library.limitedTo({ roots: ["/notes"], access: { levels: ["public"] } }).library]
  ) {
    await one.search({ query: "x" });
  }
  deepEqual([seen, isBusy()], [[true, true], false]);
});

Deno.test("a library with limits is closed with the server, and is not opened after that", async () => {
  const inner = fakeLibrary(), limited = fakeLibrary();
  let openings = 0;
  const open = () => {
    openings++;
    return limited;
  };
  const library = new ServedLibrary(
    sessionFor("/notes"),
    () => Promise.resolve({ library: inner, openLimited: open }),
  );
  const [used, unused] = ["public", "internal"].map((level) =>
    library.limitedTo({ roots: ["/notes"], access: { levels: [level] } }).library
  );
  await used!.search({ query: "x" });
  await library[Symbol.asyncDispose]();
  deepEqual([openings, limited.closed], [1, 1]);
  await rejects(unused!.search({ query: "x" }), { name: "AbortError" });
  equal(openings, 1);
});

/** The parameter `updating` of a search's error. */
async function updating(library: ServedLibrary): Promise<unknown> {
  let params: Record<string, unknown> = {};
  await rejects(library.search({ query: "tea" }), (error) => {
    ({ params } = error as { params: Record<string, unknown> });
    return true;
  });
  return params["updating"];
}

Deno.test("a server's updates start with its library and stop with it", async () => {
  using dir = new TempDir();
  dir.write("docs/tea.md", "green tea");
  const root = dir.at("docs");
  await using library = new ServedLibrary(sessionFor(root, dir.at("state")));
  equal(
    await updating(library),
    `The index is being built now, so there is nothing to start. Search again later: ${root} (0 %)`,
  );
});

Deno.test("no updates start for a client that has left already", async () => {
  using dir = new TempDir();
  dir.write("docs/tea.md", "green tea");
  const library = new ServedLibrary(sessionFor(dir.at("docs"), dir.at("state")));
  await library[Symbol.asyncDispose]();
  equal(await updating(library), undefined);
  library.close();
  deepEqual([...Deno.readDirSync(dir.at("docs"))].map(({ name }) => name), ["tea.md"]);
});

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
  const updated = served(() => ANSWER, updates);
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
  const updated = served(notReady, updates);
  await rejects(updated.search({ query: "x" }), found(FIRST));
  updates.pending = [];
  await rejects(updated.search({ query: "x" }), found());
  updates.pending = ["/notes (37 %)"];
  const failing = served(() => {
    throw new UserError("empty_query");
  }, updates);
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
    const updated = served(() => answer, {
      underWay: () => underWay,
      pending: underWay,
      isCurrent: () => isCurrent,
    });
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
  const updated = served(() => {
    isDone = true;
    return answer;
  }, { underWay: () => [], pending: [], isCurrent: () => isDone });
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
    const { notices, freshness } = await served(() => answer, updates).search({ query: "x" });
    return [notices.length, freshness?.state];
  };
  deepEqual(await of(["/notes"]), [1, "current"]);
  deepEqual(await of(["/notes", "/docs"]), [2, "updating"]);
});

Deno.test("foldersSince() returns only the folders that were indexed after the start", async () => {
  using dir = new TempDir();
  await register(dir.path, dir.at("before"));
  const added = foldersSince({ stateDir: dir.path, log: NO_LOG });
  deepEqual(await added(), []);
  await register(dir.path, dir.at("after"));
  deepEqual(await added(), [dir.at("after")]);
});

Deno.test(
  "an unreadable list of folders is only logged, and is read again later",
  {
    ignore: ON_WINDOWS,
  },
  async () => {
    using dir = new TempDir();
    await register(dir.at("state"), dir.at("before"));
    const events: string[] = [];
    const log = { ...NO_LOG, warning: (event: string) => void events.push(event) };
    const added = foldersSince({ stateDir: dir.at("state"), log });
    deepEqual(await added(), []);
    await register(dir.at("state"), dir.at("after"));
    Deno.renameSync(dir.at("state/folders"), dir.at("elsewhere"));
    Deno.symlinkSync(dir.at("elsewhere"), dir.at("state/folders"));
    deepEqual(await added(), []);
    Deno.removeSync(dir.at("state/folders"));
    Deno.renameSync(dir.at("elsewhere"), dir.at("state/folders"));
    deepEqual([await added(), events], [[dir.at("after")], ["serve.registry_unreadable"]]);
  },
);
