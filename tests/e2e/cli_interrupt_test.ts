import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { folderOfNotes, type Kill, muxueRag, type Run, sandbox } from "../program/_muxue_rag.ts";

const windows = Deno.build.os === "windows";
const TERMINATED = "The program did not respond and was terminated. If there was an index, it is unchanged";

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // On Windows, a console's Ctrl-C cannot be sent to a single process.
  Deno.test(
    { name: `${signal} while indexing leaves the old index and ends with 130`, ignore: windows },
    async () => {
      await using place = await sandbox();
      const dir = await folderOfNotes(place);
      await muxueRag(place, ["--dir", dir, "--quiet"]);
      const index = join(dir, ".muxue_rag", "index.bin");
      const before = await Deno.readFile(index);
      await writeMuchText(dir);

      const run = await muxueRag(place, ["--dir", dir, "--language", "en"], {
        when: { stderr: /^Reading/m, act: (kill) => kill(signal) },
      });
      equal(run.code, 130, run.stderr);
      equal(run.stdout, "");
      deepEqual(await Deno.readFile(index), before);
      // on a busy machine the worker may not answer for 5 s, after which it is terminated
      if (run.stderr.endsWith(`${TERMINATED}\n`)) return;
      deepEqual(run.stderr.trimEnd().split("\n").slice(-2), [
        "Stopping… (press Ctrl-C again to quit immediately)",
        "Stopped. The existing index is unchanged",
      ]);
      deepEqual(await leftovers(join(dir, ".muxue_rag")), []);
    },
  );
}

Deno.test({ name: "an interrupted first run says that there is no index yet", ignore: windows }, async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  await writeMuchText(dir);
  const run = await muxueRag(place, ["--dir", dir, "--language", "en"], {
    when: { stderr: /^Reading/m, act: (kill) => kill("SIGINT") },
  });
  equal(run.code, 130, run.stderr);
  // on a busy machine the worker may not answer in time, and is terminated
  if (!run.stderr.includes("did not respond")) {
    match(run.stderr, /\nStopped\. There is no index yet\. Run the command again to build it\n$/);
  }
});

Deno.test({
  name: "a second run names the running process, while search answers from the old index",
  ignore: windows,
}, async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  await muxueRag(place, ["--dir", dir, "--quiet"]);
  await writeMuchText(dir);
  let second: Run | undefined;
  let search: Run | undefined;
  const meanwhile = async (kill: Kill) => {
    // The first run is paused, so that the others surely overlap with it.
    kill("SIGSTOP");
    try {
      second = await muxueRag(place, ["--dir", dir, "--language", "en"]);
      search = await muxueRag(place, ["search", "tomato", "--dir", dir, "--language", "en"]);
    } finally {
      kill("SIGCONT");
    }
  };
  const first = await muxueRag(place, ["--dir", dir, "--language", "en"], {
    when: { stderr: /^Reading/m, act: meanwhile },
  });
  equal(first.code, 0, first.stderr);
  equal(second?.code, 1);
  match(second?.stderr ?? "", /^Error: Another process \(\d+\) /m);
  equal(search?.code, 0);
  match(search?.stdout ?? "", /^1\. .*recipe\.txt:1 /);
  match(
    search?.stderr ?? "",
    /^Note: The index of .* could not be updated, so the existing index was searched: /,
  );
});

/** Enough files for about a second of indexing, each small, so that the run can stop between them. */
async function writeMuchText(dir: string): Promise<void> {
  const words = Array.from({ length: 5_000 }, (_, at) => `word${(at * 7919) % 5_000}`);
  for (let file = 0; file < 400; file++) {
    await Deno.writeTextFile(join(dir, `${file}.txt`), [file, ...words].join(" "));
  }
}

/** Returns the temporary files of an aborted write. */
async function leftovers(folder: string): Promise<string[]> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map((entry) => entry.name);
  return names.filter((name) => /tmp|temp|part/i.test(name));
}
