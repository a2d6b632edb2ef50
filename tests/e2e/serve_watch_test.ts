import { equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { posixTest } from "../_posix.ts";
import { finds, findsNot, openPipe } from "./_mcp_pipe.ts";
import { makeSandbox, smokeTest } from "./_program.ts";

const TEA = { "tea.md": "# Tea\n\nGreen tea wants 80 degrees.\n" };

const EN = ["--language", "en"];

smokeTest(
  "a running server finds files that are written, saved by rename, made in new folders, and removed",
  async (start, t) => {
    await using sandbox = await makeSandbox(TEA, { start });
    const at = (...path: string[]) => join(sandbox.folder, ...path);
    await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, ...EN]);
    await pipe.searchUntil("green tea", finds("80 degrees"));

    await t.step("a new file", async () => {
      await Deno.writeTextFile(at("airship.md"), "# Zeppelin\n\nA rigid airship.\n");
      await pipe.searchUntil("zeppelin", finds("A rigid airship"));
    });
    await t.step("a file that is saved by rename, as editors do", async () => {
      await Deno.writeTextFile(at(".tea.md.swp"), "# Tea\n\nGreen tea wants 75 degrees.\n");
      await Deno.rename(at(".tea.md.swp"), at("tea.md"));
      await pipe.searchUntil("green tea", finds("75 degrees"));
    });
    await t.step("a file in a folder that is new, and another one there later", async () => {
      await Deno.mkdir(at("new", "deep"), { recursive: true });
      await Deno.writeTextFile(at("new", "deep", "one.md"), "The lighthouse keeper.\n");
      await pipe.searchUntil("lighthouse", finds("The lighthouse keeper"));
      await Deno.writeTextFile(at("new", "deep", "two.md"), "The harbour master.\n");
      await pipe.searchUntil("harbour", finds("The harbour master"));
    });
    await t.step("a file that is removed, and a folder", async () => {
      await Deno.remove(at("airship.md"));
      await pipe.searchUntil("zeppelin", findsNot("A rigid airship"));
      await Deno.remove(at("new"), { recursive: true });
      await pipe.searchUntil("lighthouse", findsNot("lighthouse keeper"));
    });
    await t.step("a folder that is removed and made again with the same name", async () => {
      await Deno.mkdir(at("new"));
      await Deno.writeTextFile(at("new", "three.md"), "The ferry pilot.\n");
      await pipe.searchUntil("ferry pilot", finds("The ferry pilot"));
      await Deno.writeTextFile(at("new", "four.md"), "The tide table.\n");
      await pipe.searchUntil("tide table", finds("The tide table"));
    });
    await t.step("a rule that leaves a file out", async () => {
      await Deno.writeTextFile(at(".gitignore"), "three.md\n");
      await pipe.searchUntil("ferry pilot", findsNot("The ferry pilot"));
    });
    const { code, stderr } = await pipe.end();
    equal(code, 0);
    equal(stderr.match(/Updated the index/g)?.length, 1, stderr);
  },
);

Deno.test("a running server closes the indexes that were replaced", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using sandbox = await makeSandbox(TEA);
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, ...EN]);
  await pipe.searchUntil("green tea", finds("80 degrees"));
  for (const degrees of [70, 71, 72, 73, 74, 75]) {
    await Deno.writeTextFile(
      join(sandbox.folder, "tea.md"),
      `# Tea\n\nGreen tea wants ${degrees} degrees.\n`,
    );
    await pipe.searchUntil("green tea", finds(`${degrees} degrees`));
  }
  // The update closes its index a moment after a search has found the new one.
  const latest = Date.now() + 20_000;
  while (await replacedIndexes(pipe.pid) > 0 && Date.now() < latest) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  equal(await replacedIndexes(pipe.pid), 0);
});

/** Number of replaced index files that a process has open. */
async function replacedIndexes(pid: number): Promise<number> {
  const links = await Array.fromAsync(
    Deno.readDir(`/proc/${pid}/fd`),
    ({ name }) => Deno.readLink(`/proc/${pid}/fd/${name}`).catch(() => ""),
  );
  return links.filter((link) => link.includes("index.bin") && link.endsWith("(deleted)")).length;
}

Deno.test("a folder that disappears is reported once, and served again when it is back", async () => {
  await using sandbox = await makeSandbox(TEA);
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, ...EN]);
  await pipe.searchUntil("green tea", finds("80 degrees"));
  const away = join(sandbox.cwd, "away");
  await Deno.rename(sandbox.folder, away);
  await pipe.searchUntil("green tea", finds(`The folder ${sandbox.folder} is gone and was not searched`));
  await Deno.writeTextFile(join(away, "airship.md"), "# Zeppelin\n\nA rigid airship.\n");
  // The server looks every two seconds whether the folder is there.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  await Deno.rename(away, sandbox.folder);
  await pipe.searchUntil("green tea", finds("80 degrees"));
  await pipe.searchUntil("zeppelin", finds("A rigid airship"));
  await Deno.writeTextFile(join(sandbox.folder, "ship.md"), "A sailing ship.\n");
  await pipe.searchUntil("sailing ship", finds("A sailing ship"));
  const { code, stderr } = await pipe.end();
  equal(code, 0);
  equal(stderr.match(/The folder .* is gone\. Its index will be updated again/g)?.length, 1, stderr);
});

Deno.test("a folder that cannot be indexed is reported once, and its old index is searched", {
  ignore: Deno.build.os === "windows" || Deno.uid() === 0,
}, async () => {
  await using sandbox = await makeSandbox(TEA);
  await sandbox.run`--dir ${sandbox.folder} --quiet`;
  const data = join(sandbox.folder, ".muxue_rag");
  await Deno.chmod(data, 0o500);
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, ...EN]);
  await pipe.searchUntil("green tea", finds("80 degrees"));
  await Deno.writeTextFile(join(sandbox.folder, "tea.md"), "Green tea wants 75 degrees.\n");
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const { code, stderr } = await pipe.end();
  await Deno.chmod(data, 0o700);
  equal(code, 0);
  equal(stderr.match(/could not be updated/g)?.length, 1, stderr);
});

posixTest("what lies behind a link is neither watched nor indexed", async () => {
  await using sandbox = await makeSandbox(TEA);
  const outside = join(sandbox.cwd, "outside");
  await Deno.mkdir(outside);
  await Deno.symlink(outside, join(sandbox.folder, "link"));
  await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, ...EN]);
  await pipe.searchUntil("green tea", finds("80 degrees"));
  await Deno.writeTextFile(join(outside, "secret.md"), "The zeppelin secret.\n");
  await Deno.writeTextFile(join(sandbox.folder, "airship.md"), "A rigid zeppelin.\n");
  const text = await pipe.searchUntil("zeppelin", finds("A rigid zeppelin"));
  ok(!text.includes("secret"));
  match((await pipe.end()).stderr, /1 new/);
});
