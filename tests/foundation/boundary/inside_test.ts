import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import {
  findEntries,
  linkLeadsOut,
  listFolder,
  openInside,
  openTogether,
  type Resolved,
  resolveFolderInside,
  resolveInside,
} from "#foundation/boundary/mod.ts";
import { playground } from "./_playground.ts";
import { assertUserError, ON_WINDOWS, TempDir, textOf } from "./helpers.ts";
import { swapping } from "../../attacks/_swapping.ts";
import { posixTest } from "../../_posix.ts";

Deno.test("resolveInside() finds a file by full path, relative path and file URL", async () => {
  using temp = playground();
  const root = temp.at("root");
  const expected = { real: temp.at("root/sub/日记 100% 🎉.txt"), root, relative: "sub/日记 100% 🎉.txt" };
  const names = [
    temp.at("root/sub/日记 100% 🎉.txt"),
    temp.at("root/sub/../sub/./日记 100% 🎉.txt"),
    "sub/日记 100% 🎉.txt",
    pathToFileURL(expected.real).href,
  ];
  for (const name of names) assert.deepEqual(await resolveInside(name, [root]), expected, name);
});

Deno.test("resolveInside() decodes percent signs in URLs only", async () => {
  using temp = playground();
  const root = temp.at("root");
  assert.equal((await resolveInside(temp.at("root/%41.txt"), [root])).relative, "%41.txt");
  await assertUserError(() => resolveInside(temp.at("root/%61.txt"), [root]), "file_not_found");
  await assertUserError(() => resolveInside("%2e%2e/root-secret/key.txt", [root]), "file_not_found");
});

Deno.test("resolveInside() gives the same error for every path outside, whether it exists or not", async () => {
  using temp = playground();
  const root = temp.at("root");
  const outside = [
    temp.at("root-secret/key.txt"),
    temp.at("root-secret/missing.txt"),
    temp.at("root/../root-secret/key.txt"),
    temp.at("missing"),
    "../root-secret/key.txt",
    "../root-secret/missing.txt",
    // On Windows these are relative to the drive, where they do not exist.
    ...(ON_WINDOWS ? [] : ["/etc/passwd", "/proc/self/environ"]),
    "file:///etc/passwd",
    "file://host/share/a.txt",
    "file:///%2e%2e/etc/passwd",
    "file:%00",
    "",
    "a.txt\0",
  ];
  for (const path of outside) {
    const error = await assertUserError(() => resolveInside(path, [root]), "no_permission");
    assert.deepEqual(error.params, { path });
  }
  await assertUserError(() => resolveInside(temp.at("root/a.txt"), []), "no_permission");
});

Deno.test("resolveInside() refuses hidden parts below the root, whether they exist or not", async () => {
  using temp = playground();
  const root = temp.at("root");
  for (const path of [".git/config", ".muxue_rag/index.bin", ".env", "sub/.hidden/a.txt", "...", ".git"]) {
    await assertUserError(() => resolveInside(path, [root]), "no_permission");
    await assertUserError(() => resolveInside(temp.at(`root/${path}`), [root]), "no_permission");
  }
  temp.write(".notes/a.txt");
  assert.equal((await resolveInside("a.txt", [temp.at(".notes")])).relative, "a.txt");
});

Deno.test("resolveInside() distinguishes missing entries and other kinds inside a root", async () => {
  using temp = playground();
  const root = temp.at("root");
  await assertUserError(() => resolveInside(temp.at("root/missing.txt"), [root]), "file_not_found");
  await assertUserError(() => resolveInside(temp.at("root/a.txt/b"), [root]), "file_not_found");
  await assertUserError(() => resolveInside(temp.at("root/sub"), [root]), "not_a_file");
  await assertUserError(() => resolveInside(root, [root]), "not_a_file");
});

Deno.test("resolveInside() searches a relative path in every root and refuses two results", async () => {
  using temp = playground();
  temp.write("other/a.txt");
  temp.write("other/b.txt");
  const roots = [temp.at("root"), temp.at("other")];
  assert.deepEqual(await resolveInside("b.txt", roots), {
    real: temp.at("other/b.txt"),
    root: temp.at("other"),
    relative: "b.txt",
  });
  await assertUserError(() => resolveInside("a.txt", roots), "path_ambiguous");
  await assertUserError(() => resolveInside("c.txt", roots), "file_not_found");
});

