import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { ON_WINDOWS } from "../foundation/boundary/helpers.ts";
import { call, openPipe } from "./_mcp_pipe.ts";
import { makeSandbox } from "./_program.ts";

/** The program's files, all inside the indexed folder. */
async function allInside(): Promise<Awaited<ReturnType<typeof makeSandbox>>> {
  const sandbox = await makeSandbox({
    "a.md": "# Apples\n",
    "conf/config.yaml": 'log: { dir: "%LOGS%" }\nembedding: { provider: none }\n',
    "conf/note.txt": "no configuration\n",
  });
  const { folder, env } = sandbox;
  const config = join(folder, "conf/config.yaml");
  const logs = JSON.stringify(join(folder, "logs")).slice(1, -1);
  await Deno.writeTextFile(config, (await Deno.readTextFile(config)).replace("%LOGS%", logs));
  env["MUXUE_RAG_STATE_DIR"] = join(folder, "state");
  env["MUXUE_RAG_CONFIG_DIR"] = join(folder, "user");
  await Deno.mkdir(join(folder, "user"));
  await Deno.writeTextFile(join(folder, "user/key.txt"), "secret\n");
  return sandbox;
}

Deno.test("the program's logs, state and configuration are never indexed, in any folder", async () => {
  await using sandbox = await allInside();
  const args = ["--config", "文档 docs/conf/config.yaml", "-d", sandbox.folder];
  const { stdout } = await sandbox.run(...args, "--json");
  const { files, skipped } = JSON.parse(stdout).data;
  // conf/config.yaml, user, logs, and the state folder with the key of indexes
  deepEqual({ files, skipped }, { files: 2, skipped: { own: 4 } });
  const again = await sandbox.run(...args, "--language", "en");
  match(again.stdout, /Skipped +4 \(4 files of this program\)/);
  const status = await sandbox.run("status", ...args, "--json");
  deepEqual(JSON.parse(status.stdout).data.folders[0].stale, { new: 0, changed: 0, removed: 0 });
  const inChinese = await sandbox.run("status", ...args, "--language", "zh");
  match(inChinese.stdout, /跳过 +4 \(本程序自己的文件 4 个\)/);
});

Deno.test({
  name: "the target of a link to the configuration counts as a file of the program",
  ignore: ON_WINDOWS,
  fn: async () => {
    await using sandbox = await allInside();
    await Deno.symlink(join(sandbox.folder, "conf/config.yaml"), join(sandbox.cwd, "linked.yaml"));
    const run = await sandbox.run("--config", "linked.yaml", "-d", sandbox.folder, "--json");
    deepEqual(JSON.parse(run.stdout).data.skipped, { own: 4 });
  },
});

Deno.test("read_raw_file refuses the program's own files", async () => {
  await using sandbox = await allInside();
  const config = ["--config", "文档 docs/conf/config.yaml"];
  await using server = await openPipe(sandbox, [...config, "-d", sandbox.folder]);
  await server.send(
    call(1, "read_raw_file", { file_path: "conf/config.yaml" }),
    call(2, "read_raw_file", { file_path: "user/key.txt" }),
    call(3, "read_raw_file", { file_path: "conf/note.txt" }),
  );
  const answers = await server.receive(3);
  const errors = answers.toSorted((a, b) => a.id - b.id).map(({ result }) => result.isError ?? false);
  deepEqual(errors, [true, true, false]);
  const { code } = await server.end();
  equal(code, 0);
});
