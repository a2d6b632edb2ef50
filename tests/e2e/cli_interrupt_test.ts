import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { posixTest } from "../_posix.ts";
import { type Ended, makeIndexed, makeSandbox, NOTES, type Setting, writeFiles } from "./_program.ts";

const EN = { env: { MUXUE_RAG_LANGUAGE: "en" } };

/** Enough files for a second of indexing, each small, so that the run can stop between them. */
const WORDS = Array.from({ length: 5_000 }, (_, at) => `word${(at * 7919) % 5_000}`).join(" ");
const MUCH = Object.fromEntries(
  Array.from({ length: 150 }, (_, file) => [`${file}.txt`, `${file} ${WORDS}`]),
);

/** Acts while the run reads files. */
function reading(act: NonNullable<Setting["when"]>["act"]): Setting {
  return { when: { stderr: /^Reading/m, act } };
}

/** The last lines of an interrupted run; on a busy machine the worker may not answer for 5 s, after which it is terminated. */
function lastLines({ stderr }: Ended, ...expected: string[]): void {
  const terminated = "The program did not respond and was terminated. If there was an index, it is unchanged";
  const lines = stderr.trimEnd().split("\n");
  if (lines.at(-1) !== terminated) deepEqual(lines.slice(-expected.length), expected);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // On Windows, a console's Ctrl-C cannot be sent to a single process.
  posixTest(`${signal} while indexing leaves the old index and ends with 130`, async () => {
    await using sandbox = await makeIndexed(NOTES, EN);
    const data = join(sandbox.folder, ".muxue_rag");
    const before = await Deno.readFile(join(data, "index.bin"));
    await writeFiles(sandbox.folder, MUCH);
    const run = await sandbox.runIn(reading((kill) => kill(signal)))`--dir ${sandbox.folder}`;
    deepEqual([run.code, run.stdout], [130, ""], run.stderr);
    deepEqual(await Deno.readFile(join(data, "index.bin")), before);
    lastLines(
      run,
      "Stopping… (press Ctrl-C again to quit immediately)",
      "Stopped. The existing index is unchanged",
    );
    const left = [...Deno.readDirSync(data)].map(({ name }) => name);
    if (run.stderr.includes("Stopped")) deepEqual(left.filter((name) => /tmp|temp|part/i.test(name)), []);
  });
}

posixTest("an interrupted first run says that there is no index yet", async () => {
  await using sandbox = await makeSandbox(MUCH, EN);
  const run = await sandbox.runIn(reading((kill) => kill("SIGINT")))`--dir ${sandbox.folder}`;
  equal(run.code, 130, run.stderr);
  lastLines(run, "Stopped. There is no index yet. Run the command again to build it");
});

posixTest("a second run names the running process, while search answers from the old index", async () => {
  await using sandbox = await makeIndexed(NOTES, EN);
  const { folder, run } = sandbox;
  await writeFiles(folder, MUCH);
  let second: Ended | undefined;
  let search: Ended | undefined;
  // The first run is paused, so that the others surely overlap with it.
  const first = await sandbox.runIn(reading(async (kill) => {
    kill("SIGSTOP");
    try {
      second = await run`--dir ${folder}`;
      search = await run`search tomato --dir ${folder}`;
    } finally {
      kill("SIGCONT");
    }
  }))`--dir ${folder}`;
  equal(first.code, 0, first.stderr);
  deepEqual([second?.code, second?.stdout, search?.code], [1, "", 0]);
  match(
    second!.stderr,
    /^Error: Another process \(\d+\) is indexing this folder: .*Try again when it has finished\n$/m,
  );
  match(search!.stdout, /^1\. .*recipe\.txt:1 /);
  match(
    search!.stderr,
    /^Note: The index of .* could not be updated, so the existing index was searched: /,
  );
});
