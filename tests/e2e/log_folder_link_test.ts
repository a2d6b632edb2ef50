import { deepEqual, match } from "node:assert/strict";
import { join } from "node:path";
import { makeSandbox } from "./_program.ts";

Deno.test({
  name: "a link that replaces the default log folder is not followed, and the run continues",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using sandbox = await makeSandbox({ "tea.md": "# Tea\n" });
    const state = sandbox.env["MUXUE_RAG_STATE_DIR"]!;
    const victim = join(sandbox.cwd, "victim");
    await Deno.mkdir(victim);
    await Deno.writeTextFile(join(victim, "muxue_rag-2020-01-01.jsonl"), "mine\n");
    await Deno.mkdir(state, { recursive: true });
    await Deno.symlink(victim, join(state, "logs"));
    const { code, stderr } = await sandbox.run("-d", sandbox.folder, "--language", "en");
    deepEqual(code, 0);
    match(stderr, /this run keeps no log/);
    deepEqual([...Deno.readDirSync(victim)].map(({ name }) => name), ["muxue_rag-2020-01-01.jsonl"]);
  },
});
