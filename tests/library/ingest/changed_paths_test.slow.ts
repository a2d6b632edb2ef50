import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import type { IngestSummary } from "#library/ingest/mod.ts";
import type { FolderState } from "#library/ingest/types.ts";
import { ON_WINDOWS } from "../../foundation/boundary/helpers.ts";
import { Place } from "./_place.ts";

/** A run of the index of a place: of the paths that changed since another run, or of the whole folder. */
async function run(place: Place, since?: FolderState, paths: Iterable<string> = []) {
  let state: FolderState | undefined;
  const changes = since === undefined ? {} : { changes: { since, paths: new Set(paths) } };
  const summary = await place.ingest({}, { ...changes, onState: (found) => void (state = found) });
  return { summary, state: state! };
}

/** The facts of a run that do not depend on how much of the folder it has looked at. */
function facts({ skipped, failed, unread, files, chunks }: IngestSummary, state: FolderState) {
  return {
    ...{ skipped, failed, unread, files, chunks },
    folders: [...state.folders].sort(),
    left: [...state.skipped].sort(),
  };
}

Deno.test("a run of changed paths looks at nothing else", async () => {
  using place = new Place();
  place.write({ "a.md": "apple", "sub/b.md": "banana", "c.md": "cherry" });
  const { state } = await run(place);
  place.write({ "a.md": "an apple", "sub/b.md": "a banana", "sub/new.md": "new" });
  Deno.removeSync(place.at("c.md"));

  const second = await run(place, state, ["a.md"]);
  deepEqual([second.summary.changed, second.summary.new, second.summary.removed], [1, 0, 0]);
  const third = await run(place, second.state, ["sub/new.md", "c.md", "never.md"]);
  deepEqual([third.summary.changed, third.summary.new, third.summary.removed], [0, 1, 1]);
  const whole = await run(place);
  deepEqual([whole.summary.changed, whole.summary.new, whole.summary.removed], [1, 0, 0]);
});

Deno.test(
  "a run of changed paths looks at everything if the index is another one, or a rule file is a link",
  {
    ignore: ON_WINDOWS,
  },
  async () => {
    using place = new Place();
    place.write({ "a.md": "apple", "b.md": "banana", "rules.txt": "c.md\n" });
    const { state } = await run(place);
    place.write({ "a.md": "an apple" });
    await run(place);
    place.write({ "a.md": "no apple", "b.md": "no banana" });
    const { summary } = await run(place, state, ["a.md"]);
    equal(summary.changed, 2);

    Deno.symlinkSync("rules.txt", place.at(".gitignore"));
    const linked = await run(place);
    place.write({ "rules.txt": "b.md\n" });
    const { summary: ruled } = await run(place, linked.state, ["rules.txt"]);
    equal(ruled.removed, 1);
  },
);

Deno.test("a run of changed paths tries again what failed", async () => {
  using place = new Place();
  // A folder in the place of an ignore file: its rules cannot be read.
  place.write({ "a.md": "apple", "sub/b.md": "banana", "sub/.gitignore/c": "" });
  const { state, summary } = await run(place);
  deepEqual(summary.failed.map(({ path }) => path), ["sub"]);
  Deno.removeSync(place.at("sub/.gitignore"), { recursive: true });
  const second = await run(place, state, ["a.md"]);
  deepEqual([second.summary.new, second.summary.failed], [1, []]);
});

Deno.test("a run of changed paths looks at all of a folder that it does not know, and of one that has become a file", async () => {
  using place = new Place();
  place.write({ "a/one.md": "apple", "a/two.md": "banana" });
  const { state } = await run(place);
  Deno.removeSync(place.at("a"), { recursive: true });
  place.write({ "a": "not a folder", "new/deep/one.md": "cherry", "new/two.md": "damson" });
  const { summary } = await run(place, state, ["a/one.md", "new/deep/one.md"]);
  deepEqual([summary.new, summary.removed, summary.files], [3, 2, 3]);
});

Deno.test("a run of many changed paths in one folder finds them all", async () => {
  using place = new Place();
  const names = Array.from({ length: 300 }, (_, at) => `${at}.md`);
  place.write(Object.fromEntries(names.map((name) => [name, "apple"])));
  const { state } = await run(place);
  place.write(Object.fromEntries(names.map((name) => [name, "a banana"])));
  equal((await run(place, state, names.slice(1))).summary.changed, 299);
});

const FOLDERS = ["", "a", "b", "a/c", "a/c/d"];
const NAMES = ["one.md", "two.txt", "three.png", ".hidden", ".gitignore", "four"];
const path = fc.tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES)).map(([folder, name]) =>
  folder === "" ? name : `${folder}/${name}`
);
const entry = fc.oneof(path, fc.constantFrom(...FOLDERS.slice(1)));

/** A change of the folder: what is done, where, and the path or the text that it needs beside. */
const change = fc.record({
  kind: fc.constantFrom(
    "write",
    "write",
    "write",
    "empty",
    "remove",
    "rename",
    "folder",
    "link",
    "rules",
    "close",
  ),
  at: entry,
  to: entry,
  text: fc.constantFrom("one\n", "*.md\n", "two.txt\n!one.md\n", "/a/c\n", "d/\nlonger\n"),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Makes a change where it is possible. Returns the paths that a watch would report. */
function make(place: Place, { kind, at, to, text }: Change): string[] {
  const full = place.at(at);
  try {
    if (kind === "write") Deno.writeTextFileSync(full, text);
    else if (kind === "empty") Deno.writeTextFileSync(full, "");
    else if (kind === "remove") Deno.removeSync(full, { recursive: true });
    else if (kind === "folder") Deno.mkdirSync(full);
    else if (kind === "link") Deno.symlinkSync(place.at(to), full);
    else if (kind === "close") Deno.chmodSync(full, text === "one\n" ? 0o755 : 0);
    else if (kind === "rename") {
      Deno.renameSync(full, place.at(to));
      return [at, to];
    } else {
      const rules = `${to.slice(0, to.lastIndexOf("/") + 1)}.gitignore`;
      Deno.writeTextFileSync(place.at(rules), text);
      return [rules];
    }
    return [at];
  } catch {
    return [];
  }
}

Deno.test("after random changes, a run of the changed paths finds what a run of the whole folder finds", {
  ignore: ON_WINDOWS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 6 }), { maxLength: 5 }),
      async (steps) => {
        using place = new Place();
        place.write({
          "a/c/d/one.md": "1",
          "a/two.txt": "2",
          "b/one.md": "3",
          "one.md": "4",
          "b/.hidden": "",
        });
        let { state } = await run(place);
        try {
          for (const changes of steps) {
            const paths = changes.flatMap((each) => make(place, each));
            const limited = await run(place, state, paths).catch(() => undefined);
            // A root without rules that can be read is an error of both runs.
            const whole = await run(place).catch(() => undefined);
            equal(limited === undefined, whole === undefined);
            if (limited === undefined || whole === undefined) return;
            equal(whole.summary.written, false, JSON.stringify(whole.summary));
            deepEqual(facts(limited.summary, limited.state), facts(whole.summary, whole.state));
            state = limited.state;
          }
        } finally {
          for (const folder of FOLDERS) {
            try {
              Deno.chmodSync(place.at(folder), 0o755);
            } catch { /* there is no such folder */ }
          }
        }
      },
    ),
    { numRuns: 30, seed: 1 },
  );
});
