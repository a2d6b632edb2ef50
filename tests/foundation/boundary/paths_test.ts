import assert from "node:assert/strict";
import fc from "fast-check";
import {
  comparable,
  exists,
  isFullPath,
  isHostilePath,
  isInside,
  isNetworkPath,
  isReal,
  lookAt,
  lookAtSync,
  portablePattern,
  toPortable,
} from "#foundation/boundary/mod.ts";
import { TempDir } from "./helpers.ts";
import { posixTest } from "../../_posix.ts";

Deno.test("isInside() compares whole names, not prefixes", () => {
  const table: [child: string, parent: string, inside: boolean][] = [
    ["/data", "/data", true],
    ["/data/", "/data", true],
    ["/data/a/b.txt", "/data", true],
    ["/data/a", "/data/", true],
    ["/anything", "/", true],
    ["/data-secret/a", "/data", false],
    ["/data", "/data/a", false],
    ["/data/../etc/passwd", "/data", false],
    ["/data/a/../../data/b", "/data", true],
    ["/Data/a", "/data", false],
    ["data/a", "/data", false],
    ["/data/a", "data", false],
    ["/data/..a", "/data", true],
  ];
  for (const [child, parent, inside] of table) {
    assert.equal(isInside(child, parent, "posix"), inside, `${child} in ${parent}`);
  }
});

Deno.test("isInside() handles drives, shares, both separators and case on Windows", () => {
  const table: [child: string, parent: string, inside: boolean][] = [
    ["C:\\Data\\a.txt", "c:\\data", true],
    ["C:/data/a.txt", "C:\\data", true],
    ["C:\\data", "C:\\data\\", true],
    ["C:\\a", "C:\\", true],
    ["D:\\data\\a", "C:\\data", false],
    ["C:\\data-secret\\a", "C:\\data", false],
    ["C:\\data\\..\\Windows", "C:\\data", false],
    ["\\\\nas\\docs\\a", "\\\\NAS\\docs", true],
    ["\\\\nas\\docs2\\a", "\\\\nas\\docs", false],
    ["\\data\\a", "C:\\data", false],
    ["C:data\\a", "C:\\data", false],
  ];
  for (const [child, parent, inside] of table) {
    assert.equal(isInside(child, parent, "windows"), inside, `${child} in ${parent}`);
  }
});

Deno.test("isInside() is true for a path with names appended", () => {
  const name = fc.stringMatching(/^[a-z0-9 ]{1,5}$/);
  fc.assert(fc.property(fc.array(name), fc.array(name, { minLength: 1 }), (parent, child) => {
    const outer = "/" + parent.join("/");
    const inner = (outer === "/" ? "" : outer) + "/" + child.join("/");
    assert.ok(isInside(inner, outer, "posix"));
    assert.ok(!isInside(outer, inner, "posix"));
    assert.ok(!isInside(`${inner}x`, inner, "posix"));
  }));
});

Deno.test("isFullPath() accepts only paths that are independent of the working folder", () => {
  for (const path of ["/", "/a"]) assert.ok(isFullPath(path, "posix"), path);
  for (const path of ["", "a", "./a", "~/a", "C:\\a"]) assert.ok(!isFullPath(path, "posix"), path);
  for (const path of ["C:\\", "c:/a", "\\\\nas\\docs"]) assert.ok(isFullPath(path, "windows"), path);
  for (const path of ["", "a", "\\a", "/a", "C:", "C:a"]) assert.ok(!isFullPath(path, "windows"), path);
});

Deno.test("isNetworkPath() is true for shares, not for drives and devices", () => {
  for (const path of ["\\\\nas\\docs", "//nas/docs"]) assert.ok(isNetworkPath(path, "windows"), path);
  for (const path of ["C:\\a", "\\\\?\\C:\\a", "\\\\.\\pipe\\a", "\\a"]) {
    assert.ok(!isNetworkPath(path, "windows"), path);
  }
  assert.ok(!isNetworkPath("//nas/docs", "posix"));
});

