import assert from "node:assert/strict";
import { type Found, walk, type WalkOptions } from "#library/corpus/mod.ts";
import { assertUserError, IS_ROOT, ON_WINDOWS, TempDir } from "../../foundation/boundary/helpers.ts";

const DEFAULTS: WalkOptions = { include: [], exclude: [], ignoreFiles: true, maxFileBytes: 1_000_000 };

async function all(root: string, options: Partial<WalkOptions> = {}): Promise<Found[]> {
  return await Array.fromAsync(walk(root, { ...DEFAULTS, ...options }));
}

/** One line for each result: `file a.txt`, `hidden .git`. */
async function lines(root: string, options: Partial<WalkOptions> = {}): Promise<string[]> {
  return (await all(root, options)).map((found) =>
    `${found.kind === "skipped" ? found.reason : found.kind} ${found.path}`
  );
}

const HANG = "*a".repeat(20) + "b";

Deno.test("walk() yields path, size and time of each file", async () => {
  using temp = new TempDir();
  const path = temp.write("文档/日记 100% 🎉.txt", "12345");
  Deno.utimeSync(path, 1_700_000_000, 1_700_000_000);
  const { ctime } = Deno.lstatSync(path);
  assert.deepEqual(await all(temp.path), [
    {
      kind: "file",
      path: "文档/日记 100% 🎉.txt",
      size: 5,
      mtimeMs: 1_700_000_000_000,
      ...(ctime ? { ctimeMs: ctime.getTime() } : {}),
    },
  ]);
});

/** Tests by their name: the files with their contents (of no matter where there is none), what is listed, and the options. */
const CASES: Readonly<
  Record<
    string,
    readonly [files: string | Record<string, string>, listed: string, options?: Partial<WalkOptions>]
  >