Deno.test("resolveInside() assigns a file to the innermost root", async () => {
  using temp = playground();
  temp.write("root/sub/b.txt");
  const resolved = await resolveInside(temp.at("root/sub/b.txt"), [temp.at("root"), temp.at("root/sub")]);
  const expected = { real: temp.at("root/sub/b.txt"), root: temp.at("root/sub"), relative: "b.txt" };
  assert.deepEqual(resolved, expected);
  for (const roots of [[temp.at("root"), temp.at("root/sub")], [temp.at("root/sub"), temp.at("root")]]) {
    assert.deepEqual(await resolveInside("sub/b.txt", roots), expected);
    assert.deepEqual(await resolveInside("b.txt", roots), expected);
    await assertUserError(() => resolveInside("../a.txt", [temp.at("root/sub")]), "no_permission");
  }
});

posixTest(
  "resolveInside() finds files whose names look like the short names and streams of other systems",
  async () => {
    using dir = new TempDir();
    for (const name of ["notes~1.md", "10:30.md"]) {
      const { relative } = await resolveInside(dir.write(name, "text"), [dir.path]);
      assert.equal(relative, name);
    }
  },
);

Deno.test("resolveInside() finds a name in its other Unicode form", async () => {
  using temp = playground();
  temp.write("root/re\u0301sume\u0301.txt");
  const resolved = await resolveInside(temp.at("root/r\u00e9sum\u00e9.txt"), [temp.at("root")]);
  assert.equal(resolved.relative.normalize("NFC"), "r\u00e9sum\u00e9.txt");
});

posixTest("resolveInside() follows links inside the root and refuses links that lead out", async () => {
  using temp = playground();
  const root = temp.at("root");
  Deno.symlinkSync("a.txt", temp.at("root/inside"));
  Deno.symlinkSync("../root-secret/key.txt", temp.at("root/out"));
  Deno.symlinkSync("../root-secret", temp.at("root/outdir"));
  Deno.symlinkSync("out", temp.at("root/chain"));
  Deno.symlinkSync("../root-secret/missing", temp.at("root/dangling"));
  Deno.symlinkSync(".git/config", temp.at("root/to-hidden"));
  Deno.symlinkSync("loop", temp.at("root/loop"));
  assert.deepEqual(await resolveInside("inside", [root]), {
    real: temp.at("root/a.txt"),
    root,
    relative: "a.txt",
  });
  for (
    const path of [
      ...["out", "outdir/key.txt", "outdir/missing.txt", "outdir", "chain", "dangling", "to-hidden"],
    ]
  ) {
    await assertUserError(() => resolveInside(temp.at(`root/${path}`), [root]), "no_permission");
  }
  // A link from one root to another is refused as well.
  await assertUserError(
    () => resolveInside(temp.at("root/out"), [root, temp.at("root-secret")]),
    "no_permission",
  );
  const error = await resolveInside("loop", [root]).then(() => null, (error) => error);
  assert.ok(error instanceof Error);
});

posixTest("resolveInside() accepts another path of a root, but not a root that was replaced", async () => {
  using temp = playground();
  Deno.symlinkSync("root", temp.at("alias"));
  const root = temp.at("root");
  assert.equal((await resolveInside(temp.at("alias/a.txt"), [root])).real, temp.at("root/a.txt"));
  await assertUserError(() => resolveInside(temp.at("alias/missing.txt"), [root]), "file_not_found");
  await assertUserError(() => resolveInside(temp.at("alias/.git/config"), [root]), "no_permission");

  Deno.renameSync(root, temp.at("moved"));
  await assertUserError(() => resolveInside(temp.at("root/a.txt"), [root]), "file_not_found");
  Deno.symlinkSync("root-secret", root);
  await assertUserError(() => resolveInside(temp.at("root/key.txt"), [root]), "no_permission");
});

