import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { ask, finds, findsNot } from "./_ask.ts";
import { openPipe } from "./_mcp_pipe.ts";
import { makeSandbox, type Sandbox } from "./_program.ts";

/** Lets another process write into the folder, and waits until it has ended. */
async function write(sandbox: Sandbox, how: "synchronise" | "check out", count: number): Promise<void> {
  const script = fileURLToPath(new URL("./_other_writer.ts", import.meta.url));
  const args = ["run", "--quiet", "--no-check", "--allow-all", script, how, sandbox.folder, `${count}`];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  ok(success, new TextDecoder().decode(stderr));
}

/** How the folder differs from its index, and the indexed files. */
async function stateOf(sandbox: Sandbox): Promise<{ stale: object; paths: string[] }> {
  const status = async (...flags: string[]) => {
    const { stdout } = await sandbox.run("status", "--dir", sandbox.folder, "--json", ...flags);
    return JSON.parse(stdout).data.folders[0];
  };
  const { stale } = await status();
  const files: { path: string; state: string }[] = (await status("--files")).files;
  return { stale, paths: files.filter(({ state }) => state === "indexed").map(({ path }) => path) };
}

const CURRENT = { new: 0, changed: 0, removed: 0 };

Deno.test("a server follows a folder that a cloud client synchronises", async () => {
  await using sandbox = await makeSandbox({ "tea.md": "Green tea wants 80 degrees.\n" });
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--language", "en"]);
  await ask(pipe, "green tea", finds("80 degrees"));
  await write(sandbox, "synchronise", 20);
  await ask(pipe, "lighthouse 19", finds("The lighthouse 19, final"));
  await ask(pipe, "conflict", finds("The lighthouse 0, conflict"));
  await ask(pipe, "placeholder", findsNot("placeholder text"));
  await ask(pipe, "green tea", findsNot("Indexing is in progress"));
  const { stale, paths } = await stateOf(sandbox);
  deepEqual(stale, CURRENT);
  equal(paths.filter((path) => /tmp|~|draft/.test(path)).length, 0, paths.join());
  equal((await pipe.end()).code, 0);
});

Deno.test("a server follows a checkout of many files, and one of another branch", async () => {
  await using sandbox = await makeSandbox({ "tea.md": "Green tea wants 80 degrees.\n" });
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--language", "en"]);
  await ask(pipe, "green tea", finds("80 degrees"));
  await write(sandbox, "check out", 1500);
  await ask(pipe, "harbour 1499", finds("The harbour 1499, first"));
  await write(sandbox, "check out", 1400);
  await ask(pipe, "harbour 7", finds("The harbour 7, second"));
  await ask(pipe, "harbour 1499", findsNot("The harbour 1499"));
  await Deno.writeTextFile(join(sandbox.folder, "last.md"), "The last word.\n");
  await ask(pipe, "last word", finds("The last word"));
  // the last word may be indexed before the rest of the branch
  while (!isDeepStrictEqual((await stateOf(sandbox)).stale, CURRENT));
  equal((await pipe.end()).code, 0);
});
