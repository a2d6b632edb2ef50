import { deepEqual, match, ok } from "node:assert/strict";
import { smoke } from "../../scripts/compile/smoke.ts";
import project from "../../deno.json" with { type: "json" };
import { EXECUTABLE, NO_EXECUTABLE, output } from "./_program.ts";

// --quiet shows only the name of an ignored test.
if (EXECUTABLE === undefined) Deno.test.ignore(NO_EXECUTABLE, () => {});

/** A test that needs an executable. */
function withExecutable(name: string, test: (executable: string) => Promise<void>): void {
  if (EXECUTABLE !== undefined) Deno.test(name, () => test(EXECUTABLE!));
}

withExecutable(
  "the executable indexes, serves, and finds by meaning across languages",
  async (executable) => {
    deepEqual(await smoke(executable), {
      version: project.version,
      server: { name: "muxue_rag", version: project.version },
      found: ["备份.md"],
    });
  },
);

// The runtime takes 92 MB, the table of words 19 MB, the runtime for neural models 3 MB, PDFium 2.2 MB, text recognition 1.2 MB, the web
// pages 1 MB.
withExecutable("the executable is smaller than 131.7 MB", async (executable) => {
  ok((await Deno.stat(executable)).size < 131.7e6);
});

withExecutable("the executable says what it was built from and when", async (executable) => {
  const details = JSON.parse((await output(executable, ["--version", "--json"])).stdout);
  deepEqual(Object.keys(details), ["name", "version", "commit", "build_date", "deno", "v8", "target"]);
  match(details.build_date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  // An executable that was built outside of a repository has no commit.
  if (details.commit !== null) match(details.commit, /^[0-9a-f]{40}(-dirty)?$/);
});