Deno.test("resolveFolderInside() finds a root and its subfolders by full path, relative path and URL", async () => {
  using temp = playground();
  const root = temp.at("root");
  const sub = { real: temp.at("root/sub"), root, relative: "sub" };
  const itself = { real: root, root, relative: "" };
  for (
    const name of [temp.at("root/sub"), temp.at("root/./sub/"), "sub", "./sub/", pathToFileURL(sub.real).href]
  ) {
    assert.deepEqual(await resolveFolderInside(name, [root]), sub, name);
  }
  for (const name of [root, `${root}/`, ".", "sub/..", pathToFileURL(root).href + "/"]) {
    assert.deepEqual(await resolveFolderInside(name, [root]), itself, name);
  }
});

Deno.test("resolveFolderInside() assigns a folder to the innermost root", async () => {
  using temp = playground();
  const inner = temp.at("root/sub");
  const expected = { real: inner, root: inner, relative: "" };
  for (const roots of [[temp.at("root"), inner], [inner, temp.at("root")]]) {
    assert.deepEqual(await resolveFolderInside(inner, roots), expected);
    assert.deepEqual(await resolveFolderInside("sub", roots), expected);
  }
});

Deno.test("resolveFolderInside() distinguishes missing entries and other kinds inside a root only", async () => {
  using temp = playground();
  temp.write("other/sub/c.txt");
  temp.write("other/b/c.txt");
  const root = temp.at("root");
  const fails = (path: string, key: string, roots = [root]) =>
    assertUserError(() => resolveFolderInside(path, roots), key);
  await fails("missing", "directory_not_found");
  await fails(temp.at("root/missing/deep"), "directory_not_found");
  await fails("a.txt/b", "directory_not_found");
  await fails("a.txt", "not_a_directory");
  await fails(".git", "no_permission");
  await fails(".muxue_rag", "no_permission");
  for (
    const outside of [temp.path, temp.at("root-secret"), temp.at("missing"), "..", "../root-secret", "/", ""]
  ) {
    // On Windows `/` is relative to the drive.
    if (ON_WINDOWS && outside === "/") continue;
    assert.deepEqual((await fails(outside, "no_permission")).params, { path: outside });
  }
  await fails("sub", "path_ambiguous", [root, temp.at("other")]);
  await fails("../root-secret", "no_permission", [root, temp.at("other")]);
  assert.equal((await resolveFolderInside("b", [root, temp.at("other")])).root, temp.at("other"));
});

posixTest("resolveFolderInside() gives the same error for every link that leads out", async () => {
  using temp = playground();
  temp.write("root-secret/there/a.txt");
  const root = temp.at("root");
  Deno.symlinkSync("../root-secret", temp.at("root/out"));
  Deno.symlinkSync("../nothing", temp.at("root/dangling"));
  Deno.symlinkSync(".git", temp.at("root/to-hidden"));
  Deno.symlinkSync("sub", temp.at("root/inside"));
  Deno.symlinkSync("root", temp.at("alias"));
  for (
    const path of [
      ...["out", "out/there", "out/nosuch", "out/key.txt", "out/key.txt/x", "dangling", "dangling/x"],
      ...["to-hidden"],
    ]
  ) {
    for (const name of [path, temp.at(`root/${path}`), temp.at(`alias/${path}`)]) {
      const error = await assertUserError(() => resolveFolderInside(name, [root]), "no_permission");
      assert.deepEqual(error.params, { path: name });
    }
  }
  const sub = { real: temp.at("root/sub"), root, relative: "sub" };
  assert.deepEqual(await resolveFolderInside("inside", [root]), sub);
  assert.deepEqual(await resolveFolderInside(temp.at("alias/sub"), [root]), sub);
  assert.deepEqual(await resolveFolderInside(temp.at("alias"), [root]), { real: root, root, relative: "" });

  Deno.renameSync(root, temp.at("moved"));
  await assertUserError(() => resolveFolderInside(root, [root]), "directory_not_found");
  Deno.symlinkSync("root-secret", root);
  await assertUserError(() => resolveFolderInside(root, [root]), "no_permission");
});

posixTest("openInside() refuses pipes, folders and devices without waiting", async () => {
  using temp = playground();
  await new Deno.Command("mkfifo", { args: [temp.at("root/pipe")] }).output();
  await assertUserError(() => resolveInside("pipe", [temp.at("root")]), "not_a_file");
  await assertUserError(() => openInside({ real: temp.at("root/pipe") }), "not_a_file");
  await assertUserError(() => openInside({ real: temp.at("root/sub") }), "not_a_file");
  await assertUserError(() => openInside({ real: "/dev/zero" }), "not_a_file");
});

