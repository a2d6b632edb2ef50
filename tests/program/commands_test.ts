import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { place } from "./_place.ts";
import { message, shellWord } from "#foundation/messages/mod.ts";
import { takeBundled } from "#program/prepare.ts";
import { UserError } from "#foundation/errors.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { fakeContext } from "./_fake_io.ts";

/** Three folders: `.muxue_rag` is a file in the second, so that it cannot be searched. */
async function threeFolders(dir: string): Promise<string[]> {
  for (const name of ["a", "b", "c"]) {
    await Deno.mkdir(join(dir, name));
    await Deno.writeTextFile(join(dir, name, `${name}.txt`), "Tomato soup, every day.\n");
  }
  await Deno.writeTextFile(join(dir, "b", ".muxue_rag"), "in the way");
  return ["--dir", "a", "--dir", "b", "--dir", "c"];
}

Deno.test("config init explains why it cannot write to a path", async () => {
  await using work = await place();
  await Deno.mkdir(work.at("folder"));
  await Deno.writeTextFile(work.at("file"), "");
  for (const force of [[], ["--force"]]) {
    deepEqual(await work.run(["config", "init", "--config", "missing/my.yaml", ...force]), {
      code: 2,
      stdout: "",
      stderr: `Error: The folder ${work.at("missing")} does not exist, so ${
        work.at("missing", "my.yaml")
      } cannot be written. Create the folder, or choose another path\n`,
    });
    equal((await work.run(["config", "init", "--config", "file/my.yaml", ...force])).code, 2);
    deepEqual(await work.run(["config", "init", "--config", "folder", ...force]), {
      code: 2,
      stdout: "",
      stderr: `Error: ${work.at("folder")} is a folder, not a configuration file\n`,
    });
  }
  if (Deno.build.os === "windows" || Deno.uid() === 0) return;
  await Deno.chmod(work.at("folder"), 0o500);
  const refused = await work.run(["config", "init", "--config", "folder/my.yaml"]);
  equal(refused.code, 1);
  match(
    refused.stderr,
    /^Error: Cannot write .*my\.yaml: .*\. Check the permissions, or choose another path/,
  );
});

Deno.test("config init --force replaces a link by a new file and leaves no temporary file", async () => {
  if (Deno.build.os === "windows") return;
  await using work = await place();
  await Deno.writeTextFile(work.at("precious.txt"), "precious");
  await Deno.symlink("precious.txt", work.at("config.yaml"));
  equal((await work.run(["config", "init"])).code, 1, "a link is a file that exists");
  equal((await work.run(["config", "init", "--force"])).code, 0);
  equal(await Deno.readTextFile(work.at("precious.txt")), "precious");
  equal((await Deno.lstat(work.at("config.yaml"))).isFile, true);
  deepEqual([...Deno.readDirSync(work.dir)].map(({ name }) => name).sort(), ["config.yaml", "precious.txt"]);
});

Deno.test("restore explains why a file is not a backup", async () => {
  await using work = await place();
  await Deno.mkdir(work.at("notes"));
  await Deno.writeTextFile(work.at("file"), "");
  deepEqual(await work.run(["restore", "notes", "--dir", "notes"]), {
    code: 2,
    stdout: "",
    stderr: `Error: ${work.at("notes")} is not a regular file. Name a file, not a folder or a device\n`,
  });
  for (const path of [["missing.bin"], ["file", "x.bin"]]) {
    deepEqual(await work.run(["restore", join(...path), "--dir", "notes"]), {
      code: 2,
      stdout: "",
      stderr: `Error: The backup file ${work.at(...path)} does not exist\n`,
    });
  }
});

Deno.test("status shows the problem of one folder and continues with the others", async () => {
  await using work = await place();
  const dirs = await threeFolders(work.dir);
  await work.run(["--dir", "a", "--quiet"]);
  const text = await work.run(["status", ...dirs]);
  deepEqual([text.code, text.stderr], [0, ""]);
  const blocks = text.stdout.split("\n\n");
  deepEqual(blocks.map((block) => block.split("\n").slice(0, 2)), [
    [work.at("a"), "  State       ready"],
    [work.at("b"), "  State   unusable"],
    [work.at("c"), "  State  not indexed"],
  ]);
  match(blocks[1] ?? "", /\n {2}Reason {2}.*\.muxue_rag is not a regular folder or file/);

  const { data } = JSON.parse((await work.run(["status", ...dirs, "--json"])).stdout);
  deepEqual(data.folders.map(({ state }: { state: string }) => state), ["ready", "unusable", "missing"]);
  equal((await work.run(["status", "--dir", "b"])).code, 1, "nothing could be told");
});

Deno.test("search leaves out a folder that cannot be used, with a warning", async () => {
  await using work = await place();
  const dirs = await threeFolders(work.dir);
  const answer = await work.run(["search", "tomato", ...dirs]);
  equal(answer.code, 0, answer.stderr);
  match(answer.stdout, /a\.txt:1 [^]*c\.txt:1 /);
  const notes = answer.stderr.split("\n");
  equal(notes[0], `Updated the index of ${work.at("a")}: 1 new, 0 changed, 0 renamed, 0 removed`);
  match(notes[1] ?? "", /^Note: Skipped the folder .*b: .*\.muxue_rag is not a regular folder or file/);
  equal(notes[2], `Updated the index of ${work.at("c")}: 1 new, 0 changed, 0 renamed, 0 removed`);
  equal(notes.length, 4);
  const asItIs = await work.run(["search", "tomato", ...dirs, "--no-update"]);
  equal(asItIs.code, 0, asItIs.stderr);
  match(asItIs.stderr, /^Note: The index of .*b is damaged .*b\n$/);
  const alone = await work.run(["search", "tomato", "--dir", "b"]);
  deepEqual([alone.code, alone.stdout], [1, ""]);
  match(alone.stderr, /^Error: .*\.muxue_rag is not a regular folder or file/);
});