> = {
  "yields results sorted by full path": [
    "b.txt a/z.txt a-b.txt a.txt a0.txt a/b/c.txt C.txt é.txt",
    "file C.txt, file a-b.txt, file a.txt, file a/b/c.txt, file a/z.txt, file a0.txt, file b.txt, file é.txt",
  ],
  "reports each hidden entry once, and never .muxue_rag": [
    ".git/config .git/HEAD .env sub/.muxue_rag/index.bin .muxue_rag/x a.txt",
    "hidden .env, hidden .git, file a.txt",
  ],
  "skips empty, large and binary files": [
    {
      ...{ "empty.txt": "", "large.txt": "x".repeat(11), "fits.txt": "x".repeat(10) },
      ...filesOf("picture.PNG run.sh unknown"),
    },
    "empty empty.txt, file fits.txt, too_large large.txt, image picture.PNG, file run.sh, file unknown",
    { maxFileBytes: 10 },
  ],
  "obeys .gitignore at every level; the deeper file wins": [
    {
      ".gitignore": "# comment\r\n*.log\r\n/top.txt\r\nbuild/\r\n\r\n",
      "sub/.gitignore": "!keep.log\nlocal.txt\n/only-here.txt\n!build/\n",
      ...filesOf("top.txt a.log build/a.txt sub/top.txt sub/keep.log sub/other.log sub/local.txt local.txt"),
      ...filesOf("sub/deep/local.txt sub/deep/only-here.txt sub/only-here.txt sub/build/a.txt"),
    },
    "hidden .gitignore, ignored a.log, ignored build, file local.txt, hidden sub/.gitignore, file sub/build/a.txt, " +
    "ignored sub/deep/local.txt, file sub/deep/only-here.txt, file sub/keep.log, ignored sub/local.txt, " +
    "ignored sub/only-here.txt, ignored sub/other.log, file sub/top.txt, ignored top.txt",
  ],
  "lets .muxueragignore override .gitignore, except inside an ignored folder": [
    {
      ".gitignore": "*.csv\nclosed/\n",
      ".muxueragignore": "!data.csv\nnotes.txt\n!closed/a.txt\n",
      "closed/.gitignore": "!*\n",
      ...filesOf("data.csv other.csv notes.txt closed/a.txt"),
    },
    "hidden .gitignore, hidden .muxueragignore, ignored closed, file data.csv, ignored notes.txt, ignored other.csv",
  ],
  "takes pattern characters in folder names literally": [
    { "[a]/.gitignore": "x.txt\n/y.txt\n", ...filesOf("[a]/x.txt [a]/y.txt [a]/b/y.txt a/x.txt") },
    "hidden [a]/.gitignore, file [a]/b/y.txt, ignored [a]/x.txt, ignored [a]/y.txt, file a/x.txt",
  ],
  "reads no ignore files without ignoreFiles": [
    { ".gitignore": "*\n", "a.txt": "x" },
    "hidden .gitignore, file a.txt",
    { ignoreFiles: false },
  ],
  "handles invalid rules and rules that take a backtracking matcher forever": [
    {
      ".gitignore": ["[z-a", "\\", "!", "/", "**/".repeat(30) + "x", HANG, "[", "ok.txt", "x".repeat(5000)]
        .join("\n"),
      ...filesOf(`${"a".repeat(200)} ok.txt`),
    },
    `hidden .gitignore, file ${"a".repeat(200)}, ignored ok.txt`,
  ],
  "skips exactly the matches of an ignore file with many wildcards": [
    {
      ".gitignore": "*-*-*-*-*.txt\n/a/**/b/**/c/**/d/**/e.md\n*.log\n!*k*e*e*p*.log\n!*k*.keep.log\n",
      "sub/.gitignore": "1*2*3*4*5\n",
      ...filesOf("2024-01-02-03-04.txt 2024-01.txt a/x/b/c/d/e.md a/x/b/c/d/f.md keep.log k.keep.log"),
      ...filesOf("sub/1.2.3.4.5 sub/1.2.3.4.6"),
    },
    "hidden .gitignore, ignored 2024-01-02-03-04.txt, file 2024-01.txt, ignored a/x/b/c/d/e.md, file a/x/b/c/d/f.md, " +
    "file k.keep.log, file keep.log, hidden sub/.gitignore, ignored sub/1.2.3.4.5, file sub/1.2.3.4.6",
  ],
  "obeys every rule of large ignore files": [
    {
      ".gitignore": [
        ...Array.from({ length: 20_000 }, (_, at) => `*.${at}`),
        ...["/" + "x".repeat(1_500), "*.last", `/${"[l]".repeat(1_000)}*`],
      ].join("\n"),
      ".muxueragignore": `${"*".repeat(2_000)}.late`,
      ...filesOf("a.0 a.last a.late"),
    },
    "hidden .gitignore, hidden .muxueragignore, ignored a.0, ignored a.last, ignored a.late",
  ],
  "accepts excluding patterns of the user with many wildcards": [
    "1-2-3-4-5.txt 1-2-3.txt a/b/c/d/e/f.txt",
    "excluded 1-2-3-4-5.txt, file 1-2-3.txt, excluded a/b/c/d/e/f.txt",
    { exclude: ["*-*-*-*-*.txt", "a/**/b/**/c/**/d/**/f.txt", "x".repeat(2000)] },
  ],
  "accepts including patterns of the user with many wildcards": [
    "1-2-3-4-5.txt 1-2-3.txt",
    "file 1-2-3-4-5.txt, excluded 1-2-3.txt",
    { include: ["*-*-*-*-*.txt", "!*-*-*-*-5.txt", "?*-*-*-*-*5.txt"] },
  ],
  "yields only files that include matches and exclude does not": [
    "README.MD docs/a.md docs/b.txt docs/old/c.md src/a.ts docs/logo.png",
    "file README.MD, file docs/a.md, excluded docs/b.txt, excluded docs/logo.png, excluded docs/old, excluded src/a.ts",
    { include: ["*.md"], exclude: ["old/"] },
  ],
  "yields all files of an included folder that exclude does not match": [
    "README.MD docs/a.md docs/b.txt docs/old/c.md src/a.ts docs/logo.png",
    "excluded README.MD, file docs/a.md, excluded docs/b.txt, image docs/logo.png, file docs/old/c.md, excluded src/a.ts",
    { include: ["/docs/"], exclude: ["*.txt"] },
  ],
  "includes a file of a binary type if include names the type or the file": [
    "a.svg run.exe b.exe a.txt",
    "file a.svg, file a.txt, excluded b.exe, file run.exe",
    { include: ["*.svg", "run.exe", "*.txt"] },
  ],
  "decides each name by its own ending, whatever endings its neighbours have": [
    "a.md b.PNG c.png d.md e.MD f.ZIP g.md.zip h.zip.md i.tar.gz j.drawio.png k.drawio.svg l.svg m.exe md n-zip o..md",
    "file a.md, image b.PNG, image c.png, file d.md, file e.MD, archive f.ZIP, archive g.md.zip, file h.zip.md, " +
    "archive i.tar.gz, file j.drawio.png, file k.drawio.svg, image l.svg, binary_type m.exe, file md, file n-zip, " +
    "file o..md",
  ],
  "takes pictures and archives for files if they are read": [
    "a.md b.PNG c.gif d.ZIP e.tar.gz f.rar",
    "file a.md, file b.PNG, image c.gif, file d.ZIP, file e.tar.gz, archive f.rar",
    { pictures: true, archives: true },
  ],
  "obeys nothing in an ignore file of comments, and includes nothing by comments alone": [
    { ".gitignore": "# *.md\n\n", "sub/a.md": "text", "a.md": "text" },
    "hidden .gitignore, excluded a.md, excluded sub/a.md",
    { include: ["# *.md"], exclude: ["#*"] },
  ],
  "does not include a file of a binary type for a pattern of all files": [
    "a.svg run.exe b.exe a.txt",
    "image a.svg, file a.txt, binary_type b.exe, binary_type run.exe",
    { include: ["*"] },
  ],
};

