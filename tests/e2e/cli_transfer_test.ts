import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { makeIndexed, makeSandbox, NOTES, program, type Sandbox, spawnIn } from "./_program.ts";

const QUESTION = "How is the archive unpacked?";

/** Returns the answer of a search without an update. Its time and the notes on changed files are left out: the other machine has other ones. */
async function hitsIn({ run, folder, cwd }: Sandbox): Promise<string> {
  const { code, stdout, stderr } = await run`search ${QUESTION} --dir ${folder} --no-update --quiet`;
  equal(code, 0, stderr);
  return stdout.replaceAll(cwd, "CWD").replace(/[\d.]+ s\n$/, "").replaceAll(
    "  （旧内容，文件已有改动）",
    "",
  );
}

Deno.test("an export goes through a pipe to another machine, where the same question has the same hits", async () => {
  await using here = await makeIndexed(NOTES);
  await using there = await makeSandbox(NOTES);
  const exporting = spawnIn(here, program(["export", here.folder, "--to", "-", "--language", "en"]), "null");
  const importing = spawnIn(there, program(["import", "-", "--dir", there.folder, "--language", "en"]));
  const texts = Promise.all(
    [exporting.stderr, importing.stdout, importing.stderr].map((stream) => new Response(stream).text()),
  );
  await exporting.stdout.pipeTo(importing.stdin);
  const [said, done, errors] = await texts;
  deepEqual([(await exporting.status).code, (await importing.status).code], [0, 0], `${said}${errors}`);
  match(said!, /Exported .*文档 docs \(.* [kM]?B\): \d+ files, \d+ chunks/);
  match(done!, /Imported to .*文档 docs: \d+ files/);
  const hits = await hitsIn(there);
  equal(hits, await hitsIn(here));
  match(hits, /archive/);
});

Deno.test("an export is a file that is not overwritten, and that replaces an index only when the user agrees", async () => {
  await using here = await makeIndexed(NOTES);
  const { folder, cwd } = here;
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await here.run(...args, "--language", "en");
    return { code, text: `${stdout}${stderr}` };
  };
  const first = await run("export", folder);
  equal(first.code, 0, first.text);
  const [file] = [...Deno.readDirSync(cwd)].filter(({ name }) => name.endsWith(".muxue_export"));
  match(file!.name, /^文档 docs-\d{8}-\d{6}\.muxue_export$/);
  const path = join(cwd, file!.name);
  deepEqual(await run("export", folder, "--to", path, "--quiet"), {
    code: 1,
    text: `Error: The file already exists: ${path}. Choose another path\n`,
  });
  deepEqual(await run("import", path, "--dir", folder, "--quiet"), {
    code: 2,
    text:
      "Error: There is no terminal to ask for confirmation, so nothing was changed. To confirm, add --yes\n",
  });
  match((await run("import", path, "--dir", folder, "--yes")).text, /Imported to/);
  await Deno.writeTextFile(join(folder, "new.md"), "# New\n\nA new text.\n");
  await here.run`index ${folder}`;
  const older = await run("import", path, "--dir", folder, "--yes", "--quiet");
  deepEqual([older.code, /is newer than .*--force/.test(older.text)], [1, true], older.text);
  await Deno.truncate(path, Math.floor((await Deno.stat(path)).size / 2));
  const torn = await run("import", path, "--dir", folder, "--force", "--yes", "--quiet");
  deepEqual([torn.code, torn.text], [
    1,
    `Error: ${path} is not an export, or it is damaged or incomplete (it ends too early). The index stays as it was. Export the collection again\n`,
  ]);
  const elsewhere = join(cwd, "elsewhere");
  await Deno.mkdir(elsewhere);
  await run("export", folder, "--to", join(cwd, "moved"), "--quiet");
  const few = await run("import", join(cwd, "moved"), "--dir", elsewhere, "--yes", "--quiet");
  deepEqual(
    [few.code, /^Error: Only 0 of its \d+ files are in .*--force\n$/.test(few.text)],
    [2, true],
    few.text,
  );
  equal((await run("import", join(cwd, "moved"), "--dir", elsewhere, "--force", "--quiet")).code, 0);
  equal((await run("import", join(cwd, "none"), "--dir", folder)).code, 2);
});