Deno.test("isHostilePath() is true for paths that Windows opens as another place", () => {
  const hostile = [
    ...["C:\\docs\\a\0.txt", "\\\\?\\C:\\docs\\a.txt", "\\\\?\\UNC\\nas\\docs", "\\\\.\\PhysicalDrive0"],
    ...["//?/C:/docs", "\\??\\C:\\docs", "C:\\docs\\a.txt::$DATA", "C:\\docs\\a.txt:hidden", "C:a.txt"],
    ...["C:", "C:\\docs.\\a.txt", "C:\\docs\\a.txt ", "C:\\docs\\...", "C:\\docs\\CON"],
    ...["C:\\docs\\nul.txt", "C:\\docs\\COM1", "C:\\docs\\com¹.log", "C:\\docs\\aux .txt", "lpt9"],
    ...["C:\\docs\\CONOUT$", "C:\\docs\\a*.txt", "C:\\docs\\a\tb", `C:\\${"x\\".repeat(2100)}`],
  ];
  for (const path of hostile) assert.ok(isHostilePath(path, "windows"), path);
  const honest = [
    ...["C:\\", "C:\\docs\\a.txt", "c:/docs/../a.txt", "..\\a.txt", ".\\a.txt", "\\\\nas\\docs\\a.txt"],
    ...["C:\\docs\\console.txt", "C:\\docs\\COM10", "C:\\docs\\nullable.ts", "C:\\docs\\.gitignore"],
    ...["C:\\docs\\文档 100%.txt", "a..b.txt"],
  ];
  for (const path of honest) assert.ok(!isHostilePath(path, "windows"), path);
});

Deno.test("isHostilePath() is true only for NUL bytes on other systems", () => {
  assert.ok(isHostilePath("/docs/a\0.txt", "posix"));
  for (
    const path of [`/${"x/".repeat(2100)}`, "/docs/CON", "/docs/a:b", "/docs/a. ", "/docs/*", "/docs/a\\b"]
  ) {
    assert.ok(!isHostilePath(path, "posix"), path);
  }
});

Deno.test("toPortable() separates the parts of a path by slashes", () => {
  assert.equal(toPortable("a\\b c\\文.txt", "windows"), "a/b c/文.txt");
  assert.equal(toPortable("a\\b/c", "posix"), "a\\b/c");
});

Deno.test("portablePattern() takes a backslash for a slash on Windows, except before a character with a meaning", () => {
  const table: [pattern: string, portable: string][] = [
    ["private\\a.md", "private/a.md"],
    ["private\\", "private/"],
    ["docs\\**\\*.md", "docs/**/*.md"],
    ["!文档\\草稿", "!文档/草稿"],
    ["\\#notes", "\\#notes"],
    ["\\[draft\\]\\a", "\\[draft\\]/a"],
    ["a/b", "a/b"],
  ];
  for (const [pattern, portable] of table) {
    assert.equal(portablePattern(pattern, "windows"), portable);
    assert.equal(portablePattern(pattern, "posix"), pattern);
  }
});

Deno.test("comparable() gives equal texts for equal places", () => {
  assert.equal(comparable("/a/./b/../c/", "posix"), "/a/c");
  assert.equal(comparable("/", "posix"), "/");
  assert.equal(comparable("C:/A\\b/", "windows"), "c:\\a\\b");
});

Deno.test("lookAt() returns the entry at a path, or undefined", async () => {
  using dir = new TempDir();
  const file = dir.write("a.txt");
  for (const look of [lookAt, lookAtSync]) {
    assert.equal((await look(file))?.isFile, true);
    assert.equal(await look(dir.at("none")), undefined);
    assert.equal(await look(dir.at("a.txt/below")), undefined);
  }
});

posixTest("isReal() is true for existing paths without links", async () => {
  using dir = new TempDir();
  dir.write("sub/a.txt");
  Deno.symlinkSync("sub", dir.at("link"));
  const real = (...paths: string[]) => Promise.all(paths.map((path) => isReal(dir.at(path))));
  assert.deepEqual(await real("sub", "sub/", "sub/a.txt"), [true, true, true]);
  assert.deepEqual(await real("link", "link/a.txt", "none"), [false, false, false]);
});

posixTest("exists() is true for a dangling link and false for an inaccessible entry", async () => {
  using dir = new TempDir();
  Deno.symlinkSync("nothing", dir.at("link"));
  assert.equal(await exists(dir.at("link")), true);
  assert.equal(await exists(dir.at("none")), false);
  assert.equal(await exists(dir.at("x".repeat(300))), false);
});