const damaged = [
  ["alone", [], /Rebuilt from scratch: The index is damaged \(checksum of bytes/],
  ["beside another", ["--dir", "more", "--language", "zh"], /全量重建：索引已损坏（checksum of bytes/],
] as const;
for (const [others, flags, said] of damaged) {
  Deno.test(`search builds an index again in which it finds damage, ${others}`, async () => {
    await using work = await place();
    for (const name of ["notes", "more"]) await Deno.mkdir(work.at(name));
    const lines = Array.from({ length: 4000 }, (_, i) => `Line ${i} is about soup number ${i * 7919}.\n`);
    await Deno.writeTextFile(work.at("notes", "soup.txt"), lines.join(""));
    await Deno.writeTextFile(work.at("more", "more.txt"), "More about soup.\n");
    equal((await work.run(["--dir", "notes", "--quiet"])).code, 0);
    const path = work.at("notes", ".muxue_rag", "index.bin");
    const bytes = await Deno.readFile(path);
    const at = new TextDecoder("latin1").decode(bytes).indexOf("Line 2000 is");
    bytes[at]! ^= 1;
    await Deno.writeFile(path, bytes);
    const asked = ["search", "soup number 15838000", "--dir", "notes", "--top-k", "1", ...flags];
    const answer = await work.run(asked);
    equal(answer.code, 0, answer.stderr);
    match(answer.stdout, /Line 2000 is about soup number 15838000/);
    match(answer.stderr, said);
  });
}

Deno.test("search refuses a query that is too long before anything is indexed", async () => {
  await using work = await place();
  await Deno.mkdir(work.at("notes"));
  deepEqual(await work.run(["search", "x".repeat(4001), "--dir", "notes"]), {
    code: 2,
    stdout: "",
    stderr: "Error: The query is too long: 4001 characters; the limit is 4000. Shorten it\n",
  });
  deepEqual([...Deno.readDirSync(work.at("notes"))], []);
});

Deno.test("commands on all folders name a missing folder and a damaged entry", async () => {
  const files = ["a", "b", "c"].map((name) => [`${name}/${name}.txt`, "Tomato soup, every day.\n"]);
  await using here = await place(Object.fromEntries(files));
  const { dir } = here;
  const program = (...argv: string[]) => here.run(argv);
  const entryOf: Record<string, string> = {};
  for (const name of ["a", "b", "c"]) {
    const before = await here.list("state/folders");
    equal((await program("--dir", name)).code, 0);
    const entry = (await here.list("state/folders")).find((entry) => !before.includes(entry));
    entryOf[name] = here.at("state/folders", entry!);
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

Deno.test("a command that a message suggests names the folder and the configuration file of the command line", async () => {
  await using here = await place({
    "my notes/photo.jpg": "\x01",
    "rag.yaml": "embedding: {provider: none}\n",
  });
  const [notes, file] = [here.at("my notes"), here.at("rag.yaml")];
  const stderrOf = async (...argv: string[]) => {
    const { code, stderr } = await here.run(argv);
    equal(code, 0, stderr);
    return stderr;
  };
  await stderrOf("index", notes, "-c", "rag.yaml", "--quiet");
  const found = await stderrOf("search", "tea", "--dir", notes, "-c", "rag.yaml");
  const named = `muxue_rag status --files --dir ${shellWord(notes)}`;
  deepEqual(found.slice(found.indexOf("muxue_rag status")), `${named} -c ${shellWord(file)}\n`);
  equal(
    message("en", "folder_without_index", { path: notes }).split("Run: ")[1],
    `muxue_rag --dir ${shellWord(notes)} -c ${shellWord(file)}`,
  );
  const without = await stderrOf("search", "tea", "--dir", notes, "--no-update");
  deepEqual(without.slice(without.indexOf("muxue_rag status")).split("\n")[0], named);
  equal(message("en", "folder_without_index", { path: "/tea" }).split("Run: ")[1], "muxue_rag --dir /tea");
});

Deno.test("models of the program that cannot be installed give a warning with the reason", async () => {
  using dir = new TempDir();
  for (
    const [path, error, text] of [
      [dir.path, new UserError("model_busy"), "Another process is installing or removing models"],
      [
        dir.path,
        new UserError("model_disk_full", { path: "/m" }),
        "The disk is full, so /m could not be written",
      ],
      [dir.at("file/models"), undefined, "Cannot write to "],
    ] as const
  ) {
    dir.write("file", "");
    const { context, stderr } = fakeContext({ language: "en" });
    await takeBundled(path, context, () => error === undefined ? Promise.resolve([]) : Promise.reject(error));
    const start = "Note: The models in this program could not be installed and are not used: ";
    equal(stderr().slice(0, start.length + text.length), start + text);
  }
});