Deno.test("openInside() opens a resolved file for reading", async () => {
  using temp = playground();
  const resolved = await resolveInside("a.txt", [temp.at("root")]);
  using file = await openInside(resolved);
  assert.equal(await textOf(file), "text\n");
});

posixTest("openInside() refuses a file or folder that became a link after it was resolved", async () => {
  using temp = playground();
  temp.write("root-secret/日记 100% 🎉.txt", "secret");
  const resolved = await resolveInside("sub/日记 100% 🎉.txt", [temp.at("root")]);
  Deno.renameSync(temp.at("root/sub"), temp.at("root/old"));
  Deno.symlinkSync("../root-secret", temp.at("root/sub"));
  await assertUserError(() => openInside(resolved), "no_permission");

  const file = await resolveInside("a.txt", [temp.at("root")]);
  Deno.removeSync(file.real);
  Deno.symlinkSync("../root-secret/key.txt", file.real);
  await assertUserError(() => openInside(file), "no_permission");
});

/** The texts of files that are opened together; `refused` if they are not. */
async function textsTogether(folder: string, ...names: string[]): Promise<string> {
  const opened = openTogether(folder, names);
  const texts = await Promise.all(opened?.map(({ file }) => textOf(file)) ?? ["refused"]);
  for (const { file } of opened ?? []) file.close();
  return texts.join();
}

Deno.test("openTogether() opens files of a folder, or none if one of them is missing or a folder", async () => {
  using temp = playground();
  temp.write("root/b.txt", "other\n");
  const root = temp.at("root");
  assert.equal(await textsTogether(root, "a.txt", "b.txt"), "text\n,other\n");
  assert.equal(await textsTogether(root, "a.txt", "missing.txt"), "refused");
  assert.equal(await textsTogether(root, "a.txt", "sub"), "refused");
});

posixTest(
  "openTogether() opens no file of a folder that is a link, and none beside a link or a pipe",
  async () => {
    using temp = playground();
    temp.write("root/b.txt", "other\n");
    Deno.symlinkSync(temp.at("root/b.txt"), temp.at("root/c.txt"));
    Deno.symlinkSync(temp.at("root"), temp.at("link"));
    await new Deno.Command("mkfifo", { args: [temp.at("root/pipe")] }).output();
    assert.equal(await textsTogether(temp.at("link"), "a.txt", "b.txt"), "refused");
    assert.equal(await textsTogether(temp.at("root"), "a.txt", "c.txt"), "refused");
    assert.equal(await textsTogether(temp.at("root"), "a.txt", "pipe"), "refused");
  },
);

const names = (real: string) => listFolder(real).map(({ name }) => name).sort();

Deno.test("listFolder() returns the entries of a folder", () => {
  using dir = new TempDir();
  dir.write("a.txt");
  dir.write("sub/b.txt");
  assert.deepEqual(names(dir.path), ["a.txt", "sub"]);
  assert.throws(() => listFolder(dir.at("none")), Deno.errors.NotFound);
});

posixTest("findEntries() returns the named entries of a folder, and refuses a link to one", () => {
  using dir = new TempDir();
  dir.write("root/a.txt");
  dir.write("root/b.txt");
  dir.write("root/sub/c.txt");
  const listed = listFolder(dir.at("root")).filter(({ name }) => name !== "b.txt");
  assert.deepEqual(
    findEntries(dir.at("root"), ["a.txt", "sub", "none"]),
    listed.sort((a, b) => a.name < b.name ? -1 : 1).map((entry) => ({ ...entry })),
  );
  Deno.symlinkSync(dir.at("root"), dir.at("link"));
  assert.throws(() => findEntries(dir.at("link"), ["a.txt"]), { key: "no_permission" });
  assert.throws(() => findEntries(dir.at("none"), ["a.txt"]), Deno.errors.NotFound);
});

posixTest("findEntries() does not vouch for a name that finds the same file in another spelling", () => {
  using dir = new TempDir();
  dir.write("a.txt");
  // As on a system that ignores case.
  if (Deno.build.os === "linux") Deno.linkSync(dir.at("a.txt"), dir.at("A.TXT"));
  assert.equal(findEntries(dir.path, ["a.txt"]), undefined);
});

