import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { makeSandbox, NOTES, spawnIn } from "./_program.ts";

Deno.test("a run that is killed leaves the index and the traces of the runs before it whole", async () => {
  await using sandbox = await makeSandbox(NOTES, { env: { MUXUE_RAG_LANGUAGE: "en" } });
  const dir = ["--dir", sandbox.folder];
  equal((await sandbox.run("index", ...dir)).code, 0);
  const lines = "Green tea needs water of eighty degrees.\n\n".repeat(1_000);
  for (let i = 0; i < 30; i++) {
    await Deno.writeTextFile(join(sandbox.folder, `${i}.md`), `# ${i}\n\n${lines}`);
  }
  const data = join(sandbox.folder, ".muxue_rag");
  const files = () => [...Deno.readDirSync(data)].length;
  const before = files();
  const child = spawnIn(sandbox, sandbox.start(["index", ...dir]), "null");
  let isOver = false;
  void child.status.then(() => isOver = true);
  // The run is in the middle when its new file is there.
  while (files() <= before && !isOver) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill("SIGKILL");
  await child.output();
  const { stdout } = await sandbox.run`trace list --kind ingestion --json`;
  const { data: { traces, torn } } = JSON.parse(stdout);
  deepEqual([traces.length, torn], [1, 0]);
  const found = await sandbox.run("search", "onions", ...dir);
  ok(found.stdout.includes("recipe.txt"), found.stderr);
});
