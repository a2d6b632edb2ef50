import { equal, match } from "node:assert/strict";
import { join } from "node:path";
import { run } from "#program/mod.ts";
import { fakeContext } from "./_fake_io.ts";

Deno.test("commands on all folders name a missing folder and a damaged entry", async () => {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  await using _ = { [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }) };
  const env = {
    MUXUE_RAG_STATE_DIR: join(dir, "state"),
    MUXUE_RAG_CONFIG_DIR: join(dir, "settings"),
    MUXUE_RAG_LANGUAGE: "en",
  };
  const program = async (...argv: string[]) => {
    const { context, stdout, stderr } = fakeContext({ io: { cwd: dir, env } });
    return { code: await run(argv, context.io, "1.2.3"), stdout: stdout(), stderr: stderr() };
  };
  const entries = join(dir, "state", "folders");
  const entryOf: Record<string, string> = {};
  for (const name of ["a", "b", "c"]) {
    await Deno.mkdir(join(dir, name));
    await Deno.writeTextFile(join(dir, name, `${name}.txt`), "Tomato soup, every day.\n");
    const before = Array.from(await names(entries));
    equal((await program("--dir", name)).code, 0);
    entryOf[name] = join(entries, (await names(entries)).find((entry) => !before.includes(entry))!);
  }
  await Deno.remove(join(dir, "b"), { recursive: true });
  await Deno.writeTextFile(entryOf["c"]!, "");
  const warnings = `Note: ${
    entryOf["c"]
  }, an entry in the list of indexed folders, is damaged, so the folder it stands for was skipped. Index that folder again (muxue_rag --dir DIR), or delete the file\nNote: The indexed folder ${
    join(dir, "b")
  } no longer exists, or a link has replaced it, so it was skipped. If you no longer need it, delete ${
    entryOf["b"]
  }\n`;
  for (const argv of [["search", "soup", "--all"], ["status", "--all"]]) {
    const { code, stdout, stderr } = await program(...argv);
    equal(code, 0);
    equal(stdout.includes(join(dir, "a")), true);
    equal(stderr, warnings);
  }
  await Deno.remove(join(dir, "a"), { recursive: true });
  const none = await program("status");
  equal(none.code, 2);
  match(none.stderr, /b no longer exists/);
  equal((await program("--dir", "c")).code, 0);
  equal((await program("status")).stdout.startsWith(join(dir, "c")), true);
});

async function names(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  } catch {
    return [];
  }
}
