import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { ON_WINDOWS, posixTest } from "../_posix.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { makeSandbox, type Sandbox, writeFiles } from "./_program.ts";

/** A sandbox with the program's files inside the indexed folder. */
async function allInside(): Promise<Sandbox> {
  const sandbox = await makeSandbox({ "a.md": "# Apples\n", "conf/note.txt": "no configuration\n" });
  const { folder, env } = sandbox;
  env["MUXUE_RAG_STATE_DIR"] = join(folder, "state");
  env["MUXUE_RAG_CONFIG_DIR"] = join(folder, "user");
  await writeFiles(folder, {
    "conf/config.yaml": `log: { dir: ${
      JSON.stringify(join(folder, "logs"))
    } }\nembedding: { provider: none }\n`,
    "user/key.txt": "secret\n",
  });
  return sandbox;
}

const CONFIG = ["--config", "文档 docs/conf/config.yaml"];

Deno.test("the program's logs, state and configuration are never indexed, in any folder, nor the target of a link to the configuration", async () => {
  await using sandbox = await allInside();
  const { cwd, folder, run } = sandbox;
  const args = [...CONFIG, "-d", folder];
  const { files, skipped } = JSON.parse((await run`${args} --json`).stdout).data;
  // conf/config.yaml, user, logs, and the state folder with the key of indexes
  deepEqual({ files, skipped }, { files: 2, skipped: { own: 4 } });
  match((await run`${args} --language en`).stdout, /Skipped +4 \(4 files of this program\)/);
  const status = await run`status ${args} --json`;
  deepEqual(JSON.parse(status.stdout).data.folders[0].stale, { new: 0, changed: 0, removed: 0 });
  match((await run`status ${args} --language zh`).stdout, /跳过 +4 \(本程序自己的文件 4 个\)/);
  if (ON_WINDOWS) return;
  await Deno.symlink(join(folder, "conf/config.yaml"), join(cwd, "linked.yaml"));
  const linked = await run`--config linked.yaml -d ${folder} --json`;
  deepEqual(JSON.parse(linked.stdout).data.skipped, { own: 4 });
});

Deno.test("read_raw_file refuses the program's own files", async () => {
  await using sandbox = await allInside();
  await using server = await openPipe(sandbox, [...CONFIG, "-d", sandbox.folder]);
  const refused: string[] = [];
  for (const path of ["conf/config.yaml", "user/key.txt", "conf/note.txt"]) {
    const { result } = await server.call("read_raw_file", { file_path: path });
    if (result.isError) refused.push(path);
  }
  deepEqual(refused, ["conf/config.yaml", "user/key.txt"]);
  equal((await server.end()).code, 0);
});

posixTest("a link that replaces the default log folder is not followed, and the run continues", async () => {
  await using sandbox = await makeSandbox({ "tea.md": "# Tea\n" });
  const { cwd, folder, run } = sandbox;
  const victim = join(cwd, "victim");
  await writeFiles(cwd, { "victim/muxue_rag-2020-01-01.jsonl": "mine\n", "state/none": "" });
  await Deno.symlink(victim, join(cwd, "state", "logs"));
  const { code, stderr } = await run`-d ${folder} --language en`;
  equal(code, 0);
  match(stderr, /this run keeps no log/);
  deepEqual([...Deno.readDirSync(victim)].map(({ name }) => name), ["muxue_rag-2020-01-01.jsonl"]);
});
