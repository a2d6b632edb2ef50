/** Paths that users and clients write on Windows, and the files that no spelling may open. */
import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { foundIn, indexedWith, served, shortPath, testOfWindows, textOf, WORD } from "./_windows.ts";
import { makeSandbox, writeFiles } from "../e2e/_program.ts";

const TEA = `# Tea\n\nThe ${WORD} grows here.\n`;

Deno.test("a file is read by its full path with either slash and in any case, by its relative path, and by its URL", async () => {
  await using sandbox = await indexedWith({ "Notes/Green Tea.md": TEA }, "");
  const full = join(sandbox.folder, "Notes", "Green Tea.md");
  await served(sandbox, async (pipe) => {
    for (
      const path of [
        full,
        full.replaceAll("\\", "/"),
        full.toUpperCase(),
        full.toLowerCase(),
        full.replaceAll("\\", "\\\\"),
        "Notes\\Green Tea.md",
        "Notes/Green Tea.md",
        "notes\\GREEN TEA.MD",
        ".\\Notes\\..\\Notes\\Green Tea.md",
        pathToFileURL(full).href,
      ]
    ) {
      match(textOf(await pipe.call("read_raw_file", { "file_path": path })), /grows here/, path);
    }
  });
});

Deno.test("an excluded file is opened by no other spelling: case, ends, streams, prefixes, drive or short name", async () => {
  const secret = "swordfish4711";
  const files = { "a.md": TEA, "Private/secret document.txt": secret, ".env": secret, "secret.env": secret };
  const yaml = 'files:\n  exclude: ["private/", "secret.env"]\n';
  await using sandbox = await indexedWith(files, yaml);
  deepEqual(await foundIn(sandbox), ["a.md"]);
  const at = (path: string) => join(sandbox.folder, path);
  const hidden = [at("Private\\secret document.txt"), at(".env"), at("secret.env")];
  const spellings = hidden.flatMap((path) => [
    ...[path, path.toUpperCase(), `${path}.`, `${path} `, `${path}...`, `${path}::$DATA`, `${path}:$DATA`],
    ...[`\\\\?\\${path}`, `\\\\.\\${path}`, `\\??\\${path}`, `\\\\localhost\\${path.replace(":", "$")}`],
    ...[
      path.slice(2),
      `C:${path.slice(3)}`,
      `${path}\\`,
      pathToFileURL(path).href,
      path.replace("Private", "Private."),
    ],
  ]);
  const short = (await Promise.all(hidden.map(shortPath))).filter((path) => path !== undefined);
  await served(sandbox, async (pipe) => {
    for (const path of [...spellings, ...short]) {
      for (const tool of ["read_raw_file", "get_document_content", "get_document_original"]) {
        const text = textOf(await pipe.call(tool, { "file_path": path }));
        equal(text.includes(secret), false, `${tool} ${path}`);
      }
    }
  });
});

Deno.test("a short name opens no file, and the answer tells the long name", async () => {
  await using sandbox = await indexedWith({ "long name of a document.md": TEA }, "");
  const short = await shortPath(join(sandbox.folder, "long name of a document.md"));
  if (short === undefined) return;
  await served(sandbox, async (pipe) => {
    const text = textOf(await pipe.call("read_raw_file", { "file_path": short }));
    match(text, /outside of the served folders[^]*Did you mean: .*long name of a document\.md/);
  });
});

Deno.test("devices are refused without waiting for them, in every folder and with every extension", async () => {
  await using sandbox = await indexedWith({ "a.md": TEA }, "");
  await served(sandbox, async (pipe) => {
    for (const name of ["NUL", "nul.txt", "CON", "con.md", "COM1", "LPT1.txt", "AUX", "CONIN$", "sub\\NUL"]) {
      for (const path of [name, join(sandbox.folder, name)]) {
        const { result, error } = await pipe.call("read_raw_file", { "file_path": path });
        notEqual(error ?? result.isError, undefined, path);
      }
    }
  });
});

Deno.test("a network path is refused, as a file and as a folder to search", async () => {
  await using sandbox = await indexedWith({ "a.md": TEA }, "");
  await served(sandbox, async (pipe) => {
    for (const path of ["\\\\127.0.0.1\\C$\\a.md", "//localhost/share/a.md"]) {
      const { result, error } = await pipe.call("read_raw_file", { "file_path": path });
      notEqual(error ?? result.isError, undefined, path);
      const search = await pipe.call("search_rag", { keyword: WORD, dir_path: path });
      notEqual(search.error ?? search.result.isError, undefined, path);
    }
  });
});

Deno.test("a folder is the same one by every spelling of its path, and has one index", async () => {
  await using sandbox = await indexedWith({ "a.md": TEA }, "");
  const { folder } = sandbox;
  const spellings = [
    ...[folder.toUpperCase(), folder.toLowerCase(), folder.replaceAll("\\", "/"), `${folder}\\`],
    ...[`${folder}\\.`, `${folder}\\..\\文档 docs`, "文档 docs", ".\\文档 DOCS"],
  ];
  for (const dir of spellings) deepEqual(await foundIn(sandbox, dir), ["a.md"], dir);
  equal([...Deno.readDirSync(join(sandbox.cwd, "state", "folders"))].length, 1);
});

Deno.test("a quotation mark that an escaped backslash left at the end of a folder's path is no part of it", async () => {
  await using sandbox = await indexedWith({ "a.md": TEA }, "");
  // cmd and PowerShell hand over --dir "C:\Docs\" as C:\Docs"
  deepEqual(await foundIn(sandbox, `${sandbox.folder}"`), ["a.md"]);
});

