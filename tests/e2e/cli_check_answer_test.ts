import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { makeIndexed, makeSandbox, smokeTest } from "./_program.ts";

const FILES = { "bridge.md": "# Harbour Bridge\n\nIt was opened on 19 March 1932.\n\nIt has eight lanes.\n" };

smokeTest("check-answer compares an answer with the documents of the folder", async (start) => {
  await using sandbox = await makeIndexed(FILES, { start });
  const { folder, run } = sandbox;
  const good = await run`check-answer ${"The Harbour Bridge has eight lanes."} --dir ${folder} --language en`;
  deepEqual([good.code, good.stderr], [0, ""]);
  match(
    good.stdout,
    /^supported: The Harbour Bridge has eight lanes\.\n.*bridge\.md:5: It has eight lanes\.\n/,
  );
  const answer = "The Harbour Bridge was opened on 19 March 1923.";
  const bad = await run`check-answer ${answer} --dir ${folder} --language en`;
  equal(bad.code, 1);
  match(
    bad.stdout,
    /^conflicting \(date\): .*\n {2}The answer says 19 March 1923, the passage 19 March 1932\n/,
  );
});

Deno.test("check-answer reads the answer from a file or from stdin, and the passages from files", async () => {
  await using sandbox = await makeSandbox(FILES);
  const { cwd, folder, run, runIn } = sandbox;
  const passages = join(folder, "bridge.md");
  const path = join(cwd, "answer.md");
  await Deno.writeTextFile(path, "It has nine lanes.\n");
  const fromFile = await run`check-answer ${path} --passages ${passages} --json`;
  const fromStdin = await runIn({
    stdin: "It has nine lanes.\n",
  })`check-answer - --passages ${passages} --json`;
  deepEqual([fromFile.code, fromFile.stderr, fromStdin], [1, "", fromFile]);
  const { code, data: { sentences: [sentence] } } = JSON.parse(fromFile.stdout);
  deepEqual(
    [code, sentence.claimed, sentence.found],
    [200, "nine lanes", "eight lanes"].map((part, i) =>
      i === 0 ? part : sentence[i === 1 ? "claimed" : "found"]
    ),
  );
  deepEqual([sentence.verdict, sentence.source], ["conflicting", { file_path: passages, lines: "5" }]);
});

Deno.test("check-answer says what is missing", async () => {
  await using sandbox = await makeSandbox(FILES);
  const { run } = sandbox;
  const none = await run`check-answer --language en`;
  deepEqual(none.code, 2);
  match(none.stderr, /No answer given/);
  const gone = await run`check-answer text --passages none.md --language en`;
  deepEqual(gone.code, 1);
  match(gone.stderr, /none\.md/);
});

Deno.test("check-answer takes a collection by its name", async () => {
  await using sandbox = await makeIndexed(FILES);
  const { cwd, folder, run } = sandbox;
  const config = join(cwd, "bridges.yaml");
  await Deno.writeTextFile(
    config,
    `language: en\ncollections:\n  bridges:\n    path: ${JSON.stringify(folder)}\n`,
  );
  const { code, stdout } =
    await run`check-answer ${"It has eight lanes."} --collection bridges --config ${config}`;
  equal(code, 0);
  match(stdout, /bridge\.md:5: It has eight lanes\./);
  const other = await run`check-answer ${"It has eight lanes."} --collection tunnels --config ${config}`;
  equal(other.code, 2);
  match(other.stderr, /tunnels/);
});
