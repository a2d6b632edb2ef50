import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { finds, findsNot, openPipe, type Pipe } from "./_mcp_pipe.ts";
import { makeSandbox, output, type Sandbox } from "./_program.ts";

/** Lets another process write into the folder, and waits until it has ended. */
async function write(sandbox: Sandbox, how: "synchronise" | "check out", count: number): Promise<void> {
  const script = fileURLToPath(new URL("./_other_writer.ts", import.meta.url));
  const args = ["run", "--quiet", "--no-check", "--allow-all", script, how, sandbox.folder, `${count}`];
  const { code, stderr } = await output(Deno.execPath(), args);
  equal(code, 0, stderr);
}

/** How the folder differs from its index, and the indexed files. */
async function stateOf(sandbox: Sandbox): Promise<{ stale: object; paths: string[] }> {
  const status = async (...flags: string[]) => {
    const { stdout } = await sandbox.run`status --dir ${sandbox.folder} --json ${flags}`;
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
  await pipe.searchUntil("green tea", finds("80 degrees"));
  await write(sandbox, "synchronise", 20);
  await pipe.searchUntil("lighthouse 19", finds("The lighthouse 19, final"));
  await pipe.searchUntil("conflict", finds("The lighthouse 0, conflict"));
  await pipe.searchUntil("placeholder", findsNot("placeholder text"));
  await pipe.searchUntil("green tea", findsNot("Indexing is in progress"));
  const { stale, paths } = await stateOf(sandbox);
  deepEqual(stale, CURRENT);
  equal(paths.filter((path) => /tmp|~|draft/.test(path)).length, 0, paths.join());
  equal((await pipe.end()).code, 0);
});

Deno.test("a server follows a checkout of many files, and one of another branch", async () => {
  await using sandbox = await makeSandbox({ "tea.md": "Green tea wants 80 degrees.\n" });
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--language", "en"]);
  await pipe.searchUntil("green tea", finds("80 degrees"));
  await write(sandbox, "check out", 1500);
  await pipe.searchUntil("harbour 1499", finds("The harbour 1499, first"));
  await write(sandbox, "check out", 1400);
  await pipe.searchUntil("harbour 7", finds("The harbour 7, second"));
  await pipe.searchUntil("harbour 1499", findsNot("The harbour 1499"));
  await Deno.writeTextFile(join(sandbox.folder, "last.md"), "The last word.\n");
  await pipe.searchUntil("last word", finds("The last word"));
  // the last word may be indexed before the rest of the branch
  while (!isDeepStrictEqual((await stateOf(sandbox)).stale, CURRENT));
  equal((await pipe.end()).code, 0);
});

Deno.test("of two servers on one folder each finds a change, also after the one that writes was killed", async () => {
  await using sandbox = await makeSandbox({ "tea.md": "# Tea\n\nGreen tea wants 80 degrees.\n" });
  const argv = ["--dir", sandbox.folder, "--language", "en"];
  await using first = await openPipe(sandbox, argv);
  await first.searchUntil("green tea", finds("80 degrees"));
  await using second = await openPipe(sandbox, argv);
  await second.searchUntil("green tea", finds("80 degrees"));
  await Deno.writeTextFile(join(sandbox.folder, "airship.md"), "# Zeppelin\n\nA rigid airship.\n");
  await Promise.all([first, second].map((pipe) => pipe.searchUntil("zeppelin", finds("A rigid airship"))));

  const { writer, passage } = await writerOf(join(sandbox.folder, "words.txt"), first, second);
  Deno.kill(writer.pid, "SIGKILL");
  const other = writer === first ? second : first;
  await other.searchUntil("lighthouse keeper", finds(passage));
  await Deno.writeTextFile(join(sandbox.folder, "ship.md"), "A sailing ship.\n");
  await other.searchUntil("sailing ship", finds("A sailing ship"));
  deepEqual((await other.end()).code, 0);
  await writer.end();
});

/**
 * Writes a text into a file until a server is seen in the middle of indexing it: its answers tell the progress. If the update
 * ends before, the next text is twice as long. Returns the server, and the last passage of the text.
 */
async function writerOf(file: string, ...pipes: readonly Pipe[]) {
  for (let length = 200_000;; length *= 2) {
    const words = Array.from({ length }, (_, at) => (at * 7919 % 99_991).toString(36)).join(" ");
    const passage = `The lighthouse keeper saw ${length} ships.`;
    await Deno.writeTextFile(file, `${words}\n\n${passage}\n`);
    for (let isOver = false; !isOver;) {
      for (const pipe of pipes) {
        const answer: string = (await pipe.search("lighthouse keeper")).result.content[0].text;
        if (/(?:Indexing is in progress|The index is being built now).*\([1-9]\d* %\)/.test(answer)) {
          return { writer: pipe, passage };
        }
        isOver ||= answer.includes(passage);
      }
    }
  }
}