posixTest("listFolder() refuses a link to a folder, and a folder below a link", () => {
  using dir = new TempDir();
  dir.write("root/sub/deep/a.txt");
  dir.write("secret/deep/key.txt");
  assert.deepEqual(names(dir.at("root/sub/deep")), ["a.txt"]);
  Deno.renameSync(dir.at("root/sub"), dir.at("moved"));
  Deno.symlinkSync(dir.at("secret"), dir.at("root/sub"));
  for (const path of ["root/sub", "root/sub/deep"]) {
    assert.throws(() => listFolder(dir.at(path)), { key: "no_permission", params: { path: dir.at(path) } });
  }
});

Deno.test("listFolder() returns only entries of every listing", () => {
  using dir = new TempDir();
  for (const name of ["a.txt", "b.txt", "c.txt"]) dir.write(name);
  const { readDirSync } = Deno;
  let looks = 0;
  Deno.readDirSync = (path) => {
    const isFirst = looks++ === 0;
    const entries = [...readDirSync(path)];
    const other = entries.map((entry) =>
      entry.name === "b.txt" ? { ...entry, isFile: false, isDirectory: true } : entry
    );
    return (isFirst ? [...entries, { ...entries[0]!, name: "secret.txt" }] : other).values();
  };
  try {
    assert.deepEqual(names(dir.path), ["a.txt", "c.txt"]);
  } finally {
    Deno.readDirSync = readDirSync;
  }
});

posixTest("linkLeadsOut() is true for links that leave the folder", async () => {
  using dir = new TempDir();
  dir.write("root/a.txt");
  dir.write("root-secret/key.txt");
  const expected = {
    "a.txt": false,
    "nothing": false,
    "../root-secret/key.txt": true,
    "..": true,
    "/etc": true,
    "link": true,
  };
  for (const [target, leadsOut] of Object.entries(expected)) {
    Deno.symlinkSync(target, dir.at("root/link"));
    assert.equal(await linkLeadsOut(dir.at("root/link"), dir.at("root")), leadsOut, target);
    Deno.removeSync(dir.at("root/link"));
  }
});

const TRIES = 5000;
/** A check of change times would trust folders that were unchanged for this long. */
const QUIET_MS = 3000;

/** The different results of so many attempts; for an error its key or name. */
async function outcomes(attempt: () => Promise<string> | string): Promise<string[]> {
  const found = new Set<string>();
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      found.add(await attempt());
    } catch (error) {
      const { key, name } = error as { key?: string; name: string };
      found.add(key ?? name);
    }
  }
  return [...found];
}

Deno.test(
  "a parent of the allowed folder that alternates with a link gives no access to its target",
  {
    ignore: Deno.build.os !== "linux",
  },
  async (context) => {
    using dir = new TempDir();
    const root = dir.at("top/project/docs");
    const place: Resolved = { real: dir.write("top/project/docs/a.md", "harmless"), root, relative: "a.md" };
    dir.write("top/project/docs/b.md", "harmless");
    dir.write("elsewhere/docs/a.md", "secret");
    dir.write("elsewhere/docs/b.md", "secret");
    dir.write("elsewhere/docs/secret.md", "secret");
    Deno.symlinkSync(dir.at("elsewhere"), dir.at("top/link"));
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    await using _swap = await swapping(dir.at("top/project"), dir.at("top/link"));
    const attempts = {
      opened: async () => {
        using file = await openInside(place);
        return await textOf(file);
      },
      "opened together": async () => {
        const texts = await textsTogether(root, "a.md", "b.md");
        return texts === "refused" ? "no_permission" : texts;
      },
      listed: () => listFolder(root).map(({ name }) => name).join(),
      "listed by a caller that knows an entry": () =>
        listFolder(root, ({ name }) => name === "a.md").map(({ name }) => name).join(),
    };
    for (const [name, attempt] of Object.entries(attempts)) {
      await context.step(name, async () => {
        const found = await outcomes(attempt);
        assert.deepEqual(found.filter((text) => /secret/.test(text)), []);
        // Shows that the attack took place.
        assert.ok(found.includes("no_permission"), found.join());
      });
    }
  },
);