for (const [name, [files, listed, options]] of Object.entries(CASES)) {
  Deno.test(`walk() ${name}`, async () => {
    using temp = new TempDir();
    const written = typeof files === "string" ? filesOf(files) : files;
    for (const [path, content] of Object.entries(written)) temp.write(path, content);
    assert.equal((await lines(temp.path, options)).join(", "), listed);
  });
}

/** Files with some text, by their paths with spaces between them. */
function filesOf(paths: string): Record<string, string> {
  return Object.fromEntries(paths.split(" ").map((path) => [path, "text"]));
}

Deno.test({
  name: "walk() obeys an ignore file in a folder with a very long path",
  ignore: ON_WINDOWS,
  async fn() {
    using temp = new TempDir();
    const deep = `${"文件-".repeat(25)}/`.repeat(14);
    temp.write(`${deep}.gitignore`, "*.log\n");
    temp.write(`${deep}a.log`);
    assert.deepEqual((await lines(temp.path)).filter((line) => line.startsWith("file")), []);
  },
});

Deno.test({
  name: "walk() follows no link and reports where it leads",
  ignore: ON_WINDOWS,
  async fn() {
    using temp = new TempDir();
    temp.write("root/a.txt");
    temp.write("root/sub/b.txt");
    temp.write("outside/secret.txt");
    Deno.symlinkSync("a.txt", temp.at("root/to-file"));
    Deno.symlinkSync("sub", temp.at("root/to-folder"));
    Deno.symlinkSync(".", temp.at("root/to-itself"));
    Deno.symlinkSync("nothing", temp.at("root/to-nothing"));
    Deno.symlinkSync("../outside", temp.at("root/out"));
    Deno.symlinkSync("/etc/passwd", temp.at("root/passwd.txt"));
    assert.deepEqual(await lines(temp.at("root")), [
      "file a.txt",
      "link_outside out",
      "link_outside passwd.txt",
      "file sub/b.txt",
      "link to-file",
      "link to-folder",
      "link to-itself",
      "link to-nothing",
    ]);
  },
});

Deno.test({
  name: "walk() skips pipes without waiting",
  ignore: ON_WINDOWS,
  async fn() {
    using temp = new TempDir();
    await new Deno.Command("mkfifo", { args: [temp.at("pipe.txt")] }).output();
    assert.deepEqual(await lines(temp.path), ["special pipe.txt"]);
  },
});