Deno.test("a whole drive, the folder of Windows and that of all users are refused in any spelling", async () => {
  await using sandbox = await makeSandbox({ "a.md": TEA });
  for (
    const dir of [
      "C:\\",
      "c:/",
      "C:\\Windows",
      "c:\\WINDOWS\\system32",
      "C:\\Users",
      "C:\\ProgramData",
      "\\\\?\\C:\\Windows",
    ]
  ) {
    const { code } = await sandbox.run`--dir ${dir} --quiet`;
    equal(code === 0, false, dir);
  }
});

Deno.test("an include or exclude pattern is written with slashes, and holds for names in any case", async () => {
  const files = { "Docs/Keep.md": TEA, "Docs/Draft/a.md": TEA, "other/b.md": TEA };
  await using sandbox = await indexedWith(
    files,
    'files:\n  include: ["docs/**"]\n  exclude: ["DOCS/draft/"]\n',
  );
  deepEqual(await foundIn(sandbox), ["Docs\\Keep.md"]);
});

Deno.test("a pattern with backslashes excludes what it excludes with slashes", async () => {
  const files = { "private/a.md": TEA, "Drafts/b/c.md": TEA, "d.md": TEA };
  await using sandbox = await indexedWith(files, "files:\n  exclude: ['private\\a.md', 'drafts\\']\n");
  deepEqual(await foundIn(sandbox), ["d.md"]);
});

Deno.test("a .gitignore with CRLF, with a BOM, or with another case in its name excludes what it names", async () => {
  for (
    const [name, text] of [[".gitignore", "private/\r\n*.log\r\n"], [
      ".GitIgnore",
      "\ufeffprivate/\n*.log\n",
    ]] as const
  ) {
    const files = { [name]: text, "private/a.md": TEA, "b.log": TEA, "c.md": TEA };
    await using sandbox = await indexedWith(files, "");
    deepEqual(await foundIn(sandbox), ["c.md"], name);
  }
});

Deno.test("a configuration file with BOM, CRLF and Windows paths is read", async () => {
  await using sandbox = await makeSandbox({ "a.md": TEA, "more/b.md": TEA });
  const path = join(sandbox.cwd, "settings.yaml");
  const yaml = `\ufeffcollections:\r\n  more:\r\n    path: ${
    join(sandbox.folder, "more")
  }\r\nlanguage: en\r\n`;
  await Deno.writeTextFile(path, yaml);
  sandbox.env["MUXUE_RAG_CONFIG"] = path;
  const { code, stderr } = await sandbox.run`--dir more --quiet`;
  equal(code, 0, stderr);
  deepEqual(await foundIn(sandbox, "more"), ["more\\b.md"]);
});

Deno.test("links to files and folders outside are not followed, whatever kind they are", async () => {
  await using sandbox = await makeSandbox({ "a.md": TEA });
  const outside = join(sandbox.cwd, "outside");
  await writeFiles(outside, { "secret.md": `${TEA}swordfish` });
  Deno.symlinkSync(join(outside, "secret.md"), join(sandbox.folder, "link.md"), { type: "file" });
  Deno.symlinkSync(outside, join(sandbox.folder, "linked"), { type: "dir" });
  const { code, stderr } = await sandbox.run`--dir ${sandbox.folder} --quiet`;
  equal(code, 0, stderr);
  deepEqual(await foundIn(sandbox), ["a.md"]);
  await served(sandbox, async (pipe) => {
    for (
      const path of ["link.md", "linked\\secret.md", "LINKED/secret.md", "linked\\..\\a.md\\..\\link.md"]
    ) {
      equal(
        textOf(await pipe.call("read_raw_file", { "file_path": path })).includes("swordfish"),
        false,
        path,
      );
    }
  });
});

testOfWindows("a junction to a folder outside is not followed", "it makes no junctions", async () => {
  await using sandbox = await makeSandbox({ "a.md": TEA });
  const outside = join(sandbox.cwd, "outside");
  await writeFiles(outside, { "secret.md": `${TEA}swordfish` });
  Deno.symlinkSync(outside, join(sandbox.folder, "joined"), { type: "junction" });
  const { code, stderr } = await sandbox.run`--dir ${sandbox.folder} --quiet`;
  equal(code, 0, stderr);
  deepEqual(await foundIn(sandbox), ["a.md"]);
  await served(sandbox, async (pipe) => {
    const text = textOf(await pipe.call("read_raw_file", { "file_path": "joined\\secret.md" }));
    equal(text.includes("swordfish"), false);
  });
});

testOfWindows(
  "a file whose path has more than 260 characters is indexed and read",
  "it tells no real path of that length",
  async () => {
    const name = `${"a".repeat(100)}/${"b".repeat(100)}/${"c".repeat(100)}/tea.md`;
    await using sandbox = await indexedWith({ [name]: TEA }, "");
    deepEqual(await foundIn(sandbox), [name.replaceAll("/", "\\")]);
    await served(sandbox, async (pipe) => {
      match(textOf(await pipe.call("read_raw_file", { "file_path": name })), /grows here/);
    });
  },
);

Deno.test("a file whose path is too long for the system stops no other file", async () => {
  const long = `${"a".repeat(100)}/${"b".repeat(100)}/${"c".repeat(100)}/tea.md`;
  await using sandbox = await indexedWith({ [long]: TEA, "short.md": TEA }, "");
  equal((await foundIn(sandbox)).includes("short.md"), true);
});
