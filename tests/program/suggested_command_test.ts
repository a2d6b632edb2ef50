import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { run } from "#program/mod.ts";
import { message, shellWord } from "#foundation/messages/mod.ts";
import { fakeContext } from "./_fake_io.ts";

Deno.test("a command that a message suggests names the folder and the configuration file of the command line", async () => {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  const notes = join(dir, "my notes");
  const file = join(dir, "rag.yaml");
  const env = {
    MUXUE_RAG_STATE_DIR: join(dir, "state"),
    MUXUE_RAG_CONFIG_DIR: join(dir, "settings"),
    MUXUE_RAG_LANGUAGE: "en",
  };
  const stderrOf = async (...argv: string[]) => {
    const { context, stderr } = fakeContext({ io: { cwd: dir, env } });
    equal(await run(argv, context.io, "1.2.3"), 0, stderr());
    return stderr();
  };
  try {
    await Deno.mkdir(notes);
    await Deno.writeFile(join(notes, "photo.jpg"), Uint8Array.of(1));
    await Deno.writeTextFile(file, "embedding: {provider: none}\n");
    await stderrOf("index", notes, "-c", "rag.yaml", "--quiet");
    const found = await stderrOf("search", "tea", "--dir", notes, "-c", "rag.yaml");
    const named = `muxue_rag status --files --dir ${shellWord(notes)}`;
    deepEqual(found.slice(found.indexOf("muxue_rag")), `${named} -c ${shellWord(file)}\n`);
    equal(
      message("en", "folder_without_index", { path: notes }).split("Run: ")[1],
      `muxue_rag --dir ${shellWord(notes)} -c ${shellWord(file)}`,
    );
    const without = await stderrOf("search", "tea", "--dir", notes, "--no-update");
    deepEqual(without.slice(without.indexOf("muxue_rag")).split("\n")[0], named);
    equal(message("en", "folder_without_index", { path: "/tea" }).split("Run: ")[1], "muxue_rag --dir /tea");
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