Deno.test({
  name: "walk() reports an unreadable folder and continues",
  ignore: ON_WINDOWS || IS_ROOT,
  async fn() {
    using temp = new TempDir();
    temp.write("closed/a.txt");
    temp.write("open.txt");
    Deno.chmodSync(temp.at("closed"), 0o000);
    assert.deepEqual(await lines(temp.path), ["failed closed", "file open.txt"]);
    Deno.chmodSync(temp.at("closed"), 0o700);
  },
});

Deno.test("walk() throws if the root cannot be listed", async () => {
  using temp = new TempDir();
  await assertUserError(() => all(temp.at("missing")), "directory_not_found");
});

Deno.test("walk() throws the reason of the signal", async () => {
  using temp = new TempDir();
  temp.write("a/b.txt");
  const reason = new Error("stop");
  await assert.rejects(() => all(temp.path, { signal: AbortSignal.abort(reason) }), reason);

  temp.write("c/d.txt");
  const controller = new AbortController();
  const seen: string[] = [];
  await assert.rejects(async () => {
    for await (const { path } of walk(temp.path, { ...DEFAULTS, signal: controller.signal })) {
      seen.push(path);
      controller.abort(reason);
    }
  }, reason);
  assert.deepEqual(seen, ["a/b.txt"]);
});

Deno.test(
  "walk() reports nothing of a folder that becomes a link during the walk",
  { ignore: ON_WINDOWS },
  async () => {
    using temp = new TempDir();
    temp.write("root/a.txt");
    temp.write("root/sub/b.txt");
    temp.write("secret/key.txt");
    const found: string[] = [];
    for await (const each of walk(temp.at("root"), DEFAULTS)) {
      found.push(`${each.kind} ${each.path}`);
      if (each.path !== "a.txt") continue;
      Deno.renameSync(temp.at("root/sub"), temp.at("moved"));
      Deno.symlinkSync(temp.at("secret"), temp.at("root/sub"));
    }
    assert.deepEqual(found, ["file a.txt", "failed sub"]);
  },
);

Deno.test("walk() refuses a root that has become a link", { ignore: ON_WINDOWS }, async () => {
  using temp = new TempDir();
  temp.write("secret/key.txt");
  Deno.symlinkSync(temp.at("secret"), temp.at("root"));
  await assertUserError(() => all(temp.at("root")), "no_permission");
});

Deno.test(
  "walk() reports each name that is not UTF-8 once",
  { ignore: Deno.build.os !== "linux" },
  async () => {
    using temp = new TempDir();
    temp.write("d/a.txt");
    temp.write("ok\ufffd.txt");
    temp.write("z/ok.txt");
    // The runtime cannot create such names.
    const script = [
      "printf x > $'caf\\xe8.txt'",
      "printf x > $'caf\\xe9.txt'",
      "printf x > $'ok\\xe9.txt'",
      "printf x > $'photo\\xe9.png'",
      "mkdir $'d\\xe9r'",
      "printf x > $'d\\xe9r/b.txt'",
    ].join("\n");
    const made = await new Deno.Command("bash", { args: ["-e", "-c", script], cwd: temp.path }).output();
    assert.ok(made.success);
    const found = await lines(temp.path);
    assert.deepEqual(found.sort(), [
      "failed caf\ufffd.txt",
      "failed caf\ufffd.txt (2)",
      "failed d\ufffdr",
      "failed ok\ufffd.txt (2)",
      "file d/a.txt",
      "file ok\ufffd.txt",
      "file z/ok.txt",
      "image photo\ufffd.png",
    ]);
  },
);

Deno.test(
  "walk() lists 100 nested folders and reports deeper ones",
  { ignore: ON_WINDOWS },
  async () => {
    using temp = new TempDir();
    const deepest = "a/".repeat(100);
    temp.write(`${deepest}a/too-deep.txt`);
    temp.write(`${deepest}b.txt`);
    temp.write(".gitignore", Array.from({ length: 50 }, (_, at) => `**/a/**/a/**/c${at}`).join("\n"));
    assert.deepEqual(await lines(temp.path), [
      "hidden .gitignore",
      `failed ${deepest}a`,
      `file ${deepest}b.txt`,
    ]);
  },
);
